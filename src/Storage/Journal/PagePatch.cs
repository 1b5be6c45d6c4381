using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;

namespace Raven.Storage.Journal;

// A patch is a list of parts, each: skipped words (2 bytes), words that follow (2 bytes), the words. A word is 8 bytes.
// If more than 65,535 words are skipped or follow, further parts with no words or no skip continue. The length of the
// patch is its end.

/// <summary>The parts of a page that differ from another version of it, in whole 8-byte words.</summary>
internal static class PagePatch
{
    private const int WordSizeInBytes = sizeof(ulong);
    private const int PartHeadSizeInBytes = 4;
    private const int WordsMax = ushort.MaxValue;

    /// <summary>An upper bound of a patch's bytes for a page (or run) of so many.</summary>
    internal static int SizeMax(int pageBytes) =>
        checked(pageBytes + PartHeadSizeInBytes * (2 + pageBytes / WordSizeInBytes / 2));

    /// <summary>Writes what turns <paramref name="from"/> into <paramref name="to"/>.</summary>
    /// <param name="from">The older bytes; empty for zeros.</param>
    /// <param name="to">The newer bytes, as many.</param>
    /// <param name="patch">Room for <see cref="SizeMax"/> bytes.</param>
    /// <returns>The bytes written.</returns>
    internal static int Create(ReadOnlySpan<byte> from, ReadOnlySpan<byte> to, Span<byte> patch)
    {
        int done = 0;
        return Create(from, to, 0, to.Length, ref done, patch);
    }

    /// <summary>
    /// Like the other overload, if bytes differ only before <paramref name="lowEnd"/> and in
    /// [<paramref name="highStart"/>, <paramref name="highEnd"/>): the rest is not compared.
    /// </summary>
    internal static int Create(
        ReadOnlySpan<byte> from, ReadOnlySpan<byte> to, int lowEnd, int highStart, int highEnd, Span<byte> patch)
    {
        lowEnd = (lowEnd + WordSizeInBytes - 1) & -WordSizeInBytes;
        highStart = Math.Max(highStart & -WordSizeInBytes, lowEnd);
        highEnd = (highEnd + WordSizeInBytes - 1) & -WordSizeInBytes;
        int done = 0;
        int written = Create(from, to, 0, lowEnd, ref done, patch);
        return highStart < highEnd
            ? written + Create(from, to, highStart, highEnd, ref done, patch[written..])
            : written;
    }

    /// <param name="from">The older bytes; empty for zeros.</param>
    /// <param name="to">The newer bytes.</param>
    /// <param name="position">Where to begin comparing, in whole words...</param>
    /// <param name="end">...and where to stop.</param>
    /// <param name="done">The end of the last part written, before and after.</param>
    /// <param name="patch">Receives the next part.</param>
    private static int Create(
        ReadOnlySpan<byte> from, ReadOnlySpan<byte> to, int position, int end, ref int done, Span<byte> patch)
    {
        ref byte newer = ref MemoryMarshal.GetReference(to);
        ref byte older = ref from.IsEmpty ? ref Unsafe.NullRef<byte>() : ref MemoryMarshal.GetReference(from);
        int written = 0;
        while (true)
        {
            int start = NextDifference(ref older, ref newer, position, end);
            if (start == end)
            {
                return written;
            }

            position = EndOfDifference(ref older, ref newer, start, end);
            written += WritePart(patch[written..], done, to[start..position], start);
            done = position;
        }
    }

    /// <summary>Changes a page as the patch says. False if the patch is no patch of such a page.</summary>
    internal static bool TryApply(ReadOnlySpan<byte> patch, Span<byte> page)
    {
        int position = 0;
        while (patch.Length >= PartHeadSizeInBytes)
        {
            position += MemoryMarshal.Read<ushort>(patch) * WordSizeInBytes;
            int length = MemoryMarshal.Read<ushort>(patch[2..]) * WordSizeInBytes;
            patch = patch[PartHeadSizeInBytes..];
            if (length > patch.Length || position > page.Length - length)
            {
                return false;
            }

            patch[..length].CopyTo(page[position..]);
            patch = patch[length..];
            position += length;
        }

        return patch.IsEmpty;
    }

    private static int WritePart(Span<byte> patch, int done, ReadOnlySpan<byte> bytes, int start)
    {
        int written = 0;
        int skip = (start - done) / WordSizeInBytes;
        while (skip > WordsMax)
        {
            WriteHead(patch[written..], WordsMax, 0);
            written += PartHeadSizeInBytes;
            skip -= WordsMax;
        }

        while (!bytes.IsEmpty)
        {
            int length = Math.Min(bytes.Length, WordsMax * WordSizeInBytes);
            WriteHead(patch[written..], skip, length / WordSizeInBytes);
            written += PartHeadSizeInBytes;
            bytes[..length].CopyTo(patch[written..]);
            written += length;
            bytes = bytes[length..];
            skip = 0;
        }

        return written;
    }

    private static void WriteHead(Span<byte> target, int skip, int words)
    {
        MemoryMarshal.Write(target, (ushort)skip);
        MemoryMarshal.Write(target[2..], (ushort)words);
    }

    private static int NextDifference(ref byte older, ref byte newer, int position, int length)
    {
        int step = Vector256<byte>.Count;
        while (position + step <= length)
        {
            Vector256<byte> left = Vector256.LoadUnsafe(ref newer, (nuint)position);
            Vector256<byte> right =
                Unsafe.IsNullRef(ref older) ? default : Vector256.LoadUnsafe(ref older, (nuint)position);
            if (left != right)
            {
                break;
            }

            position += step;
        }

        while (position < length && WordAt(ref older, position) == WordAt(ref newer, position))
        {
            position += WordSizeInBytes;
        }

        return position;
    }

    /// <summary>
    /// The first equal word: even a gap of one costs more (8 bytes) than the head of another part (4).
    /// </summary>
    private static int EndOfDifference(ref byte older, ref byte newer, int position, int length)
    {
        do
        {
            position += WordSizeInBytes;
        }
        while (position < length && WordAt(ref older, position) != WordAt(ref newer, position));
        return position;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong WordAt(ref byte start, int position) =>
        Unsafe.IsNullRef(ref start) ? 0 : Unsafe.ReadUnaligned<ulong>(ref Unsafe.Add(ref start, position));
}
