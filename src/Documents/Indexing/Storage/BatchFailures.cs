namespace Raven.Documents.Indexing.Storage;

/// <summary>The failures of a batch: how many, and the last of them. One thread at a time.</summary>
/// <param name="keptMax">How many are kept at least; at most twice as many.</param>
internal sealed class BatchFailures(int keptMax)
{
    private readonly List<IndexFailure> _last = [];

    /// <summary>The last ones, the oldest first.</summary>
    internal IReadOnlyList<IndexFailure> Last => _last;

    /// <summary>How many documents are not in the index at all.</summary>
    internal long WholeCount { get; private set; }

    internal void Add(IndexFailure failure)
    {
        WholeCount += failure.IsOfWhole ? 1 : 0;
        if (_last.Count == 2 * keptMax)
        {
            _last.RemoveRange(0, keptMax);
        }

        _last.Add(failure);
    }

    /// <summary>Removes all failures, for the next batch.</summary>
    internal void Clear()
    {
        WholeCount = 0;
        _last.Clear();
    }
}
