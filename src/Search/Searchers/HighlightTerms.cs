using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Searchers;

/// <summary>The words that a query searches in a field: whether a word of a text is one of them.</summary>
internal sealed class HighlightTerms
{
    private readonly TermTable _words = new();
    private readonly List<(QueryNodeKind Kind, byte[] Text, float Number, bool IsSimilar)> _patterns = [];
    private readonly TokenBuffer _tokens = new();
    private readonly SearchQuery _query;
    private readonly IndexField _field;

    internal HighlightTerms(SearchQuery query, int root, IndexField field)
    {
        _query = query;
        _field = field;
        Collect(root);
    }

    internal bool Contains(ReadOnlySpan<byte> word)
    {
        if (_words.Find(word) >= 0)
        {
            return true;
        }

        foreach ((QueryNodeKind kind, byte[] text, float number, bool isSimilar) in _patterns)
        {
            bool isLike = kind switch
            {
                QueryNodeKind.Prefix => word.StartsWith(text),
                QueryNodeKind.Suffix => word.EndsWith(text),
                QueryNodeKind.Fuzzy when isSimilar => TermPatterns.IsSimilar(word, text, number),
                QueryNodeKind.Fuzzy => TermPatterns.IsNear(word, text, (int)number),
                _ => TermPatterns.IsLike(word, text),
            };
            if (isLike)
            {
                return true;
            }
        }

        return false;
    }

    /// <summary>Words below a "not" are not collected.</summary>
    private void Collect(int number)
    {
        ref readonly QueryNode node = ref _query.Node(number);
        if (node.Kind is QueryNodeKind.And or QueryNodeKind.Or or QueryNodeKind.Intersect
            or QueryNodeKind.Boost)
        {
            for (int child = node.FirstChild; child >= 0; child = _query.Node(child).Next - 1)
            {
                Collect(child);
            }
        }
        else if (node.Field == _field.Name && node.ValueCount == 1)
        {
            CollectLeaf(node, _query.BytesOf(_query.ValueAt(node.FirstValue)));
        }
    }

    private void CollectLeaf(in QueryNode node, ReadOnlySpan<byte> text)
    {
        switch (node.Kind)
        {
            case QueryNodeKind.Phrase or QueryNodeKind.Equal:
                AddWords(text);
                break;
            case QueryNodeKind.Prefix or QueryNodeKind.Suffix or QueryNodeKind.Wildcard or QueryNodeKind.Fuzzy:
                AddPattern(node.Kind, text, node.Number, node.Flag);
                break;
            case QueryNodeKind.Search:
                var parts = new SearchText(text);
                while (parts.MoveNext())
                {
                    if (!parts.IsPhrase && TermPatterns.LiteralLength(parts.Part) < parts.Part.Length)
                    {
                        AddPattern(QueryNodeKind.Wildcard, parts.Part, 0, isSimilar: false);
                    }
                    else
                    {
                        AddWords(parts.Part);
                    }
                }

                break;
        }
    }

    private void AddWords(ReadOnlySpan<byte> text)
    {
        _tokens.Clear();
        _field.Analyzer.Analyze(text, _tokens, 0);
        foreach (ref readonly Token token in _tokens.Tokens)
        {
            _words.GetOrAdd(_tokens.Term(token));
        }
    }

    private void AddPattern(QueryNodeKind kind, ReadOnlySpan<byte> text, float number, bool isSimilar)
    {
        _tokens.Clear();
        Analyzers.LowerCaseKeyword.Analyze(text, _tokens, 0);
        _patterns.Add((kind, _tokens.Term(_tokens.Tokens[0]).ToArray(), number, isSimilar));
    }
}
