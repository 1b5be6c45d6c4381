using System.Text;
using System.Text.RegularExpressions;

namespace Raven.Search.Queries;

/// <summary>Whether a term is like a pattern.</summary>
internal static class TermPatterns
{
    private const int FuzzyLengthMax = 64;

    /// <summary>Where the first * or ? stands; the length where there is none.</summary>
    internal static int LiteralLength(ReadOnlySpan<byte> pattern)
    {
        int at = pattern.IndexOfAny((byte)'*', (byte)'?');
        return at < 0 ? pattern.Length : at;
    }

    /// <summary>Matches * and ?; goes back to the last * only, so that its time is at most the product of the
    /// lengths.</summary>
    internal static bool IsLike(ReadOnlySpan<byte> text, ReadOnlySpan<byte> pattern)
    {
        int at = 0;
        int part = 0;
        int star = -1;
        int starAt = 0;
        while (at < text.Length)
        {
            if (part < pattern.Length && pattern[part] == '*')
            {
                star = part++;
                starAt = at;
            }
            else if (part < pattern.Length && (pattern[part] == '?' || pattern[part] == text[at]))
            {
                at += pattern[part++] == '?' ? CharacterLength(text, at) : 1;
            }
            else if (star >= 0)
            {
                part = star + 1;
                at = ++starAt;
            }
            else
            {
                return false;
            }
        }

        return pattern[part..].IndexOfAnyExcept((byte)'*') < 0;
    }

    internal static bool IsMatch(ReadOnlySpan<byte> text, Regex regex)
    {
        Span<char> characters = stackalloc char[1024];
        return Encoding.UTF8.TryGetChars(text, characters, out int length) && regex.IsMatch(characters[..length]);
    }

    /// <summary>Whether at most so many characters must be inserted, removed or replaced.</summary>
    internal static bool IsNear(ReadOnlySpan<byte> text, ReadOnlySpan<byte> word, int distance)
    {
        Span<int> left = stackalloc int[FuzzyLengthMax];
        Span<int> right = stackalloc int[FuzzyLengthMax];
        int leftLength = Decode(text, left);
        int rightLength = Decode(word, right);
        if (leftLength < 0 || rightLength < 0 || Math.Abs(leftLength - rightLength) > distance)
        {
            return false;
        }

        Span<int> row = stackalloc int[FuzzyLengthMax + 1];
        for (int i = 0; i <= rightLength; i++)
        {
            row[i] = i;
        }

        for (int i = 0; i < leftLength; i++)
        {
            int diagonal = row[0];
            row[0] = i + 1;
            int least = row[0];
            for (int j = 0; j < rightLength; j++)
            {
                int cost = diagonal + (left[i] == right[j] ? 0 : 1);
                diagonal = row[j + 1];
                row[j + 1] = Math.Min(cost, Math.Min(diagonal, row[j]) + 1);
                least = Math.Min(least, row[j + 1]);
            }

            if (least > distance)
            {
                return false;
            }
        }

        return row[rightLength] <= distance;
    }

    private static int CharacterLength(ReadOnlySpan<byte> text, int at)
    {
        int length = 1;
        while (at + length < text.Length && (text[at + length] & 0xC0) == 0x80)
        {
            length++;
        }

        return length;
    }

    private static int Decode(ReadOnlySpan<byte> text, Span<int> runes)
    {
        int count = 0;
        while (!text.IsEmpty)
        {
            if (count == runes.Length)
            {
                return -1;
            }

            Rune.DecodeFromUtf8(text, out Rune rune, out int length);
            runes[count++] = rune.Value;
            text = text[length..];
        }

        return count;
    }
}
