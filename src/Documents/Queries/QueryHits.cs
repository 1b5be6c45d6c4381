namespace Raven.Documents.Queries;

/// <summary>The results of a query, one after the other, in their order. One thread at a time.</summary>
internal abstract class QueryHits
{
    /// <summary>How many results there are without paging.</summary>
    internal abstract long TotalCount { get; }

    /// <summary>How many results there may be, as far as that is known before they are read.</summary>
    internal virtual long CountBeforehand => TotalCount;

    /// <summary>How many results were skipped because they were found already.</summary>
    internal virtual long SkippedCount => 0;

    /// <summary>
    /// Copies the keys of the remaining results out of the snapshots, which the query then releases
    /// (<see cref="QuerySession.Release"/>): the contents are read from later snapshots.
    /// </summary>
    internal abstract void Detach();

    /// <summary>The next result; false after the last one of the page.</summary>
    internal abstract bool TryNext(out QueryHit hit);
}
