using Raven.Blittable.Memory;

namespace Raven.Storage.Paging;

/// <summary>
/// What a write transaction adds to <see cref="IPageReader"/>: copy on write, allocation and release of pages.
/// </summary>
internal interface IPageWriter : IPageReader
{
    /// <summary>The page (or run) to change in place: this transaction's own copy, made at the first call.</summary>
    NativeSlice ModifyPage(long pageNumber);

    /// <summary>
    /// As <see cref="ModifyPage"/>, for a caller that says by <see cref="NoteChange"/> which bytes it changes: when the
    /// transaction commits, only those are compared with the page before. Comparing whole pages took a fifth of the
    /// time of a load in random order.
    /// </summary>
    /// <param name="pageNumber">A single page.</param>
    /// <param name="handle">Stands for the page until the transaction ends.</param>
    NativeSlice ModifyPageInParts(long pageNumber, out int handle)
    {
        handle = -1;
        return ModifyPage(pageNumber);
    }

    /// <summary>Says that bytes before <paramref name="lowEnd"/> were or will be changed, and those of
    /// [<paramref name="highStart"/>, <paramref name="highEnd"/>).</summary>
    void NoteChange(int handle, int lowEnd, int highStart, int highEnd)
    {
    }

    /// <summary>True if the whole page goes into the journal, so that zeros in it save room there.</summary>
    bool IsJournaledWhole(int handle) => false;

    /// <summary>
    /// A new run of pages, zeroed but for the header (number, kind, run length) and the payload of an overflow run,
    /// which is undefined. A run that is not an overflow run has one page.
    /// </summary>
    /// <param name="kind">What it will hold.</param>
    /// <param name="runLengthBytes">Payload bytes of an overflow run; 0 for a single page.</param>
    /// <param name="page">Its memory, to write.</param>
    /// <returns>The number of the first page.</returns>
    long AllocatePage(PageKind kind, int runLengthBytes, out NativeSlice page);

    /// <summary>Frees the page (or run); it is reused when no snapshot can read it.</summary>
    void FreePage(long pageNumber);
}
