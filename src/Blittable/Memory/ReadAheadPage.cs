namespace Raven.Blittable.Memory;

//   A scan loads whole vectors, up to ReadAhead bytes behind the end of the text, and makes nothing of those.
//   Memory is given to a process in pages of 4 KB at least: if the end lies far enough from the end of its page,
//   those bytes can be read in place, whatever they are, and the text is pinned, so that this stays so. simdjson does
//   the same.

/// <summary>Scans a text where it stands instead of in a copy with room behind it.</summary>
internal static unsafe class ReadAheadPage
{
    private const nuint PageSizeBytes = 4096;

    /// <summary>Scans if what the scan reads behind the text can be read; false, and nothing done, if not.</summary>
    /// <typeparam name="TScan">A struct, so that the call is a direct one.</typeparam>
    /// <param name="scan">Scans from <paramref name="position"/> on.</param>
    /// <param name="text">The text, not empty.</param>
    /// <param name="position">Where to start; where the scan stopped.</param>
    /// <param name="inputBase">Where the text starts in the whole input.</param>
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
