using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Platform;

namespace Raven.Storage.Paging;

/// <summary>Writes many pages to the data file.</summary>
internal static class PageBatch
{
    private const int WriteBufferBytes = 256 << 10;

    /// <summary>
    /// Seals copies of the pages and writes them in the order of their numbers, neighbours together. If two overlap,
    /// the one that starts later wins.
    /// </summary>
    internal static void Write(DataFile data, List<(long Page, NativeSlice Place)> pages)
    {
        pages.Sort((left, right) => left.Page.CompareTo(right.Page));
        using var buffer = new NativeBuffer(WriteBufferBytes);
        long firstPage = 0;
        int used = 0;
        foreach ((long page, NativeSlice place) in CollectionsMarshal.AsSpan(pages))
        {
            long expected = firstPage + used / PageHeader.PageSizeInBytes;
            if (used > 0 && (page != expected || used + place.Length > buffer.Capacity))
            {
                data.WritePages(firstPage, buffer.Slice(used).Span);
                used = 0;
            }

            firstPage = used == 0 ? page : firstPage;
            buffer.EnsureCapacity(used + place.Length, used);
            Span<byte> target = buffer.Slice(used + place.Length).WritableSpan[used..];
            place.Span.CopyTo(target);
            DataFile.Seal(target, data.EnvironmentId);
            used += place.Length;
        }

        if (used > 0)
        {
            data.WritePages(firstPage, buffer.Slice(used).Span);
        }
    }
}
