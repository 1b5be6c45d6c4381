using System.Runtime.InteropServices;

namespace Raven.Search.Automata;

/// <summary>
/// The sets of UTF-16 code units of a regular expression, and the classes of units that all of them treat alike: an
/// automaton has a transition a class, not one a unit. Cleared, it keeps its memory.
/// </summary>
internal sealed class UnitSets
{
    /// <summary>The most ranges of all sets together: \w alone has some seven hundred.</summary>
    private const int RangesMax = 16_384;

    /// <summary>The most work and memory to divide the units: sets times bounds of ranges.</summary>
    private const int DivisionMax = 1 << 20;

    private const int KeptFlags = 1 << 16;
    private const int Ascii = 128;

    private static readonly Comparison<UnitRange> ByFirst = (left, right) => left.First.CompareTo(right.First);

    private readonly List<UnitRange> _ranges = [];
    private readonly List<(int Start, int End)> _sets = [];
    private readonly List<int> _bounds = [];
    private readonly List<int> _renumbered = [];
    private readonly int[] _classOfAscii = new int[Ascii];
    private int[] _classes = new int[64];
    private bool[] _has = new bool[64];
    private int _start;

    /// <summary>How many sets there are.</summary>
    internal int Count => _sets.Count;

    /// <summary>How many classes of units there are.</summary>
    internal int ClassCount { get; private set; }

    /// <summary>Whether there are more ranges than an automaton takes.</summary>
    internal bool IsFull => _ranges.Count > RangesMax;

    internal void Clear()
    {
        _ranges.Clear();
        _sets.Clear();
        _has = _has.Length > KeptFlags ? new bool[KeptFlags] : _has;
    }

    /// <summary>Begins a set.</summary>
    internal void Begin() => _start = _ranges.Count;

    /// <summary>Adds units to the set.</summary>
    internal void Add(int first, int last) => _ranges.Add(new UnitRange(first, last));

    /// <summary>Adds units, or all but these, to the set.</summary>
    internal void Add(ReadOnlySpan<UnitRange> ranges, bool isNegated)
    {
        int next = 0;
        foreach (UnitRange range in ranges)
        {
            if (!isNegated)
            {
                _ranges.Add(range);
            }
            else if (range.First > next)
            {
                Add(next, range.First - 1);
            }

            next = range.Last + 1;
        }

        if (isNegated && next <= char.MaxValue)
        {
            Add(next, char.MaxValue);
        }
    }

    /// <summary>Forgets the set that was begun.</summary>
    internal void Forget() => _ranges.RemoveRange(_start, _ranges.Count - _start);

    /// <summary>Ends the set, which is what was added, or all else.</summary>
    /// <returns>Its number.</returns>
    internal int End(bool isNegated)
    {
        int count = _ranges.Count - _start;
        CollectionsMarshal.AsSpan(_ranges).Slice(_start, count).Sort(ByFirst);
        int kept = _start;
        int next = 0;
        for (int i = _start; i < _start + count; i++)
        {
            UnitRange range = _ranges[i];
            if (kept > _start && range.First <= _ranges[kept - 1].Last + 1)
            {
                UnitRange before = _ranges[kept - 1];
                _ranges[kept - 1] = before with { Last = Math.Max(before.Last, range.Last) };
            }
            else
            {
                _ranges[kept++] = range;
            }
        }

        _ranges.RemoveRange(kept, _start + count - kept);
        if (isNegated)
        {
            kept = _start;
            int end = _ranges.Count;
            for (int i = _start; i < end; i++)
            {
                UnitRange range = _ranges[i];
                if (range.First > next)
                {
                    _ranges[kept++] = new UnitRange(next, range.First - 1);
                }

                next = range.Last + 1;
            }

            _ranges.RemoveRange(kept, end - kept);
            if (next <= char.MaxValue)
            {
                Add(next, char.MaxValue);
            }
        }

        _sets.Add((_start, _ranges.Count));
        return _sets.Count - 1;
    }

    /// <summary>
    /// Divides the units into classes: each set divides each class into what it has of it and the rest.
    /// </summary>
    /// <returns>False if that is too much.</returns>
    internal bool TryDivide()
    {
        _bounds.Clear();
        _bounds.Add(0);
        foreach (UnitRange range in _ranges)
        {
            _bounds.Add(range.First);
            _bounds.Add(range.Last + 1);
        }

        _bounds.Sort();
        int count = 1;
        for (int i = 1; i < _bounds.Count; i++)
        {
            if (_bounds[i] != _bounds[count - 1])
            {
                _bounds[count++] = _bounds[i];
            }
        }

        _bounds.RemoveRange(count, _bounds.Count - count);
        if ((long)count * _sets.Count > DivisionMax)
        {
            return false;
        }

        if (_classes.Length < count)
        {
            _classes = new int[count * 2];
        }

        Array.Clear(_classes, 0, count);
        ClassCount = 1;
        for (int set = 0; set < _sets.Count; set++)
        {
            DivideBy(set);
        }

        Mark();
        for (int unit = 0; unit < Ascii; unit++)
        {
            _classOfAscii[unit] = _classes[IntervalOf(unit)];
        }

        return true;
    }

    /// <summary>The class of a unit.</summary>
    internal int ClassOf(int unit) => unit < Ascii ? _classOfAscii[unit] : _classes[IntervalOf(unit)];

    /// <summary>Whether a set has the units of a class.</summary>
    internal bool Has(int set, int unitClass) => _has[(set * ClassCount) + unitClass];

    /// <summary>The ASCII characters of a set, a bit each, and whether it has others.</summary>
    internal (ulong Low, ulong High, bool HasOthers) AsciiOf(int set)
    {
        ulong low = 0;
        ulong high = 0;
        for (int unit = 0; unit < Ascii; unit++)
        {
            if (Has(set, _classOfAscii[unit]))
            {
                low |= unit < 64 ? 1UL << unit : 0;
                high |= unit >= 64 ? 1UL << (unit - 64) : 0;
            }
        }

        (int start, int end) = _sets[set];
        return (low, high, end > start && _ranges[end - 1].Last >= Ascii);
    }

    private void DivideBy(int set)
    {
        _renumbered.Clear();
        for (int i = 0; i < ClassCount * 2; i++)
        {
            _renumbered.Add(-1);
        }

        int count = 0;
        (int at, int end) = _sets[set];
        for (int i = 0; i < _bounds.Count; i++)
        {
            int key = (_classes[i] * 2) + (IsIn(ref at, end, _bounds[i]) ? 1 : 0);
            if (_renumbered[key] < 0)
            {
                _renumbered[key] = count++;
            }

            _classes[i] = _renumbered[key];
        }

        ClassCount = count;
    }

    private void Mark()
    {
        int size = _sets.Count * ClassCount;
        if (_has.Length < size)
        {
            _has = new bool[size * 2];
        }

        Array.Clear(_has, 0, size);
        for (int set = 0; set < _sets.Count; set++)
        {
            (int at, int end) = _sets[set];
            for (int i = 0; i < _bounds.Count; i++)
            {
                if (IsIn(ref at, end, _bounds[i]))
                {
                    _has[(set * ClassCount) + _classes[i]] = true;
                }
            }
        }
    }

    /// <summary>Whether a unit, which is not before the one that was asked for last, is in a run of ranges.</summary>
    private bool IsIn(ref int at, int end, int unit)
    {
        while (at < end && _ranges[at].Last < unit)
        {
            at++;
        }

        return at < end && _ranges[at].First <= unit;
    }

    private int IntervalOf(int unit)
    {
        int found = _bounds.BinarySearch(unit);
        return found >= 0 ? found : ~found - 1;
    }
}
