using System.Buffers;
using System.Text;
using System.Text.RegularExpressions;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>Whether a term matches a pattern.</summary>
internal static class TermPatterns
{
    private const int ShortTextBytes = 1024;
    private const int FuzzyLengthMax = 64;

    /// <summary>The place of the first * or ?; the length if there is none.</summary>
    internal static int LiteralLength(ReadOnlySpan<byte> pattern)
    {
        int at = pattern.IndexOfAny((byte)'*', (byte)'?');
        return at < 0 ? pattern.Length : at;
    }

    /// <summary>
    /// Matches * and ?; backtracks to the last * only, so that its time is at most the product of the lengths.
    /// </summary>
    internal static bool IsLike(
        ReadOnlySpan<byte> text, ReadOnlySpan<byte> pattern, CancellationToken cancellation = default)
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
                TermCancellation.Step(starAt, cancellation);
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
        if (text.Length > ShortTextBytes)
        {
            return IsMatchOfLong(text, regex);
        }

        Span<char> characters = stackalloc char[ShortTextBytes];
        return regex.IsMatch(characters[..Encoding.UTF8.GetChars(text, characters)]);
    }

    /// <summary>Whether at most so many characters have to be inserted, removed or replaced.</summary>
    internal static bool IsNear(ReadOnlySpan<byte> text, ReadOnlySpan<byte> word, int distance) =>
        IsNear(text, word, distance, similarity: float.NaN);

    /// <summary>
    /// Whether the changes between the two are less than a share of the shorter one's characters: one minus
    /// the similarity.
    /// </summary>
    internal static bool IsSimilar(ReadOnlySpan<byte> text, ReadOnlySpan<byte> word, float similarity) =>
        text.SequenceEqual(word) || IsNear(text, word, 0, similarity);

    /// <summary>
    /// The most changes that a similarity allows if the shorter text has so many characters; -1 if not even none.
    /// </summary>
    internal static int ChangesOf(float similarity, int shorterLength) =>
        (int)Math.Ceiling(((1 - similarity) * shorterLength) - 1e-4) - 1;

    private static bool IsNear(ReadOnlySpan<byte> text, ReadOnlySpan<byte> word, int distance, float similarity)
    {
        int length = Math.Max(text.Length, word.Length);
        if (length <= FuzzyLengthMax)
        {
            return IsNear(
                text, word, distance, similarity, stackalloc int[FuzzyLengthMax], stackalloc int[FuzzyLengthMax],
                stackalloc int[FuzzyLengthMax + 1]);
        }

        // A character has at most four bytes: texts whose lengths are too far apart are not compared.
        if (float.IsNaN(similarity) && Math.Min(text.Length, word.Length) < ((length + 3) / 4) - distance)
        {
            return false;
        }

        int[] rented = ArrayPool<int>.Shared.Rent((3 * length) + 1);
        try
        {
            return IsNear(
                text, word, distance, similarity, rented.AsSpan(0, length), rented.AsSpan(length, length),
                rented.AsSpan(2 * length, length + 1));
        }
        finally
        {
            ArrayPool<int>.Shared.Return(rented);
        }
    }

    private static bool IsNear(
        ReadOnlySpan<byte> text, ReadOnlySpan<byte> word, int distance, float similarity, Span<int> left,
        Span<int> right, Span<int> row)
    {
        int leftLength = Decode(text, left);
        int rightLength = Decode(word, right);
        if (!float.IsNaN(similarity))
        {
            distance = ChangesOf(similarity, Math.Min(leftLength, rightLength));
        }

        if (Math.Abs(leftLength - rightLength) > distance)
        {
            return false;
        }

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

    private static bool IsMatchOfLong(ReadOnlySpan<byte> text, Regex regex)
    {
        char[] characters = ArrayPool<char>.Shared.Rent(text.Length);
        try
        {
            return regex.IsMatch(characters.AsSpan(0, Encoding.UTF8.GetChars(text, characters)));
        }
        finally
        {
            ArrayPool<char>.Shared.Return(characters);
        }
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
            Rune.DecodeFromUtf8(text, out Rune rune, out int length);
            runes[count++] = rune.Value;
            text = text[length..];
        }

        return count;
    }
}
