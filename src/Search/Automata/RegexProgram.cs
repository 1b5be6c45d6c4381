using System.Numerics;

namespace Raven.Search.Automata;

/// <summary>
/// A regular expression as an automaton over UTF-16 code units, which is what .NET's expressions read: the places of
/// the expression, each a set of units that it reads, and which places can follow (Glushkov). It says whether a text
/// is matched somewhere, as <c>Regex.IsMatch</c> does. Reused for the next expression. One thread at a time.
/// </summary>
internal sealed class RegexProgram
{
    /// <summary>A set of places has this bit if the expression is matched, whatever comes.</summary>
    internal const ulong MatchedBit = 1;

    /// <summary>A set of places has this bit if the expression is matched should the text end.</summary>
    internal const ulong MatchedAtEndBit = 2;

    private const int FirstPlace = 2;

    /// <summary>A table that an expression made larger is not kept for the next one.</summary>
    private const int KeptWords = 1 << 14;

    private readonly RegexGraph _graph = new();
    private readonly UnitSets _sets = new();
    private readonly RegexParser _parser;
    private readonly RegexStates _states;
    private int[] _placeOf = [];
    private readonly List<int> _nodes = [];
    private readonly List<(ulong Low, ulong High, bool HasOthers)> _ascii = [];
    private ulong[] _follow = [];
    private int _starts;

    public RegexProgram()
    {
        _parser = new RegexParser(_graph, _sets);
        _states = new RegexStates(this);
    }

    /// <summary>The states that were needed so far.</summary>
    internal RegexStates States => _states;

    /// <summary>How many words of 64 bits a set of places takes.</summary>
    internal int Words { get; private set; }

    /// <summary>How many classes of units there are.</summary>
    internal int ClassCount => _sets.ClassCount;

    /// <summary>The places at the beginning of a text.</summary>
    internal ReadOnlySpan<ulong> First => Row(_starts);

    /// <summary>The places that a match may begin with later in the text.</summary>
    internal ReadOnlySpan<ulong> Later => Row(_starts + 1);

    /// <summary>Makes the automaton of an expression.</summary>
    /// <returns>False if it is left to .NET's engine, which also says whether it is an expression at all.</returns>
    internal bool TryCompile(string pattern)
    {
        int start = _parser.Parse(pattern);
        if (start < 0 || !_sets.TryDivide())
        {
            return false;
        }

        _nodes.Clear();
        _ascii.Clear();
        _placeOf = _placeOf.Length < _graph.Count ? new int[_graph.Count] : _placeOf;
        for (int node = 0; node < _graph.Count; node++)
        {
            if (_graph.Reads(node))
            {
                _placeOf[node] = FirstPlace + _nodes.Count;
                _nodes.Add(node);
                _ascii.Add(_sets.AsciiOf(_graph.SetOf(node)));
            }
            else if (_graph.IsAtEnd(node) && _graph.HasMoreBehind(node))
            {
                // $ reads a line feed that is the last character, at which .NET only looks, so what stands behind it
                // would be at another place.
                return false;
            }
        }

        Words = (FirstPlace + _nodes.Count + 63) / 64;
        _starts = _nodes.Count;
        int size = (_starts + 2) * Words;
        if (_follow.Length < size || _follow.Length > KeptWords)
        {
            _follow = new ulong[size];
        }

        Array.Clear(_follow, 0, size);
        for (int i = 0; i < _nodes.Count; i++)
        {
            AddReached(i, _graph.BehindOf(_nodes[i]), isAtStart: false);
        }

        AddReached(_starts, start, isAtStart: true);
        AddReached(_starts + 1, start, isAtStart: false);
        _states.Clear();
        return true;
    }

    /// <summary>The class of a unit.</summary>
    internal int ClassOf(int unit) => _sets.ClassOf(unit);

    /// <summary>The places that follow some places when a unit of a class is read.</summary>
    internal void Follow(ReadOnlySpan<ulong> places, int unitClass, Span<ulong> next)
    {
        Later.CopyTo(next);
        for (int word = 0; word < places.Length; word++)
        {
            ulong rest = word == 0 ? places[0] & ~(MatchedBit | MatchedAtEndBit) : places[word];
            for (; rest != 0; rest &= rest - 1)
            {
                int place = (word * 64) + BitOperations.TrailingZeroCount(rest) - FirstPlace;
                if (!_sets.Has(_graph.SetOf(_nodes[place]), unitClass))
                {
                    continue;
                }

                ReadOnlySpan<ulong> row = Row(place);
                for (int i = 0; i < next.Length; i++)
                {
                    next[i] |= row[i];
                }
            }
        }
    }

    /// <summary>The ASCII characters that some places read, a bit each, and whether they read others.</summary>
    internal (ulong Low, ulong High, bool HasOthers) AsciiOf(ReadOnlySpan<ulong> places)
    {
        (ulong low, ulong high, bool hasOthers) = (0ul, 0ul, false);
        for (int word = 0; word < places.Length; word++)
        {
            ulong rest = word == 0 ? places[0] & ~(MatchedBit | MatchedAtEndBit) : places[word];
            for (; rest != 0; rest &= rest - 1)
            {
                int place = (word * 64) + BitOperations.TrailingZeroCount(rest) - FirstPlace;
                (ulong Low, ulong High, bool HasOthers) one = _ascii[place];
                low |= one.Low;
                high |= one.High;
                hasOthers |= one.HasOthers;
            }
        }

        return (low, high, hasOthers);
    }

    private void AddReached(int row, int from, bool isAtStart)
    {
        Span<ulong> places = _follow.AsSpan(row * Words, Words);
        int count = _graph.Reach(from, isAtStart, isAtEnd: false);
        for (int i = 0; i < count; i++)
        {
            int node = _graph.Reached(i);
            if (!_graph.Reads(node))
            {
                places[0] |= MatchedBit;
                continue;
            }

            places[_placeOf[node] >> 6] |= 1UL << (_placeOf[node] & 63);
        }

        count = _graph.Reach(from, isAtStart, isAtEnd: true);
        for (int i = 0; i < count; i++)
        {
            places[0] |= _graph.Reads(_graph.Reached(i)) ? 0 : MatchedAtEndBit;
        }
    }

    private ReadOnlySpan<ulong> Row(int row) => _follow.AsSpan(row * Words, Words);
}
