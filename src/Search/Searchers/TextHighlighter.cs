using System.Text;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;

namespace Raven.Search.Searchers;

/// <summary>
/// Cuts out of a text the pieces in which a query found its words, with marks around the words. The caller provides the
/// text, mostly from the document.
/// </summary>
public sealed class TextHighlighter
{
    private readonly TokenBuffer _tokens = new();
    private readonly List<Token> _found = [];

    /// <summary>The mark before a word that was found.</summary>
    public string Before { get; init; } = "<b>";

    /// <summary>The mark behind it.</summary>
    public string After { get; init; } = "</b>";

    /// <summary>The pieces of a text with the most words that were found, in the order of the text.</summary>
    /// <param name="query">The query.</param>
    /// <param name="root">Its last node.</param>
    /// <param name="field">The field that was searched.</param>
    /// <param name="text">The field's text, in UTF-8.</param>
    /// <param name="length">About how many bytes a piece has; words are not cut.</param>
    /// <param name="count">The most pieces to return.</param>
    public IReadOnlyList<string> Highlight(
        SearchQuery query, int root, IndexField field, ReadOnlySpan<byte> text, int length, int count)
    {
        ArgumentNullException.ThrowIfNull(query);
        ArgumentNullException.ThrowIfNull(field);
        HighlightTerms terms = new(query, root, field);
        _tokens.Clear();
        _found.Clear();
        field.Analyzer.Analyze(text, _tokens, 0);
        foreach (ref readonly Token token in _tokens.Tokens)
        {
            if (terms.Contains(_tokens.Term(token)))
            {
                _found.Add(token);
            }
        }

        List<(int First, int Last)> pieces = [];
        for (int first = 0; first < _found.Count;)
        {
            int last = first;
            while (last + 1 < _found.Count && EndOf(_found[last + 1]) - _found[first].Start <= length)
            {
                last++;
            }

            pieces.Add((first, last));
            first = last + 1;
        }

        List<string> marked = new(Math.Min(count, pieces.Count));
        foreach ((int first, int last) in pieces.OrderByDescending(piece => piece.Last - piece.First)
            .Take(count).OrderBy(piece => piece.First))
        {
            marked.Add(Mark(text, first, last, length));
        }

        return marked;
    }

    private static int EndOf(in Token token) => token.Start + token.Length;

    /// <summary>The words from the first to the last, as many others around them as fit, and the marks.</summary>
    private string Mark(ReadOnlySpan<byte> text, int first, int last, int length)
    {
        int start = _found[first].Start;
        int end = EndOf(_found[last]);
        int room = Math.Max(0, length - (end - start)) / 2;
        int from = start - room <= 0 ? 0 : WordStart(text, start - room, start);
        int to = end + room >= text.Length ? text.Length : WordEnd(text, end + room, end);
        StringBuilder piece = new();
        int at = from;
        for (int i = first; i <= last; i++)
        {
            piece.Append(Encoding.UTF8.GetString(text[at.._found[i].Start])).Append(Before);
            at = EndOf(_found[i]);
            piece.Append(Encoding.UTF8.GetString(text[_found[i].Start..at])).Append(After);
        }

        return piece.Append(Encoding.UTF8.GetString(text[at..to])).ToString();
    }

    /// <summary>Behind the first blank from <paramref name="from"/> on, and not behind <paramref name="to"/>.</summary>
    private static int WordStart(ReadOnlySpan<byte> text, int from, int to)
    {
        int blank = text[from..to].IndexOfAny(" \t\r\n"u8);
        return blank < 0 ? to : from + blank + 1;
    }

    /// <summary>At the last blank before <paramref name="to"/>, and not before <paramref name="from"/>.</summary>
    private static int WordEnd(ReadOnlySpan<byte> text, int to, int from)
    {
        int blank = text[from..to].LastIndexOfAny(" \t\r\n"u8);
        return blank < 0 ? from : from + blank;
    }
}
