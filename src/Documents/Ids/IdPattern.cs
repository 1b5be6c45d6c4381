namespace Raven.Documents.Ids;

/// <summary>
/// The <c>matches</c> and <c>exclude</c> of a prefix search: patterns separated by '|', in which '*' stands for any run
/// of bytes and '?' for one character, without regard to case. They are matched with what follows the prefix.
/// </summary>
internal static class IdPattern
{
    /// <summary>True if one of the patterns matches the whole text.</summary>
    /// <param name="patterns">The patterns, folded (<see cref="DocumentId"/>'s folding), separated by '|'.</param>
    /// <param name="text">The rest of a key behind the prefix, folded.</param>
    public static bool IsMatch(ReadOnlySpan<byte> patterns, ReadOnlySpan<byte> text)
    {
        while (true)
        {
            int end = patterns.IndexOf((byte)'|');
            if (MatchesOne(end < 0 ? patterns : patterns[..end], text))
            {
                return true;
            }

            if (end < 0)
            {
                return false;
            }

            patterns = patterns[(end + 1)..];
        }
    }

    /// <summary>
    /// Greedy with one place to return to, the last '*': a mismatch extends that star by one character. Its cost is at
    /// most pattern times text, whatever the pattern.
    /// </summary>
    private static bool MatchesOne(ReadOnlySpan<byte> pattern, ReadOnlySpan<byte> text)
    {
        int p = 0;
        int t = 0;
        int star = -1;
        int starText = 0;
        while (t < text.Length)
        {
            if (p < pattern.Length && pattern[p] == (byte)'*')
            {
                star = p++;
                starText = t;
            }
            else if (p < pattern.Length && pattern[p] == (byte)'?')
            {
                p++;
                t += CharacterLength(text[t]);
            }
            else if (p < pattern.Length && pattern[p] == text[t])
            {
                p++;
                t++;
            }
            else if (star >= 0)
            {
                p = star + 1;
                starText += CharacterLength(text[starText]);
                t = starText;
            }
            else
            {
                return false;
            }
        }

        return pattern[p..].IndexOfAnyExcept((byte)'*') < 0;
    }

    private static int CharacterLength(byte lead) => lead switch { < 0xC0 => 1, < 0xE0 => 2, < 0xF0 => 3, _ => 4 };
}
