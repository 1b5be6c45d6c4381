namespace Raven.Documents.Rows.Series;

/// <summary>
/// The memory in which segments of time series are read. One owner at a time; who reads often takes it from here and
/// gives it back, so that to read a million points allocates no more than to read a few. Any thread.
/// </summary>
internal sealed class SeriesBuffers
{
    // As many as queries run at a time; what is beyond that is left to the garbage collector.
    private static readonly SeriesBuffers?[] Free = new SeriesBuffers?[Environment.ProcessorCount];

    /// <summary>The points of a segment.</summary>
    internal PointList Points { get; } = new();

    /// <summary>Reads a sealed segment.</summary>
    internal SealedSegment Sealed { get; } = new();

    /// <summary>Takes some that are free, or new ones.</summary>
    internal static SeriesBuffers Rent()
    {
        foreach (ref SeriesBuffers? slot in Free.AsSpan())
        {
            if (slot is not null && Interlocked.Exchange(ref slot, null) is { } free)
            {
                return free;
            }
        }

        return new SeriesBuffers();
    }

    /// <summary>Gives them back: they may be used no more by who had them.</summary>
    internal void Return()
    {
        Points.Clear();
        foreach (ref SeriesBuffers? slot in Free.AsSpan())
        {
            if (slot is null && Interlocked.CompareExchange(ref slot, this, null) is null)
            {
                return;
            }
        }
    }
}
