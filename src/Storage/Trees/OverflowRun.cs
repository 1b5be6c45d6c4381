using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Storage.Trees;

/// <summary>A value that has pages of its own.</summary>
internal static class OverflowRun
{
    /// <summary>The bytes of a run whose first page and length a reference gave.</summary>
    /// <exception cref="StorageCorruptedException">There is no such run.</exception>
    internal static NativeSlice Read(IPageReader pages, long number, int length)
    {
        NativeSlice run = pages.GetPage(number);
        if (run.Length < PageHeader.SizeInBytes)
        {
            Damage.Throw(number, "is shorter than a page");
        }

        ref readonly PageHeader header = ref MemoryMarshal.AsRef<PageHeader>(run.Span);
        if (header.Kind != PageKind.Overflow || header.RunLengthBytes != length || length < 0
            || run.Length - PageHeader.SizeInBytes < length)
        {
            Damage.Throw(number, $"is not the overflow run of {length} bytes that is referred to");
        }

        return run.Slice(PageHeader.SizeInBytes, length);
    }
}
