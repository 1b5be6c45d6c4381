using Lucene.Net.Index;
using Lucene.Net.Search;
using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>Keeps the first hits of a query in its order, and counts all.</summary>
internal sealed class LuceneHits(LuceneOrder order, int capacity, CancellationToken cancellation) : ICollector
{
    private readonly List<Hit> _hits = [];
    private readonly bool _isByFirstKey = order.IsByFirstKey;
    private Scorer? _scorer;
    private int _segment = -1;
    private int _steps;

    /// <summary>The hits; in their order after <see cref="Finish"/>.</summary>
    internal List<Hit> Hits => _hits;

    internal long TotalCount { get; private set; }

    /// <inheritdoc/>
    public bool AcceptsDocsOutOfOrder => false;

    /// <inheritdoc/>
    public void SetScorer(Scorer scorer) => _scorer = scorer;

    /// <inheritdoc/>
    public void SetNextReader(AtomicReaderContext context)
    {
        _segment = context.Ord;
        order.BeginSegment(context);
    }

    /// <inheritdoc/>
    public void Collect(int doc)
    {
        TermCancellation.Step(_steps++, cancellation);
        TotalCount++;
        if (capacity == 0 || (order.Count == 0 && _hits.Count == capacity))
        {
            return;
        }

        float score = order.NeedsScores ? _scorer!.GetScore() : 0;
        long first = order.Count == 0 ? 0 : order.KeyOf(0, doc, score);
        if (_hits.Count == capacity && _isByFirstKey && first > _hits[0].Keys[0])
        {
            return;
        }

        var hit = new Hit { Segment = _segment, Entry = doc, Score = score };
        hit.Keys[0] = first;
        for (int i = 1; i < order.Count; i++)
        {
            hit.Keys[i] = order.KeyOf(i, doc, score);
        }

        if (_hits.Count < capacity)
        {
            _hits.Add(hit);
            SiftUp(_hits.Count - 1);
        }
        else if (order.Compare(hit, _hits[0]) < 0)
        {
            _hits[0] = hit;
            SiftDown(0, _hits.Count);
        }
    }

    /// <summary>Puts the hits into their order: the last of them is on top of the heap.</summary>
    internal void Finish()
    {
        if (order.Count == 0)
        {
            return;
        }

        for (int end = _hits.Count - 1; end > 0; end--)
        {
            TermCancellation.Step(end, cancellation);
            (_hits[0], _hits[end]) = (_hits[end], _hits[0]);
            SiftDown(0, end);
        }
    }

    private void SiftUp(int at)
    {
        while (order.Count > 0 && at > 0 && order.Compare(_hits[at], _hits[(at - 1) / 2]) > 0)
        {
            (_hits[at], _hits[(at - 1) / 2]) = (_hits[(at - 1) / 2], _hits[at]);
            at = (at - 1) / 2;
        }
    }

    private void SiftDown(int at, int end)
    {
        for (int child = (at * 2) + 1; child < end; child = (at * 2) + 1)
        {
            child += child + 1 < end && order.Compare(_hits[child + 1], _hits[child]) > 0 ? 1 : 0;
            if (order.Compare(_hits[child], _hits[at]) <= 0)
            {
                return;
            }

            (_hits[child], _hits[at]) = (_hits[at], _hits[child]);
            at = child;
        }
    }
}
