namespace Raven.Blittable.Memory;

/// <summary>A scan that may read behind the end of its text, for <see cref="ReadAheadPage"/>.</summary>
internal interface IReadAheadScan
{
    /// <summary>Readable bytes that must follow the end of the scanned text.</summary>
    static abstract int ReadAhead { get; }

    /// <summary>Scans [start, end) and returns the position at which it stopped.</summary>
    /// <param name="input">The first byte of a buffer, whose bytes up to ReadAhead behind the end are readable.</param>
    /// <param name="start">The place to continue at.</param>
    /// <param name="end">The end of the input in the buffer.</param>
    /// <param name="inputBase">The place of the buffer's first byte in the whole input.</param>
    int Scan(ref byte input, int start, int end, long inputBase);
}
