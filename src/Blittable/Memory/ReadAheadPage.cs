namespace Raven.Blittable.Memory;

//   A scan loads whole vectors, up to ReadAhead bytes behind the end of the text, and ignores these. A process gets
//   memory in pages of at least 4 KB: if the end is far enough from the end of its page, those bytes can be read in
//   place, whatever they are; the text is pinned meanwhile. simdjson does the same.

/// <summary>Scans a text in place instead of in a copy with room behind it.</summary>
internal static unsafe class ReadAheadPage
{
    private const nuint PageSizeBytes = 4096;

    /// <summary>Scans if the bytes behind the text can be read; otherwise false, with nothing done.</summary>
    /// <typeparam name="TScan">A struct, so that the call is a direct one.</typeparam>
    /// <param name="scan">Scans from <paramref name="position"/> on.</param>
    /// <param name="text">The place to start at; then the place at which the scan stopped.</param>
    /// <param name="position">The place to start at; then the place at which the scan stopped.</param>
    /// <param name="inputBase">The place of the text in the whole input.</param>
    internal static bool TryScan<TScan>(TScan scan, ReadOnlySpan<byte> text, ref int position, long inputBase)
        where TScan : struct, IReadAheadScan
    {
        fixed (byte* start = text)
        {
            nuint last = (nuint)(start + text.Length - 1) & (PageSizeBytes - 1);
            if (last + (nuint)TScan.ReadAhead >= PageSizeBytes)
            {
                return false;
            }

            position = scan.Scan(ref *start, position, text.Length, inputBase);
            return true;
        }
    }
}
