using System.Numerics;

namespace Raven.Search.Automata;

/// <summary>
/// The states of the deterministic automaton of a regular expression: sets of its places, made when a text first needs
/// them, as an expression may have exponentially many. If there are too many, all are forgotten and made again as
/// needed: time is linear in the text however the expression is made, and memory is bounded.
/// </summary>
internal sealed class RegexStates(RegexProgram program)
{
    /// <summary>No text is matched that begins so.</summary>
    internal const int Dead = 1;

    /// <summary>Each text is matched that begins so.</summary>
    internal const int All = 2;

    /// <summary>The first number of a set of places; 0 is a transition that was not needed yet.</summary>
    private const int FirstSet = 3;

    private const int StatesMax = 4096;
    private const int StatesMin = 32;

    /// <summary>The most transitions.</summary>
    private const int TransitionsMax = 1 << 18;

    /// <summary>Arrays that an expression made larger are not kept for the next one.</summary>
    private const int KeptNumbers = 1 << 16;

    private readonly List<(ulong Low, ulong High, bool HasOthers)> _ascii = [];
    private int[] _transitions = new int[256];
    private ulong[] _places = new ulong[64];
    private ulong[] _next = new ulong[1];
    private int[] _slots = new int[64];
    private int _most;

    /// <summary>Before the first unit of a text.</summary>
    internal int Start { get; private set; }

    /// <summary>How often all states were forgotten.</summary>
    internal int Epoch { get; private set; }

    /// <summary>How many sets of places there are.</summary>
    internal int Count => _ascii.Count;

    /// <summary>Forgets the states of an expression before.</summary>
    internal void Clear()
    {
        _transitions = _transitions.Length > KeptNumbers ? new int[256] : _transitions;
        _places = _places.Length > KeptNumbers ? new ulong[64] : _places;
        Grow(ref _next, program.Words);

        _most = Math.Clamp(TransitionsMax / program.ClassCount, StatesMin, StatesMax);
        Forget();
    }

    /// <summary>Reads a unit.</summary>
    internal int Step(int state, int unit)
    {
        if (state <= All)
        {
            return state;
        }

        int unitClass = program.ClassOf(unit);
        int next = _transitions[((state - FirstSet) * program.ClassCount) + unitClass];
        return next != 0 ? next : Make(state, unitClass);
    }

    /// <summary>Whether a text is matched that ends here.</summary>
    internal bool Accepts(int state) =>
        state == All || (state >= FirstSet && (PlacesOf(state)[0] & RegexProgram.MatchedAtEndBit) != 0);

    /// <summary>See <see cref="ITermAutomaton{TState}.NextCharacter"/>.</summary>
    internal int NextCharacter(int state, int after)
    {
        if (state <= All)
        {
            return state == All ? CodePoints.After(after) : -1;
        }

        (ulong low, ulong high, bool hasOthers) = _ascii[state - FirstSet];
        int from = after + 1;
        if (from < 64 && (low >> from) != 0)
        {
            return from + BitOperations.TrailingZeroCount(low >> from);
        }

        int fromHigh = Math.Max(from - 64, 0);
        if (fromHigh < 64 && (high >> fromHigh) != 0)
        {
            return 64 + fromHigh + BitOperations.TrailingZeroCount(high >> fromHigh);
        }

        return !hasOthers ? -1 : from <= 128 ? 128 : CodePoints.After(after);
    }

    private ReadOnlySpan<ulong> PlacesOf(int state) =>
        _places.AsSpan((state - FirstSet) * program.Words, program.Words);

    private int Make(int state, int unitClass)
    {
        Span<ulong> next = _next.AsSpan(0, program.Words);
        program.Follow(PlacesOf(state), unitClass, next);
        int epoch = Epoch;
        int found = StateOf(next);
        if (Epoch == epoch)
        {
            _transitions[((state - FirstSet) * program.ClassCount) + unitClass] = found;
        }

        return found;
    }

    /// <summary>The number of a set of places, which is a new one if there was none like it.</summary>
    private int StateOf(ReadOnlySpan<ulong> places)
    {
        if ((places[0] & RegexProgram.MatchedBit) != 0)
        {
            return All;
        }

        if (places.IndexOfAnyExcept(0UL) < 0)
        {
            return Dead;
        }

        int mask = _slots.Length - 1;
        int slot = HashOf(places) & mask;
        for (; _slots[slot] != 0; slot = (slot + 1) & mask)
        {
            if (PlacesOf(_slots[slot]).SequenceEqual(places))
            {
                return _slots[slot];
            }
        }

        if (Count == _most)
        {
            Forget();
            return StateOf(places);
        }

        return Add(places, slot);
    }

    private int Add(ReadOnlySpan<ulong> places, int slot)
    {
        int words = program.Words;
        int classes = program.ClassCount;
        Grow(ref _places, (Count + 1) * words);
        Grow(ref _transitions, (Count + 1) * classes);
        places.CopyTo(_places.AsSpan(Count * words));
        Array.Clear(_transitions, Count * classes, classes);
        _ascii.Add(program.AsciiOf(places));
        int state = FirstSet + Count - 1;
        _slots[slot] = state;
        if (Count * 2 > _slots.Length)
        {
            Rehash();
        }

        return state;
    }

    private void Rehash()
    {
        _slots = new int[_slots.Length * 2];
        int mask = _slots.Length - 1;
        for (int state = FirstSet; state < FirstSet + Count; state++)
        {
            int slot = HashOf(PlacesOf(state)) & mask;
            while (_slots[slot] != 0)
            {
                slot = (slot + 1) & mask;
            }

            _slots[slot] = state;
        }
    }

    private void Forget()
    {
        Epoch++;
        _ascii.Clear();
        Array.Clear(_slots);
        Start = StateOf(program.First);
    }

    private static int HashOf(ReadOnlySpan<ulong> places)
    {
        ulong hash = 0;
        foreach (ulong word in places)
        {
            hash = BitOperations.RotateLeft((hash ^ word) * 0x9E3779B97F4A7C15, 29);
        }

        return (int)(hash ^ (hash >> 32));
    }

    private static void Grow<T>(ref T[] array, int length)
    {
        if (array.Length < length)
        {
            Array.Resize(ref array, Math.Max(length, array.Length * 2));
        }
    }
}
