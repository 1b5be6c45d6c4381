using Raven.Search.Analysis;
using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Search.Spatial;
using Raven.Search.Vectors;

namespace Raven.Search.Queries;

/// <summary>
/// Turns a query into matchers over one segment. Everything is pooled: the second query of a shape allocates nothing.
/// </summary>
internal sealed class QueryCompiler
{
    // If one in so many entries has a term, reading the whole column is cheaper than the term's list.
    private const int ColumnShare = 32;

    private readonly Pool<AllMatcher> _alls = new();
    private readonly Pool<NotMatcher> _nots = new();
    private readonly Pool<GroupMatcher> _groups = new();
    private readonly Pool<IntersectionMatcher> _intersections = new();
    private readonly Pool<TermMatcher> _terms = new();
    private readonly Pool<ColumnMatcher> _columns = new();
    private readonly Pool<SetMatcher> _sets = new();
    private readonly Pool<PhraseMatcher> _phrases = new();
    private readonly Pool<VectorMatcher> _vectors = new();
    private readonly VectorMatching _nearest;
    private readonly QueryTerms _texts = new();
    private readonly TermScorers _scorers = new();
    private readonly SpatialMatching _spatial = new();
    private readonly PatternMatching _patterns = new();
    private SearchQuery _query = null!;
    private SegmentsReader _reader = null!;
    private FieldCatalog _fields = null!;
    private SegmentReader _segment = null!;
    private int _number;
    private bool _isScored;
    private float _boost;
    private CancellationToken _cancellation;

    internal QueryCompiler() => _nearest = new VectorMatching(this);

    /// <summary>How many terms the query has looked up and found, over all segments.</summary>
    internal long TermsRead { get; private set; }

    /// <summary>How many postings these have: what a query may have to read.</summary>
    internal long EntriesRead { get; private set; }

    /// <summary>Begins a query; every segment is then compiled in turn, which may be cancelled.</summary>
    internal void Begin(
        SearchQuery query, SegmentsReader reader, int root, bool isScored, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        _texts.Begin(query);
        _query = query;
        _reader = reader;
        _fields = reader.Catalog;
        _isScored = false;
        _nearest.Run(query, reader, root, cancellation);
        _isScored = isScored;
        TermsRead = 0;
        EntriesRead = _nearest.VectorsRead;
        _scorers.Begin(reader);
    }

    /// <summary>Compiles one of these conditions, which add nothing to scores.</summary>
    internal Matcher CompileFilter(int node) => Compile(node);

    /// <summary>Begins a condition whose scores are needed before the query itself is matched.</summary>
    internal void BeginScored() => _scorers.Begin(_reader);

    /// <summary>Compiles that condition over a segment.</summary>
    internal Matcher CompileScored(int node, SegmentReader segment, int number)
    {
        _isScored = true;
        Matcher matcher = Compile(node, segment, number);
        _isScored = false;
        return matcher;
    }

    internal Matcher Compile(int root, SegmentReader segment, int number)
    {
        BeginFilters(segment, number);
        _scorers.BeginSegment();
        return Compile(root);
    }

    /// <summary>Begins conditions that are matched on a segment before the query itself.</summary>
    internal void BeginFilters(SegmentReader segment, int number)
    {
        _segment = segment;
        _number = number;
        _boost = 1;
        _alls.Reset();
        _nots.Reset();
        _groups.Reset();
        _intersections.Reset();
        _terms.Reset();
        _columns.Reset();
        _sets.Reset();
        _phrases.Reset();
        _vectors.Reset();
    }

    private Matcher Compile(int number)
    {
        ref readonly QueryNode node = ref _query.Node(number);
        switch (node.Kind)
        {
            case QueryNodeKind.All:
                return WithBoost(First(_segment.EntryCount));
            case QueryNodeKind.And or QueryNodeKind.Or:
                return CompileGroup(node, node.Kind == QueryNodeKind.And);
            case QueryNodeKind.Intersect:
                return CompileIntersection(node);
            case QueryNodeKind.Not:
                NotMatcher not = _nots.Rent();
                not.Open(Compile(node.FirstChild), _segment.EntryCount);
                return not;
            case QueryNodeKind.Boost:
                float before = _boost;
                _boost *= node.Number;
                Matcher inner = Compile(node.FirstChild);
                _boost = before;
                return inner;
            case QueryNodeKind.Vector or QueryNodeKind.Fuse:
                VectorMatcher near = _vectors.Rent();
                near.Open(_nearest.FoundBy(number), _number);
                return WithBoost(near);
        }

        IndexField? field = node.Kind == QueryNodeKind.None ? null : _fields.Find(node.Field);
        FieldReader? values = field is null ? null : _segment.TryGetField(field.Number);
        return field is null ? Nothing() : CompileLeaf(node, field, values);
    }

    private Matcher CompileLeaf(in QueryNode node, IndexField field, FieldReader? values)
    {
        switch (node.Kind)
        {
            case QueryNodeKind.Search:
                return CompileSearch(node, field, values);
            case QueryNodeKind.Phrase:
                return CompilePhrase(_query.BytesOf(_query.ValueAt(node.FirstValue)), (int)node.Number, field, values);
            case QueryNodeKind.Equal:
                return CompileTerm(field, values, _texts.Write(field, _query.ValueAt(node.FirstValue)));
        }

        if (values is null)
        {
            return node.Kind == QueryNodeKind.Exists && _segment.TryGetVectors(field.Number) is { } vectors
                ? CompileExists(vectors)
                : Nothing();
        }

        return node.Kind switch
        {
            QueryNodeKind.In => CompileIn(node, field, values),
            QueryNodeKind.Range => CompileRange(node, field, values),
            QueryNodeKind.Exists => CompileExists(values),
            QueryNodeKind.Spatial => CompileSpatial((SpatialFilter)node.Pattern!, values),
            QueryNodeKind.Regex => CompilePattern(node, field, values, default),
            _ => CompilePattern(node, field, values, _texts.Normalized(field, _query.ValueAt(node.FirstValue))),
        };
    }

    private GroupMatcher CompileGroup(in QueryNode node, bool isAnd)
    {
        GroupMatcher group = _groups.Rent();
        group.Open(isAnd);
        for (int child = node.FirstChild; child >= 0; child = _query.Node(child).Next - 1)
        {
            group.Add(Compile(child));
        }

        return group;
    }

    /// <summary>Evaluates the conditions over the segment; if no document has two entries, that is an "and".</summary>
    private Matcher CompileIntersection(in QueryNode node)
    {
        FieldReader ids = _segment.TryGetField(IndexNames.IdField)!;
        if (ids.TermCount == _segment.EntryCount)
        {
            return CompileGroup(node, isAnd: true);
        }

        IntersectionMatcher found = _intersections.Rent();
        found.Open(_segment, ids);
        (bool isScored, _isScored) = (_isScored, false);
        bool isAny = true;
        for (int child = node.FirstChild; child >= 0 && isAny; child = _query.Node(child).Next - 1)
        {
            isAny = found.Narrow(Compile(child), _cancellation);
        }

        _isScored = isScored;
        found.Close(isScored ? CompileGroup(node, isAnd: false) : null);
        return found;
    }

    /// <summary>A term that may be absent; its scorer is taken in any case, to keep the order of scorers.</summary>
    private Matcher CompileTerm(IndexField field, FieldReader? values, ReadOnlySpan<byte> term)
    {
        TermScorer? scorer = _isScored && field.Kind == FieldKind.FullText ? _scorers.Next(field, term, _boost) : null;
        int ordinal = values is null || term.IsEmpty ? -1 : values.Find(term);
        int ticks = values is null ? -1 : DurationCode.Find(values, term);
        if (ordinal >= 0 && ticks >= 0)
        {
            return CompileOrdinals(values!, ordinal, ticks + 1);
        }

        ordinal = Math.Max(ordinal, ticks);
        if (ordinal < 0)
        {
            return Nothing();
        }

        int count = values!.DocumentFrequency(ordinal);
        if (!values.HasWords && !values.HasManyValues && count > values.EntryCount / ColumnShare)
        {
            return Column(values, ordinal, ordinal + 1, count);
        }

        TermsRead++;
        EntriesRead += count;
        TermMatcher matcher = _terms.Rent();
        matcher.Open(values, ordinal, scorer);
        return WithBoost(matcher);
    }

    private SetMatcher CompileIn(in QueryNode node, IndexField field, FieldReader values)
    {
        SetMatcher set = _sets.Rent();
        set.Open(_segment.EntryCount);
        for (int i = 0; i < node.ValueCount; i++)
        {
            TermCancellation.Step(i, _cancellation);
            ReadOnlySpan<byte> term = _texts.Write(field, _query.ValueAt(node.FirstValue + i));
            int ordinal = term.IsEmpty ? -1 : values.Find(term);
            if (ordinal >= 0)
            {
                set.AddTerm(values, ordinal);
            }

            if (DurationCode.Find(values, term) is >= 0 and int ticks)
            {
                set.AddTerm(values, ticks);
            }
        }

        return Counted(set);
    }

    private Matcher CompileRange(in QueryNode node, IndexField field, FieldReader values)
    {
        ref readonly QueryValue lower = ref _query.ValueAt(node.FirstValue);
        ref readonly QueryValue upper = ref _query.ValueAt(node.FirstValue + 1);
        bool areDurations = DurationBounds.Are(_query, _reader, field, lower, upper);
        int from = -1;
        byte kind = 0;
        if (lower.Kind != QueryValue.ValueKind.Open)
        {
            ReadOnlySpan<byte> term = _texts.Bound(field, lower, areDurations);
            kind = term[0];
            int found = values.Find(term);
            from = found < 0 ? ~found : node.Flag ? found : found + 1;
            from = node.Flag ? from : DurationCode.Behind(values, term, from);
        }

        int to = -1;
        if (upper.Kind != QueryValue.ValueKind.Open)
        {
            ReadOnlySpan<byte> term = _texts.Bound(field, upper, areDurations);
            kind = kind == 0 ? term[0] : kind;
            int found = values.Find(term);
            to = found < 0 ? ~found : node.IncludesUpper ? found + 1 : found;
            to = node.IncludesUpper ? DurationCode.Behind(values, term, to) : to;
        }

        from = from < 0 ? values.LowerBound([kind]) : from;
        to = to < 0 ? values.LowerBound([(byte)(kind + 1)]) : to;
        return CompileOrdinals(values, from, to);
    }

    private Matcher CompileOrdinals(FieldReader values, int from, int to)
    {
        if (from >= to)
        {
            return Nothing();
        }

        long count = 0;
        for (int ordinal = from; ordinal < to && count <= values.EntryCount / ColumnShare; ordinal++)
        {
            count += values.DocumentFrequency(ordinal);
        }

        if (!values.HasWords && (values.HasManyValues ? to - from > values.EntryCount
            : count > values.EntryCount / ColumnShare))
        {
            return Column(values, from, to, count);
        }

        SetMatcher set = _sets.Rent();
        set.Open(_segment.EntryCount);
        for (int ordinal = from; ordinal < to; ordinal++)
        {
            TermCancellation.Step(ordinal, _cancellation);
            set.AddTerm(values, ordinal);
        }

        return Counted(set);
    }

    private SetMatcher CompileSpatial(SpatialFilter filter, FieldReader values)
    {
        SetMatcher set = _sets.Rent();
        set.Open(_segment.EntryCount);
        _spatial.Add(values, filter, set, _cancellation);
        return Counted(set);
    }

    private Matcher CompileExists(FieldReader values)
    {
        if (!values.HasWords)
        {
            return Column(values, 0, values.TermCount, values.EntriesWithField);
        }

        SetMatcher set = _sets.Rent();
        set.Open(_segment.EntryCount);
        set.AddWithText(values.Norms);

        // Terms that are no words have no length: null, numbers, shapes, and a text without words.
        int words = values.LowerBound([TermCode.Text, 0]);
        int shapes = values.LowerBound([TermCode.Text + 1]);
        for (int i = 0; i < words + values.TermCount - shapes; i++)
        {
            set.AddTerm(values, i < words ? i : i - words + shapes);
        }

        return Counted(set);
    }

    private SetMatcher CompileExists(VectorReader vectors)
    {
        SetMatcher set = _sets.Rent();
        set.Open(_segment.EntryCount);
        set.AddRuns(vectors.Entries);
        return Counted(set);
    }

    private SetMatcher CompilePattern(
        in QueryNode node, IndexField field, FieldReader values, ReadOnlySpan<byte> text)
    {
        SetMatcher set = _sets.Rent();
        set.Open(_segment.EntryCount);
        _patterns.Add(node, field, values, text, set, _cancellation);
        return Counted(set);
    }

    private Matcher CompileSearch(in QueryNode node, IndexField field, FieldReader? values)
    {
        GroupMatcher group = _groups.Rent();
        group.Open(node.Flag);
        int parts = 0;
        var text = new SearchText(_query.BytesOf(_query.ValueAt(node.FirstValue)));
        while (text.MoveNext())
        {
            if (text.IsPhrase)
            {
                group.Add(CompilePhrase(text.Part, 0, field, values));
                parts++;
            }
            else if (TermPatterns.LiteralLength(text.Part) < text.Part.Length)
            {
                var pattern = new QueryNode { Kind = QueryNodeKind.Wildcard };
                group.Add(values is null ? Nothing() : CompilePattern(pattern, field, values, _texts.Lower(text.Part)));
                parts++;
            }
            else
            {
                Matcher? value = CompileValue(values, text.Part);
                TokenBuffer tokens = _texts.Analyze(field, text.Part);
                foreach (ref readonly Token token in tokens.Tokens)
                {
                    group.Add(WithValue(CompileTerm(field, values, _texts.Of(field, tokens.Term(token))), ref value));
                    parts++;
                }

                if (value is not null)
                {
                    group.Add(value);
                    parts++;
                }
            }
        }

        return parts == 0 ? Nothing() : parts == 1 ? group.Only : group;
    }

    /// <summary>The number or boolean of a word, a separate value; null if it is none, or not in the segment.</summary>
    private Matcher? CompileValue(FieldReader? values, ReadOnlySpan<byte> word)
    {
        Span<byte> term = stackalloc byte[TermCode.NumberSize];
        int length = values is null ? 0 : TermCode.WriteValue(term, word);
        int ordinal = length == 0 ? -1 : values!.Find(term[..length]);
        int ticks = length == 0 ? -1 : DurationCode.Find(values!, term[..length]);
        if (ordinal < 0 && ticks < 0)
        {
            return null;
        }

        return CompileOrdinals(values!, ordinal < 0 ? ticks : ordinal, Math.Max(ordinal, ticks) + 1);
    }

    /// <summary>The entries that have a word or, once, its number or boolean.</summary>
    private Matcher WithValue(Matcher word, ref Matcher? value)
    {
        if (value is null)
        {
            return word;
        }

        GroupMatcher either = _groups.Rent();
        either.Open(isAnd: false);
        either.Add(word);
        either.Add(value);
        value = null;
        return either;
    }

    private Matcher CompilePhrase(ReadOnlySpan<byte> text, int distance, IndexField field, FieldReader? values)
    {
        TokenBuffer tokens = _texts.Analyze(field, text);
        if (field.Kind == FieldKind.Exact || tokens.Count < 2)
        {
            Matcher word = CompileTerm(
                field, values, tokens.Count == 0 ? default : _texts.Of(field, tokens.Term(tokens.Tokens[0])));
            Matcher? value = CompileValue(values, text);
            return WithValue(word, ref value);
        }

        TermScorer? scorer = _isScored ? _scorers.NextPhrase(field, tokens, _boost) : null;
        PhraseMatcher phrase = _phrases.Rent();
        if (values is null)
        {
            return Nothing();
        }

        phrase.Open(values, distance, scorer);
        int first = tokens.Tokens[0].Position;
        foreach (ref readonly Token token in tokens.Tokens)
        {
            int ordinal = values.Find(_texts.Of(field, tokens.Term(token)));
            if (ordinal < 0)
            {
                return Nothing();
            }

            phrase.Add(ordinal, token.Position - first);
        }

        return WithBoost(phrase);
    }

    private ColumnMatcher Column(FieldReader values, int from, int to, long count)
    {
        TermsRead += to - from;
        EntriesRead += count;
        ColumnMatcher column = _columns.Rent();
        column.Open(values, from, to, count);
        return WithBoost(column);
    }

    private AllMatcher Nothing() => First(0);

    private AllMatcher First(int entryCount)
    {
        AllMatcher first = _alls.Rent();
        first.Open(entryCount);
        return first;
    }

    private SetMatcher Counted(SetMatcher set)
    {
        TermsRead += set.TermCount;
        EntriesRead += set.Cost;
        return WithBoost(set);
    }

    private T WithBoost<T>(T matcher)
        where T : Matcher
    {
        matcher.Boost = _boost;
        return matcher;
    }
}
