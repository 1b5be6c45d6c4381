namespace Raven.Blittable.Memory;

/// <summary>A scan that may read behind the end of its text, for <see cref="ReadAheadPage"/>.</summary>
internal interface IReadAheadScan
{
    /// <summary>Readable bytes that must follow the end of what is scanned.</summary>
    static abstract int ReadAhead { get; }

    /// <summary>Scans [start, end) and gives the position at which it stopped.</summary>
    /// <param name="input">The first byte of a buffer, whose bytes up to ReadAhead behind the end are readable.</param>
    /// <param name="start">Where to go on.</param>
    /// <param name="end">Where the input ends in the buffer.</param>
    /// <param name="inputBase">Where the first byte of the buffer is in the whole input.</param>
    int Scan(ref byte input, int start, int end, long inputBase);
}
