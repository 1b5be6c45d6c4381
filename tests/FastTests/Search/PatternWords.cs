using System.Globalization;
using System.Text;

namespace FastTests.Search;

/// <summary>Random words with much in common, of several alphabets, and changed copies of them.</summary>
internal sealed class PatternWords(int seed)
{
    private static readonly string[] Letters =
    [
        "a", "b", "ab", "c", "d", "e", "é", "ü", "\uFFFD", "\uE000", "語", "字", "😀", "𝒜", "-", "1", "\n", "z",
    ];

    private readonly Random _random = new(seed);

    /// <summary>Distinct words; some are very long, some differ behind a long beginning.</summary>
    internal string[] Make(int count)
    {
        HashSet<string> words = ["", "a", "ab", "\n", "a\n", new string('a', 200), new string('a', 199) + "b"];
        List<string> known = [.. words];
        while (words.Count < count)
        {
            string start = _random.Next(3) == 0 ? "" : known[_random.Next(known.Count)];
            start = start.Length > 30 && _random.Next(10) > 0 ? "" : start;
            string word = start + Some(_random.Next(1, 5));
            if (words.Add(word))
            {
                known.Add(word);
            }
        }

        return [.. words];
    }

    /// <summary>A word with some changes.</summary>
    internal string Change(string word)
    {
        for (int i = _random.Next(4); i > 0; i--)
        {
            List<Rune> runes = [.. word.EnumerateRunes()];
            int at = _random.Next(runes.Count + 1);
            switch (_random.Next(3))
            {
                case 0 when at < runes.Count:
                    runes.RemoveAt(at);
                    break;
                case 1 when at < runes.Count:
                    runes[at] = Some(1).EnumerateRunes().First();
                    break;
                default:
                    runes.Insert(at, Some(1).EnumerateRunes().First());
                    break;
            }

            word = string.Concat(runes);
        }

        return word;
    }

    /// <summary>A pattern with * and ? that words like a given one match.</summary>
    internal string Wildcard(string word)
    {
        StringBuilder pattern = new();
        foreach (Rune rune in word.EnumerateRunes())
        {
            pattern.Append(_random.Next(8) switch
            {
                0 => "*",
                1 => "?",
                2 => "*" + rune,
                _ => rune.ToString(),
            });
        }

        return _random.Next(3) == 0 ? pattern.Append('*').ToString() : pattern.ToString();
    }

    /// <summary>A regular expression of what an automaton is made of, and sometimes of what it is not.</summary>
    internal string Expression(int depth)
    {
        string made = Part(depth);
        return _random.Next(6) switch
        {
            0 => $"^{made}$",
            1 => $"^(?:{made})$",
            2 => "^" + made,
            3 => made + "$",
            4 => $@"\A{made}\z",
            _ => made,
        };
    }

    /// <summary>Characters that mean something in an expression, in any order.</summary>
    internal string Garbage() => string.Concat(Enumerable.Range(0, _random.Next(1, 9))
        .Select(_ => _random.Next(3) == 0 ? Some(1) : OddPart()));

    private string OddPart()
    {
        string[] parts =
        [
            "(", ")", "[", "]", "{", "}", "*", "+", "?", "|", "^", "$", ".", "\\", "-", ",", "1", "a", "(?:", "[^",
            "\\d", "\\w", "\\s", "\\W", "{2}", "{1,2}", "{0,}", "\\-", "\\]", "a-c", "\\x41", "\\u00e9", "\\b", "\\1",
            "(?<n>", "(?i)", "(?=", "\\Z", "\\z", "\\A", "<", "'", ":", "\\_", "\\e", "[a-", "&&", "-[", "#", " ",
        ];
        return parts[_random.Next(parts.Length)];
    }

    private string Part(int depth)
    {
        if (depth == 0)
        {
            return Atom();
        }

        switch (_random.Next(7))
        {
            case 0:
                return $"({Part(depth - 1)}|{Part(depth - 1)})";
            case 1:
                return $"(?:{Part(depth - 1)}){Repeated()}";
            case 2:
                return Atom() + Repeated();
            case 3:
                return $"(?<n>{Part(depth - 1)}|)";
            default:
                return Part(depth - 1) + Part(depth - 1);
        }
    }

    private string Repeated()
    {
        int least = _random.Next(3);
        string count = _random.Next(3) switch
        {
            0 => string.Create(CultureInfo.InvariantCulture, $"{{{least}}}"),
            1 => string.Create(CultureInfo.InvariantCulture, $"{{{least},}}"),
            _ => string.Create(CultureInfo.InvariantCulture, $"{{{least},{least + _random.Next(3)}}}"),
        };
        string[] all = ["*", "+", "?", count, "*?", "+?", "??"];
        return all[_random.Next(all.Length)];
    }

    private string Atom()
    {
        string[] all =
        [
            ".", "[a-c]", "[^a-c]", @"\d", @"\w", @"\W", @"\s", "[é-ü]", "[a-cé語]", @"[\w-]", "[-a]",
            @"[^\d]", @"\u8a9e", @"\x61", @"[\n]", @"\-", "^", "$", @"\Z", "\uD83D", "\uDE00", "[\uD800-\uDBFF]",
        ];
        return _random.Next(2) == 0 ? Some(1) : all[_random.Next(all.Length)];
    }

    private string Some(int count) =>
        string.Concat(Enumerable.Range(0, count).Select(_ => Letters[_random.Next(Letters.Length)]));
}
