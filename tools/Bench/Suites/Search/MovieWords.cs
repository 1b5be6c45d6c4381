using System.Text;
using Raven.Search.Analysis;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>The words of the texts and how many of them have each.</summary>
internal sealed class MovieWords
{
    private const int TextsMax = 40_000;

    private readonly List<string[]> _texts = [];
    private readonly Dictionary<string, int> _frequencies = [];
    private readonly Dictionary<(int, int), string[]> _drawn = [];

    /// <param name="documents">The texts, of which the first are enough to know the words.</param>
    internal MovieWords(SearchDocuments documents)
    {
        TokenBuffer tokens = new();
        foreach (byte[] text in documents.Texts.Take(TextsMax))
        {
            tokens.Clear();
            Analyzers.Standard.Analyze(text, tokens, 0);
            _texts.Add([.. tokens.Tokens.ToArray().Select(token => Encoding.UTF8.GetString(tokens.Term(token)))]);
            foreach (string word in _texts[^1].Distinct())
            {
                _frequencies[word] = _frequencies.GetValueOrDefault(word) + 1;
            }
        }
    }

    /// <summary>The words, the most frequent first.</summary>
    internal string[] ByFrequency() =>
    [
        .. _frequencies.OrderByDescending(word => word.Value).ThenBy(word => word.Key, StringComparer.Ordinal)
            .Select(word => word.Key),
    ];

    internal string Draw(Random random, int least, int most)
    {
        if (!_drawn.TryGetValue((least, most), out string[]? words))
        {
            words = [.. _frequencies.Where(word => word.Value >= least && word.Value <= most
                && word.Key.Length > 3 && word.Key.All(char.IsAsciiLetter))
                .Select(word => word.Key).Order(StringComparer.Ordinal)];
            _drawn[(least, most)] = words;
        }

        return words[random.Next(words.Length)];
    }

    internal (string First, string Second) DrawPair(Random random)
    {
        while (true)
        {
            string[] text = _texts[random.Next(_texts.Count)];
            if (text.Length > 1 && random.Next(text.Length - 1) is var at)
            {
                return (text[at], text[at + 1]);
            }
        }
    }
}
