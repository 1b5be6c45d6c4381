using System.Text;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Searchers;

/// <summary>Finds texts that are similar to a given one, by its most significant words.</summary>
public sealed class MoreLikeThis
{
    private readonly TokenBuffer _tokens = new();
    private readonly TermTable _words = new();

    /// <summary>Words that the text has less often are left out.</summary>
    public int FrequencyMin { get; init; } = 2;

    /// <summary>Words that fewer entries have are left out.</summary>
    public int EntriesMin { get; init; } = 5;

    /// <summary>Words that more entries have are left out.</summary>
    public long EntriesMax { get; init; } = long.MaxValue;

    /// <summary>Words that a larger part of the entries has, of 100, are left out.</summary>
    public int EntriesPercentMax { get; init; } = 100;

    /// <summary>Shorter words are left out, in bytes.</summary>
    public int WordSizeBytesMin { get; init; }

    /// <summary>Longer words are left out, in bytes.</summary>
    public int WordSizeBytesMax { get; init; } = int.MaxValue;

    /// <summary>How many words of the text are read.</summary>
    public int TokensMax { get; init; } = 5000;

    /// <summary>Words that are left out, in the form of the analyzer.</summary>
    public IReadOnlySet<string> StopWords { get; init; } = new HashSet<string>();

    /// <summary>Whether words are weighted by significance, or all the same.</summary>
    public bool IsWeighted { get; init; } = true;

    /// <summary>The factor of the weights.</summary>
    public float Factor { get; init; } = 1;

    /// <summary>The most words in the query.</summary>
    public int WordsMax { get; init; } = 25;

    /// <summary>Adds to a query that any of the most significant words of a text is required.</summary>
    /// <param name="reader">Gives the frequency of a word.</param>
    /// <param name="query">The query.</param>
    /// <param name="field">A field for full text.</param>
    /// <param name="text">The text, in UTF-8.</param>
    /// <returns>The node; one that finds nothing if no word is left.</returns>
    public int AddTo(IndexReader reader, SearchQuery query, IndexField field, ReadOnlySpan<byte> text)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(field);
        Dictionary<int, int> frequencies = CountWords(field, text);
        List<(int Word, double Weight)> chosen = [];
        foreach ((int word, int frequency) in frequencies)
        {
            long entries = reader.CountEntries(field, _words[word]);
            if (frequency >= FrequencyMin && entries >= EntriesMin && entries <= EntriesMax
                && entries * 100 <= (long)EntriesPercentMax * reader.EntryCount)
            {
                chosen.Add((word, frequency * Math.Log(1 + ((double)reader.EntryCountWithDeleted / entries))));
            }
        }

        chosen.Sort((left, right) => right.Weight != left.Weight
            ? right.Weight.CompareTo(left.Weight)
            : left.Word.CompareTo(right.Word));
        int node = -1;
        foreach ((int word, double weight) in chosen.Take(WordsMax))
        {
            int term = query.Equal(field.Name, query.TermValue(_words[word]));
            term = query.Boost(term, Factor * (IsWeighted ? (float)(weight / chosen[0].Weight) : 1));
            node = node < 0 ? term : query.Or(node, term);
        }

        return node < 0 ? query.None() : node;
    }

    private Dictionary<int, int> CountWords(IndexField field, ReadOnlySpan<byte> text)
    {
        _tokens.Clear();
        _words.Clear();
        field.Analyzer.Analyze(text, _tokens, 0);
        Dictionary<int, int> frequencies = [];
        byte[] room = new byte[TermCode.SizeBytesMax];
        foreach (ref readonly Token token in _tokens.Tokens[..Math.Min(TokensMax, _tokens.Count)])
        {
            if (IsLeftOut(_tokens.Term(token)))
            {
                continue;
            }

            int word = _words.GetOrAdd(TermCode.WriteText(ref room, _tokens.Term(token), field.KeepsWholeTexts));
            frequencies[word] = frequencies.GetValueOrDefault(word) + 1;
        }

        return frequencies;
    }

    private bool IsLeftOut(ReadOnlySpan<byte> word) =>
        word.Length < WordSizeBytesMin || word.Length > WordSizeBytesMax
        || (StopWords.Count > 0 && StopWords.Contains(Encoding.UTF8.GetString(word)));
}
