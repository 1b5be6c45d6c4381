using System.Numerics;
using System.Text;

namespace Raven.Search.Automata;

/// <summary>
/// A pattern in which * stands for any characters and ? for one. A place in front of each other character or ?, and
/// one at the end, has a bit. Reused for the next pattern.
/// </summary>
internal sealed class WildcardPattern
{
    /// <summary>The most characters and ? of a pattern.</summary>
    internal const int LengthMax = 63;

    private readonly ulong[] _ascii = new ulong[128];
    private readonly int[] _characters = new int[LengthMax];

    /// <summary>The places with a ? behind them.</summary>
    internal ulong AnyOne { get; private set; }

    /// <summary>The places that a * keeps, whatever character comes.</summary>
    internal ulong Kept { get; private set; }

    /// <summary>The place at the end.</summary>
    internal ulong End { get; private set; }

    /// <summary>Takes a pattern.</summary>
    /// <returns>False if it is too long.</returns>
    internal bool TryOpen(ReadOnlySpan<byte> pattern)
    {
        Array.Clear(_ascii);
        AnyOne = 0;
        Kept = 0;
        int length = 0;
        while (!pattern.IsEmpty)
        {
            Rune.DecodeFromUtf8(pattern, out Rune rune, out int bytes);
            pattern = pattern[bytes..];
            if (rune.Value == '*')
            {
                Kept |= 1UL << length;
                continue;
            }

            if (length == LengthMax)
            {
                return false;
            }

            if (rune.Value == '?')
            {
                AnyOne |= 1UL << length;
            }
            else if (rune.IsAscii)
            {
                _ascii[rune.Value] |= 1UL << length;
            }

            _characters[length++] = rune.Value;
        }

        End = 1UL << length;
        return true;
    }

    /// <summary>The places that a character moves on from.</summary>
    internal ulong PlacesOf(int character)
    {
        if (character < _ascii.Length)
        {
            return _ascii[character] | AnyOne;
        }

        ulong places = AnyOne;
        for (ulong rest = (End - 1) & ~AnyOne; rest != 0; rest &= rest - 1)
        {
            int place = BitOperations.TrailingZeroCount(rest);
            places |= _characters[place] == character ? 1UL << place : 0;
        }

        return places;
    }

    /// <summary>The least character that moves on from some places and is greater than a given one, or -1.</summary>
    internal int NextCharacter(ulong places, int after)
    {
        if ((places & (AnyOne | Kept)) != 0)
        {
            return CodePoints.After(after);
        }

        int next = int.MaxValue;
        for (ulong rest = places & ~End; rest != 0; rest &= rest - 1)
        {
            int character = _characters[BitOperations.TrailingZeroCount(rest)];
            next = character > after ? Math.Min(next, character) : next;
        }

        return next == int.MaxValue ? -1 : next;
    }
}
