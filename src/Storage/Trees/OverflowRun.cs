using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Paging;

namespace Raven.Storage.Trees;

/// <summary>A value that has pages of its own.</summary>
internal static class OverflowRun
{
    /// <summary>The bytes of a run whose first page and length a reference gave.</summary>
    /// <exception cref="StorageCorruptedException">There is no such run.</exception>
    internal static NativeSlice Read(IPageReader pages, long number, int length)
    {
        NativeSlice value = Read(pages.GetPage(number), number);
        if (value.Length != length)
        {
            Damage.Throw(number, $"is not the overflow run of {length} bytes that is referred to");
        }

        return value;
    }

    /// <summary>The bytes of a run whose pages were read.</summary>
    /// <exception cref="StorageCorruptedException">It is no overflow run.</exception>
    internal static NativeSlice Read(NativeSlice run, long number)
    {
        if (run.Length < PageHeader.SizeInBytes)
        {
            Damage.Throw(number, "is shorter than a page");
        }

        ref readonly PageHeader header = ref MemoryMarshal.AsRef<PageHeader>(run.Span);
        int length = header.RunLengthBytes;
        if (header.Kind != PageKind.Overflow || length < 0 || run.Length - PageHeader.SizeInBytes < length)
        {
            Damage.Throw(number, "is not a whole overflow run");
        }

        return run.Slice(PageHeader.SizeInBytes, length);
    }
}
