namespace Raven.Documents.Indexing;

/// <summary>The last batches of an index. Any thread.</summary>
public sealed class BatchHistory
{
    /// <summary>How many are kept.</summary>
    public const int KeptMax = 256;

    private const int KeptMin = 8;

    private readonly Lock _lock = new();
    private Kept[] _kept = [];
    private long _count;

    /// <summary>The last batches, the first of them first.</summary>
    public IReadOnlyList<BatchFigures> List()
    {
        lock (_lock)
        {
            int kept = (int)Math.Min(_count, _kept.Length);
            var figures = new BatchFigures[kept];
            for (int i = 0; i < kept; i++)
            {
                long number = _count - kept + i;
                figures[i] = Figures(number + 1, _kept[number % _kept.Length]);
            }

            return figures;
        }
    }

    /// <summary>Adds a batch that was committed.</summary>
    /// <param name="counts">What it did.</param>
    /// <param name="time">How long it took.</param>
    /// <param name="now">When it has ended.</param>
    internal void Add(BatchCounts counts, TimeSpan time, DateTimeOffset now)
    {
        var kept = new Kept
        {
            StartedTicks = (now - time).UtcTicks,
            Documents = counts.Documents,
            Entries = counts.Entries,
            Failed = counts.Failed,
            Map = Microseconds(time - counts.ReduceTime - counts.CommitTime),
            Reduce = Microseconds(counts.ReduceTime),
            Commit = Microseconds(counts.CommitTime),
        };
        lock (_lock)
        {
            if (_count == _kept.Length && _kept.Length < KeptMax)
            {
                Array.Resize(ref _kept, Math.Max(KeptMin, 2 * _kept.Length));
            }

            _kept[_count++ % _kept.Length] = kept;
        }
    }

    /// <summary>Adds to the last batch that parts of the index were merged.</summary>
    internal void AddMerge(TimeSpan time)
    {
        lock (_lock)
        {
            if (_count > 0)
            {
                _kept[(_count - 1) % _kept.Length].Merge += Microseconds(time);
            }
        }
    }

    private static int Microseconds(TimeSpan time) => (int)Math.Clamp(time.TotalMicroseconds, 0, int.MaxValue);

    private static BatchFigures Figures(long id, in Kept kept) => new()
    {
        Id = id,
        StartedAt = new DateTimeOffset(kept.StartedTicks, TimeSpan.Zero),
        Documents = kept.Documents,
        Entries = kept.Entries,
        Failed = kept.Failed,
        MapTime = TimeSpan.FromMicroseconds(kept.Map),
        ReduceTime = TimeSpan.FromMicroseconds(kept.Reduce),
        CommitTime = TimeSpan.FromMicroseconds(kept.Commit),
        MergeTime = TimeSpan.FromMicroseconds(kept.Merge),
    };

    /// <summary>A batch in few bytes: a server may have thousands of indexes. Times are microseconds.</summary>
    private struct Kept
    {
        internal long StartedTicks;
        internal int Documents;
        internal int Entries;
        internal int Failed;
        internal int Map;
        internal int Reduce;
        internal int Commit;
        internal int Merge;
    }
}
