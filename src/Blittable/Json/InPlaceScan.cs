using Raven.Blittable.Memory;

namespace Raven.Blittable.Json;

/// <summary>A scan of JSON in the memory of the input.</summary>
internal readonly struct InPlaceScan(JsonScanner scanner) : IReadAheadScan
{
    /// <inheritdoc/>
    public static int ReadAhead => JsonScanner.ReadAhead;

    /// <inheritdoc/>
    public int Scan(ref byte input, int start, int end, long inputBase) =>
        scanner.Scan(ref input, start, end, inputBase);
}
