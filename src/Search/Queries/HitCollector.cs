using System.Numerics;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// Keeps the best hits, as many as are requested: a heap whose root is the worst of them. If there is no order, it
/// keeps the first ones.
/// </summary>
internal sealed class HitCollector
{
    private readonly HitOrder _order;
    private Hit[] _hits = [];
    private int _capacity;
    private long _bound;
    private FieldReader? _plain;

    internal HitCollector(HitOrder order) => _order = order;

    internal int Count { get; private set; }

    internal Span<Hit> Hits => _hits.AsSpan(0, Count);

    /// <summary>
    /// An entry must have a higher score than this to be among the hits. Known once all places are taken and the score
    /// is the first key of the order.
    /// </summary>
    internal float ScoreThatIsNotEnough => _capacity == 0 ? float.PositiveInfinity
        : Count == _capacity && _order.Count > 0 && _order.IsByScore ? _hits[0].Score : 0;

    /// <summary>Whether no further entry can be among the hits.</summary>
    internal bool IsComplete => _capacity == 0 || (_order.Count == 0 && Count == _capacity);

    internal void Begin(int capacity)
    {
        Count = 0;
        _capacity = capacity;
        if (_hits.Length < capacity)
        {
            _hits = new Hit[capacity];
        }
    }

    /// <summary>Begins a segment: converts the key of the worst hit to the terms of that segment.</summary>
    internal void BeginSegment()
    {
        _plain = _order.Count == 0 ? null : _order.PlainColumn;
        UpdateBound();
    }

    internal void Add(int segment, int entry, float score)
    {
        if (_order.Count == 0)
        {
            if (Count < _capacity)
            {
                _hits[Count++] = new Hit { Segment = segment, Entry = entry, Score = score };
            }

            return;
        }

        long key = _order.KeyOf(0, entry, score);
        if (key <= _bound)
        {
            Offer(segment, entry, score, key);
        }
    }

    internal void Add(int segment, int start, ReadOnlySpan<ulong> bits, ReadOnlySpan<float> scores)
    {
        if (_order.Count == 0)
        {
            AddFirst(segment, start, bits, scores);
            return;
        }

        bool isByScore = _order.IsByScore;
        FieldReader? plain = _plain;
        ReadOnlySpan<byte> column = plain is null ? default : plain.Column;
        int width = plain?.ColumnWidth ?? 0;
        for (int word = 0; word < Window.Words; word++)
        {
            for (ulong left = bits[word]; left != 0; left &= left - 1)
            {
                int at = (word * 64) + BitOperations.TrailingZeroCount(left);
                float score = scores.IsEmpty ? 0 : scores[at];
                long key = isByScore ? -(long)BitConverter.SingleToInt32Bits(score)
                    : plain is null ? _order.KeyOf(0, start + at, score)
                    : _order.KeyOfOrdinal(FieldReader.OrdinalAt(column, width, start + at));
                if (key <= _bound)
                {
                    Offer(segment, start + at, score, key);
                }
            }
        }
    }

    private void AddFirst(int segment, int start, ReadOnlySpan<ulong> bits, ReadOnlySpan<float> scores)
    {
        for (int word = 0; word < Window.Words && Count < _capacity; word++)
        {
            for (ulong left = bits[word]; left != 0 && Count < _capacity; left &= left - 1)
            {
                int at = (word * 64) + BitOperations.TrailingZeroCount(left);
                float score = scores.IsEmpty ? 0 : scores[at];
                _hits[Count++] = new Hit { Segment = segment, Entry = start + at, Score = score };
            }
        }
    }

    /// <summary>Puts the hits into their order.</summary>
    internal void Finish(CancellationToken cancellation)
    {
        if (_order.Count == 0)
        {
            return;
        }

        int count = Count;
        for (int end = count - 1; end > 0; end--)
        {
            if (end % Window.Entries == 0)
            {
                cancellation.ThrowIfCancellationRequested();
            }

            (_hits[0], _hits[end]) = (_hits[end], _hits[0]);
            SiftDown(0, end);
        }
    }

    private void Offer(int segment, int entry, float score, long key)
    {
        if (_capacity == 0)
        {
            return;
        }

        var hit = new Hit { Segment = segment, Entry = entry, Score = score };
        hit.Keys[0] = key;
        for (int i = 1; i < _order.Count; i++)
        {
            hit.Keys[i] = _order.KeyOf(i, entry, score);
        }

        if (Count < _capacity)
        {
            _hits[Count] = hit;
            SiftUp(Count++);
            if (Count == _capacity)
            {
                UpdateBound();
            }
        }
        else if (_order.Compare(hit, _hits[0]) < 0)
        {
            _hits[0] = hit;
            SiftDown(0, Count);
            UpdateBound();
        }
    }

    private void UpdateBound() =>
        _bound = Count < _capacity || Count == 0 || _order.Count == 0 ? long.MaxValue : _order.BoundOf(_hits[0]);

    private void SiftUp(int at)
    {
        Hit hit = _hits[at];
        while (at > 0)
        {
            int parent = (at - 1) / 2;
            if (_order.Compare(hit, _hits[parent]) <= 0)
            {
                break;
            }

            _hits[at] = _hits[parent];
            at = parent;
        }

        _hits[at] = hit;
    }

    private void SiftDown(int at, int end)
    {
        Hit hit = _hits[at];
        while (true)
        {
            int child = (at * 2) + 1;
            if (child >= end)
            {
                break;
            }

            if (child + 1 < end && _order.Compare(_hits[child + 1], _hits[child]) > 0)
            {
                child++;
            }

            if (_order.Compare(_hits[child], hit) <= 0)
            {
                break;
            }

            _hits[at] = _hits[child];
            at = child;
        }

        _hits[at] = hit;
    }
}
