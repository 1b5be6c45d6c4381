using System.Text;

namespace Raven.Search.Automata;

/// <summary>
/// A word whose neighbours are looked for: which of its characters are equal to a given one, a bit each. Reused for the
/// next word.
/// </summary>
internal sealed class EditWord
{
    /// <summary>The longest word in characters: a place in front of each and one at the end have a bit.</summary>
    internal const int LengthMax = 63;

    private readonly ulong[] _ascii = new ulong[128];
    private readonly int[] _characters = new int[LengthMax];

    /// <summary>How many characters it has.</summary>
    internal int Length { get; private set; }

    /// <summary>The bits of all places.</summary>
    internal ulong All { get; private set; }

    /// <summary>The bit of the place at the end.</summary>
    internal ulong End { get; private set; }

    /// <summary>Takes a word.</summary>
    /// <returns>False if it is too long.</returns>
    internal bool TryOpen(ReadOnlySpan<byte> word)
    {
        Array.Clear(_ascii);
        Length = 0;
        while (!word.IsEmpty)
        {
            if (Length == LengthMax)
            {
                return false;
            }

            Rune.DecodeFromUtf8(word, out Rune rune, out int length);
            if (rune.IsAscii)
            {
                _ascii[rune.Value] |= 1UL << Length;
            }

            _characters[Length++] = rune.Value;
            word = word[length..];
        }

        End = 1UL << Length;
        All = End | (End - 1);
        return true;
    }

    /// <summary>The places that have a character behind them.</summary>
    internal ulong PlacesOf(int character)
    {
        if (character < _ascii.Length)
        {
            return _ascii[character];
        }

        ulong places = 0;
        for (int i = 0; i < Length; i++)
        {
            places |= _characters[i] == character ? 1UL << i : 0;
        }

        return places;
    }

    /// <summary>The least character behind some places that is greater than a given one; -1 if there is none.</summary>
    internal int NextCharacter(ulong places, int after)
    {
        int next = int.MaxValue;
        for (ulong rest = places & ~End; rest != 0; rest &= rest - 1)
        {
            int character = _characters[System.Numerics.BitOperations.TrailingZeroCount(rest)];
            next = character > after ? Math.Min(next, character) : next;
        }

        return next == int.MaxValue ? -1 : next;
    }
}
