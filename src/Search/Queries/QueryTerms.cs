using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>Makes terms of the values of a query. Reused for the next query.</summary>
internal sealed class QueryTerms
{
    private readonly TokenBuffer _tokens = new();
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private SearchQuery _query = null!;

    internal void Begin(SearchQuery query)
    {
        TermCode.Trim(ref _term);
        _query = query;
    }

    /// <summary>
    /// The term of a value; a text is passed through the field's analyzer. Empty if the analyzer drops it. What this
    /// class returns is valid until the next call.
    /// </summary>
    internal ReadOnlySpan<byte> Write(IndexField field, in QueryValue value)
    {
        if (value.Kind == QueryValue.ValueKind.Term)
        {
            return _query.BytesOf(value);
        }

        return Of(field, Normalized(field, value));
    }

    /// <summary>The term of a bound; of a duration, that of its ticks.</summary>
    internal ReadOnlySpan<byte> Bound(IndexField field, in QueryValue bound, bool isDuration)
    {
        if (isDuration)
        {
            return DurationBounds.Write(_query, bound, _term);
        }

        ReadOnlySpan<byte> term = Write(field, bound);
        PatternMatching.RequireWhole(field, term);
        return term;
    }

    /// <summary>The term of a text, without an analyzer.</summary>
    internal ReadOnlySpan<byte> Of(IndexField field, ReadOnlySpan<byte> text) =>
        TermCode.WriteText(ref _term, text, field.KeepsWholeTexts);

    /// <summary>A text in the form of the field's terms.</summary>
    internal ReadOnlySpan<byte> Normalized(IndexField field, in QueryValue value)
    {
        ReadOnlySpan<byte> text = _query.BytesOf(value);
        if (field.Kind == FieldKind.FullText)
        {
            return Lower(text);
        }

        TokenBuffer tokens = Analyze(field, text);
        return tokens.Count == 1 ? tokens.Term(tokens.Tokens[0]) : text;
    }

    /// <summary>The words of a text, as the analyzer of a field makes them.</summary>
    internal TokenBuffer Analyze(IndexField field, ReadOnlySpan<byte> text)
    {
        _tokens.Clear();
        field.Analyzer.Analyze(text, _tokens, 0);
        return _tokens;
    }

    /// <summary>A text in lower case.</summary>
    internal ReadOnlySpan<byte> Lower(ReadOnlySpan<byte> text)
    {
        _tokens.Clear();
        Analyzers.LowerCaseKeyword.Analyze(text, _tokens, 0);
        return _tokens.Term(_tokens.Tokens[0]);
    }
}
