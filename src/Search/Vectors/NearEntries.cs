namespace Raven.Search.Vectors;

/// <summary>
/// The result of one condition on vectors: the nearest entries, as many as requested, in a heap whose root is the
/// farthest; or all that are near enough. At the end they are in the order of the index.
/// </summary>
internal sealed class NearEntries
{
    private static readonly Comparison<NearEntry> InOrder = (left, right) => left.Segment != right.Segment
        ? left.Segment.CompareTo(right.Segment)
        : left.Entry.CompareTo(right.Entry);

    private NearEntry[] _entries = new NearEntry[16];
    private int _count;

    /// <summary>The condition.</summary>
    internal int Node { get; private set; }

    /// <summary>The most entries that are kept.</summary>
    internal int Most { get; private set; }

    /// <summary>The found entries; ordered when it is finished.</summary>
    internal ReadOnlySpan<NearEntry> Entries => _entries.AsSpan(0, _count);

    /// <summary>An entry that is no more similar than this is not among them.</summary>
    internal float Bar { get; private set; }

    /// <summary>Begins.</summary>
    /// <param name="node">The condition.</param>
    /// <param name="most">The most entries to keep.</param>
    internal void Open(int node, int most)
    {
        Node = node;
        _count = 0;
        Most = most;
        Bar = most > 0 ? float.NegativeInfinity : float.PositiveInfinity;
    }

    /// <summary>Takes an entry that is over the bar; entries arrive in the order of the index.</summary>
    internal void Add(int segment, int entry, float similarity)
    {
        var near = new NearEntry { Segment = segment, Entry = entry, Similarity = similarity };
        if (_count < Most)
        {
            if (_count == _entries.Length)
            {
                Array.Resize(ref _entries, _count * 2);
            }

            _entries[_count++] = near;
            if (Most < int.MaxValue)
            {
                SiftUp(_count - 1);
            }
        }
        else
        {
            _entries[0] = near;
            SiftDown();
        }

        Bar = _count == Most ? _entries[0].Similarity : Bar;
    }

    /// <summary>Puts the found entries into the order of the index.</summary>
    internal void Finish()
    {
        if (Most < int.MaxValue)
        {
            _entries.AsSpan(0, _count).Sort(InOrder);
        }
    }

    /// <summary>The first of the found entries that is not before one of the index.</summary>
    internal int FirstOf(int segment, int entry)
    {
        int low = 0;
        int high = _count;
        while (low < high)
        {
            int middle = (low + high) >>> 1;
            ref readonly NearEntry near = ref _entries[middle];
            bool isBefore = near.Segment < segment || (near.Segment == segment && near.Entry < entry);
            (low, high) = isBefore ? (middle + 1, high) : (low, middle);
        }

        return low;
    }

    private void SiftUp(int at)
    {
        NearEntry near = _entries[at];
        while (at > 0 && near.IsBehind(_entries[(at - 1) / 2]))
        {
            _entries[at] = _entries[(at - 1) / 2];
            at = (at - 1) / 2;
        }

        _entries[at] = near;
    }

    private void SiftDown()
    {
        NearEntry near = _entries[0];
        int at = 0;
        for (int child = 1; child < _count; child = (at * 2) + 1)
        {
            if (child + 1 < _count && _entries[child + 1].IsBehind(_entries[child]))
            {
                child++;
            }

            if (!_entries[child].IsBehind(near))
            {
                break;
            }

            _entries[at] = _entries[child];
            at = child;
        }

        _entries[at] = near;
    }
}
