using Raven.Blittable.Memory;
using Raven.Storage.Errors;

namespace Raven.Storage.Paging;

/// <summary>
/// The pages of one snapshot. This and <see cref="IPageWriter"/> are the only interface between the structures (trees,
/// tables) and what lies below them (page map, scratch, journal, data file).
/// </summary>
internal interface IPageReader
{
    /// <summary>
    /// The page, header included; for an <see cref="Paging.PageKind.Overflow"/> run all of its pages as one slice.
    /// Valid until the transaction ends or, in a write transaction, until the page is modified or freed.
    /// </summary>
    /// <exception cref="StorageCorruptedException">Its checksum or its number is wrong.</exception>
    NativeSlice GetPage(long pageNumber);
}
