using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Queries;
using Raven.Search.Segments;
using Raven.Search.Spatial;
using OfLucene = Lucene.Net.Index.IndexReader;
using Token = Raven.Search.Analysis.Token;

namespace Raven.Search.Lucene.Engine.Queries;

/// <summary>
/// Turns a query of ours into one of Lucene. Conditions on values add their boost to the score, those on words BM25;
/// a negation adds nothing.
/// </summary>
internal sealed class LuceneCompiler
{
    private readonly QueryTerms _texts = new();
    private readonly SearchQuery _query;
    private readonly OfLucene _reader;
    private readonly Func<string, IndexField?> _fields;
    private readonly Func<IndexField, bool> _hasDurations;
    private readonly CancellationToken _cancellation;
    private float _boost = 1;

    static LuceneCompiler() => BooleanQuery.MaxClauseCount = int.MaxValue;

    /// <summary>Begins a query.</summary>
    /// <param name="query">The query.</param>
    /// <param name="reader">The reader of Lucene that will search.</param>
    /// <param name="fields">Finds fields by their names.</param>
    /// <param name="hasDurations">Whether a field has lengths of time.</param>
    /// <param name="cancellation">Cancels it.</param>
    internal LuceneCompiler(
        SearchQuery query, OfLucene reader, Func<string, IndexField?> fields, Func<IndexField, bool> hasDurations,
        CancellationToken cancellation)
    {
        _query = query;
        _reader = reader;
        _fields = fields;
        _hasDurations = hasDurations;
        _cancellation = cancellation;
        _texts.Begin(query);
    }

    /// <summary>What its conditions have read so far.</summary>
    internal SearchCounts Counts { get; } = new();

    /// <exception cref="SearchIndexException">It has a condition that this engine does not have.</exception>
    internal Query Compile(int number)
    {
        ref readonly QueryNode node = ref _query.Node(number);
        switch (node.Kind)
        {
            case QueryNodeKind.All:
                return new MatchAllDocsQuery { Boost = _boost };
            case QueryNodeKind.And or QueryNodeKind.Or:
                return CompileGroup(node, node.Kind == QueryNodeKind.And ? Occur.MUST : Occur.SHOULD);
            case QueryNodeKind.Intersect:
                return CompileIntersection(node);
            case QueryNodeKind.Not:
                return new BooleanQuery(true)
                {
                    { new MatchAllDocsQuery { Boost = 0 }, Occur.MUST },
                    { Compile(node.FirstChild), Occur.MUST_NOT },
                };
            case QueryNodeKind.Boost:
                float before = _boost;
                _boost *= node.Number;
                Query inner = Compile(node.FirstChild);
                _boost = before;
                return inner;
            case QueryNodeKind.Fuse:
                throw new SearchIndexException(
                    "Fused conditions are ranked by indexes of the engine Corax; this one is of the engine Lucene.");
            case QueryNodeKind.Vector:
                throw LuceneNames.NoVectors(node.Field);
        }

        IndexField? field = node.Kind == QueryNodeKind.None ? null : _fields(node.Field);
        return field is null ? Nothing() : CompileLeaf(node, field);
    }

    private Query CompileLeaf(in QueryNode node, IndexField field) => node.Kind switch
    {
        QueryNodeKind.Search => CompileSearch(node, field),
        QueryNodeKind.Phrase =>
            CompilePhrase(_query.BytesOf(_query.ValueAt(node.FirstValue)), (int)node.Number, field),
        QueryNodeKind.Equal => CompileTerm(field, _texts.Write(field, _query.ValueAt(node.FirstValue))),
        QueryNodeKind.In => CompileIn(node, field),
        QueryNodeKind.Range => CompileRange(node, field),
        QueryNodeKind.Exists => Constant(new ExistsFilter(
            field.Kind == FieldKind.FullText ? LuceneNames.LengthsOf(field) : LuceneNames.Of(field), Counts,
            _cancellation)),
        QueryNodeKind.Spatial => Constant(new SpatialTermsFilter(
            LuceneNames.Of(field), (SpatialFilter)node.Pattern!, Counts, _cancellation)),
        QueryNodeKind.Regex => CompilePattern(node, field, []),
        _ => CompilePattern(node, field, _texts.Normalized(field, _query.ValueAt(node.FirstValue)).ToArray()),
    };

    private BooleanQuery CompileGroup(in QueryNode node, Occur occur)
    {
        BooleanQuery group = new(true);
        for (int child = node.FirstChild; child >= 0; child = _query.Node(child).Next - 1)
        {
            group.Add(Compile(child), occur);
        }

        return group;
    }

    private BooleanQuery CompileIntersection(in QueryNode node)
    {
        List<Query> conditions = [];
        BooleanQuery found = new(true);
        for (int child = node.FirstChild; child >= 0; child = _query.Node(child).Next - 1)
        {
            Query condition = Compile(child);
            conditions.Add(condition);
            found.Add(condition, Occur.SHOULD);
        }

        found.Add(
            new ConstantScoreQuery(new IntersectionFilter(conditions, _cancellation)) { Boost = 0 }, Occur.MUST);
        return found;
    }

    private Query CompileTerm(IndexField field, ReadOnlySpan<byte> term)
    {
        if (term.IsEmpty)
        {
            return Nothing();
        }

        if (term.Length == TermCode.NumberSize && term[0] == TermCode.Number && _hasDurations(field))
        {
            return Constant(new GivenTermsFilter(
                LuceneNames.Of(field), [term.ToBytesRef(), DurationOf(term)], Counts, _cancellation));
        }

        Term wanted = new(LuceneNames.Of(field), term.ToBytesRef());
        TermContext found = TermContext.Build(_reader.Context, wanted);
        Counts.Terms += found.DocFreq > 0 ? 1 : 0;
        Counts.Entries += found.DocFreq;
        TermQuery query = new(wanted, found) { Boost = _boost };
        return field.Kind == FieldKind.FullText ? query : new ConstantScoreQuery(query) { Boost = _boost };
    }

    private ConstantScoreQuery CompileIn(in QueryNode node, IndexField field)
    {
        SortedSet<BytesRef> terms = [];
        bool hasDurations = _hasDurations(field);
        for (int i = 0; i < node.ValueCount; i++)
        {
            TermCancellation.Step(i, _cancellation);
            ReadOnlySpan<byte> term = _texts.Write(field, _query.ValueAt(node.FirstValue + i));
            if (!term.IsEmpty)
            {
                terms.Add(term.ToBytesRef());
            }

            if (hasDurations && term.Length == TermCode.NumberSize && term[0] == TermCode.Number)
            {
                terms.Add(DurationOf(term));
            }
        }

        return Constant(new GivenTermsFilter(LuceneNames.Of(field), [.. terms], Counts, _cancellation));
    }

    private Query CompileRange(in QueryNode node, IndexField field)
    {
        ref readonly QueryValue lower = ref _query.ValueAt(node.FirstValue);
        ref readonly QueryValue upper = ref _query.ValueAt(node.FirstValue + 1);
        bool areDurations = field.Kind == FieldKind.Exact && DurationBounds.IsOne(_query, lower)
            && DurationBounds.IsOne(_query, upper) && _hasDurations(field);
        byte[]? from = lower.Kind == QueryValue.ValueKind.Open
            ? null
            : _texts.Bound(field, lower, areDurations).ToArray();
        byte[]? to = upper.Kind == QueryValue.ValueKind.Open
            ? null
            : _texts.Bound(field, upper, areDurations).ToArray();
        if (from is [] || to is [])
        {
            return Nothing();
        }

        byte kind = (from ?? to)![0];
        return Constant(new RangeFilter(
            LuceneNames.Of(field), from ?? [kind], node.Flag || from is null, to ?? [(byte)(kind + 1)],
            node.IncludesUpper && to is not null, Counts, _cancellation));
    }

    private ConstantScoreQuery CompilePattern(in QueryNode node, IndexField field, byte[] text)
    {
        if (node.Kind == QueryNodeKind.Fuzzy && TermChecks.FuzzyOf(node, field, text) is { } fuzzy)
        {
            return new ConstantScoreQuery(fuzzy) { Boost = _boost };
        }

        int literal = node.Kind switch
        {
            QueryNodeKind.Prefix => text.Length,
            QueryNodeKind.Wildcard => TermPatterns.LiteralLength(text),
            _ => 0,
        };

        // The empty text is a value of a field of words, and no word.
        byte[]? from = field.Kind == FieldKind.FullText && literal == 0 ? [TermCode.Text, 0] : null;
        byte[] prefix = [TermCode.Text, .. text.AsSpan(0, literal)];
        string name = LuceneNames.Of(field);
        return Constant(TermChecks.WalkOf(node, name, from ?? prefix, text, Counts, _cancellation)
            ?? new CheckedTermsFilter(
                name, prefix, TermChecks.Of(node, text, _cancellation), Counts, _cancellation)
            { From = from });
    }

    private Query CompileSearch(in QueryNode node, IndexField field)
    {
        BooleanQuery group = new(true);
        Occur occur = node.Flag ? Occur.MUST : Occur.SHOULD;
        var text = new SearchText(_query.BytesOf(_query.ValueAt(node.FirstValue)));
        while (text.MoveNext())
        {
            if (text.IsPhrase)
            {
                group.Add(CompilePhrase(text.Part, 0, field), occur);
            }
            else if (TermPatterns.LiteralLength(text.Part) < text.Part.Length)
            {
                var pattern = new QueryNode { Kind = QueryNodeKind.Wildcard };
                group.Add(CompilePattern(pattern, field, _texts.Lower(text.Part).ToArray()), occur);
            }
            else
            {
                AddWords(group, occur, field, text.Part);
            }
        }

        return group.Clauses.Count switch
        {
            0 => Nothing(),
            1 => group.Clauses[0].Query,
            _ => group,
        };
    }

    /// <summary>Adds the words of a part of a text, the first of them with the number or boolean that it is.</summary>
    private void AddWords(BooleanQuery group, Occur occur, IndexField field, ReadOnlySpan<byte> part)
    {
        Query? value = CompileValue(field, part);
        TokenBuffer tokens = _texts.Analyze(field, part);
        foreach (ref readonly Token token in tokens.Tokens)
        {
            group.Add(WithValue(CompileTerm(field, _texts.Of(field, tokens.Term(token))), ref value), occur);
        }

        if (value is not null)
        {
            group.Add(value, occur);
        }
    }

    /// <summary>The number or boolean of a word, a separate value; null if it is none.</summary>
    private ConstantScoreQuery? CompileValue(IndexField field, ReadOnlySpan<byte> word)
    {
        Span<byte> term = stackalloc byte[TermCode.NumberSize];
        int length = TermCode.WriteValue(term, word);
        ReadOnlySpan<byte> value = term[..length];
        List<BytesRef> terms = [];
        AddIfThere(terms, field, value);
        if (length == TermCode.NumberSize && _hasDurations(field))
        {
            AddIfThere(terms, field, DurationOf(value).AsSpan());
        }

        return terms.Count == 0
            ? null
            : Constant(new GivenTermsFilter(LuceneNames.Of(field), terms, Counts, _cancellation));
    }

    private void AddIfThere(List<BytesRef> terms, IndexField field, ReadOnlySpan<byte> term)
    {
        if (!term.IsEmpty && _reader.DocFreq(new Term(LuceneNames.Of(field), term.ToBytesRef())) > 0)
        {
            terms.Add(term.ToBytesRef());
        }
    }

    private Query CompilePhrase(ReadOnlySpan<byte> text, int distance, IndexField field)
    {
        TokenBuffer tokens = _texts.Analyze(field, text);
        if (field.Kind == FieldKind.Exact || tokens.Count < 2)
        {
            Query word = CompileTerm(
                field, tokens.Count == 0 ? default : _texts.Of(field, tokens.Term(tokens.Tokens[0])));
            Query? value = CompileValue(field, text);
            return WithValue(word, ref value);
        }

        PhraseQuery phrase = new() { Slop = distance, Boost = _boost };
        int first = tokens.Tokens[0].Position;
        foreach (ref readonly Token token in tokens.Tokens)
        {
            phrase.Add(
                new Term(LuceneNames.Of(field), _texts.Of(field, tokens.Term(token)).ToBytesRef()),
                token.Position - first);
        }

        return phrase;
    }

    /// <summary>The entries that have a word or, once, its number or boolean.</summary>
    private static Query WithValue(Query word, ref Query? value)
    {
        if (value is null)
        {
            return word;
        }

        BooleanQuery either = new(true)
        {
            { word, Occur.SHOULD },
            { value, Occur.SHOULD },
        };
        value = null;
        return either;
    }

    private static BytesRef DurationOf(ReadOnlySpan<byte> number) => new([.. number, 1]);

    private static BooleanQuery Nothing() => new(true);

    private ConstantScoreQuery Constant(Filter filter) => new(filter) { Boost = _boost };
}
