using Raven.Blittable.Memory;
using Raven.Documents.Rows;

namespace Raven.Documents.Scripts;

/// <summary>
/// What scripts have read, and in which version: where all of it is still so when their changes are applied, they would
/// have done the same there. Etags are used once, so they stand for versions.
/// </summary>
internal sealed class ReadSet
{
    private readonly List<(ReadKind Kind, NativeSlice Key, long Version)> _reads = [];

    /// <summary>How many reads are kept.</summary>
    internal int Count => _reads.Count;

    /// <summary>Forgets all.</summary>
    internal void Clear() => _reads.Clear();

    /// <summary>Keeps what was read; the key must live as long as the set.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="key">Its key.</param>
    /// <param name="version">Its etag, index or value; 0 where there is none.</param>
    internal void Add(ReadKind kind, NativeSlice key, long version) => _reads.Add((kind, key, version));

    /// <summary>Is all of it still so?</summary>
    internal bool Holds(IDatabaseView view)
    {
        foreach ((ReadKind kind, NativeSlice key, long version) in _reads)
        {
            if (VersionOf(view, kind, key.Span) != version)
            {
                return false;
            }
        }

        return true;
    }

    private static long VersionOf(IDatabaseView view, ReadKind kind, ReadOnlySpan<byte> key) => kind switch
    {
        ReadKind.Document => view.TryFindRow(key, out NativeSlice row) ? RowLayout.ReadHeader(row.Span).Etag : 0,
        ReadKind.Identity => view.Identity(key),
        ReadKind.Counter => view.TryFindCounter(key, out StoredCounter counter) ? counter.Etag : 0,
        ReadKind.TimeSeries => view.TimeSeriesVersion(key),
        _ => view.TryFindCompareExchange(key, out CompareExchangeValue value) ? value.Index : 0,
    };
}
