using Raven.Blittable.Memory;
using Raven.Storage.Paging;

namespace Raven.Storage.Transactions;

/// <summary>
/// What a write transaction adds to <see cref="IPageReader"/>: copy on write, allocation and release of pages.
/// </summary>
internal interface IPageWriter : IPageReader
{
    /// <summary>The page (or run) to change in place: this transaction's own copy, made at the first call.</summary>
    NativeSlice ModifyPage(long pageNumber);

    /// <summary>
    /// A new run of pages, zeroed but for the header (number, kind, run length) and the payload of an overflow run,
    /// which is undefined. A run that is not an overflow run has one page.
    /// </summary>
    /// <param name="kind">What it will hold.</param>
    /// <param name="runLengthBytes">Payload bytes of an overflow run; 0 for a single page.</param>
    /// <param name="page">Its memory, to write.</param>
    /// <returns>The number of the first page.</returns>
    long AllocatePage(PageKind kind, int runLengthBytes, out NativeSlice page);

    /// <summary>Gives the page (or run) back; it is used again when no snapshot can read it.</summary>
    void FreePage(long pageNumber);
}
