using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>Compares the states of two environments page by page.</summary>
internal static class StatePages
{
    /// <summary>Says how the last states differ; null if each page and run, the catalog, and which pages are free are
    /// the same. A checksum is made when a page is written to the data file, and not compared.</summary>
    internal static string? Difference(StorageEnvironment one, StorageEnvironment other)
    {
        using ReadTransaction left = one.BeginRead();
        using ReadTransaction right = other.BeginRead();
        if (left.Id != right.Id || one.Log != other.Log || left.NextPageNumber != right.NextPageNumber)
        {
            return $"{one.Log} with {left.NextPageNumber} pages, and {other.Log} with {right.NextPageNumber}";
        }

        if (!left.CatalogRecord.SequenceEqual(right.CatalogRecord))
        {
            return "the catalogs differ";
        }

        if (one.FreeSpace.FreePages != other.FreeSpace.FreePages)
        {
            return $"{one.FreeSpace.FreePages} and {other.FreeSpace.FreePages} free pages are counted";
        }

        for (long page = DataFile.FirstUsablePage - 1; page < left.NextPageNumber;)
        {
            bool isFree = !FreeSpace.IsMapPage(page) && FreeSpace.IsFree(left, page);
            if (isFree)
            {
                page++;
                continue;
            }

            NativeSlice first = left.GetPage(page);
            NativeSlice second = right.GetPage(page);
            if (!first.Span[sizeof(ulong)..].SequenceEqual(second.Span[sizeof(ulong)..]))
            {
                return $"page {page} differs";
            }

            page += first.Length / PageHeader.PageSizeInBytes;
        }

        return null;
    }
}
