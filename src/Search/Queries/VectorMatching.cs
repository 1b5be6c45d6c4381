using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Search.Vectors;

namespace Raven.Search.Queries;

//   VEC-1  The nearest are those of the whole index, so they are found before any condition is matched.
//   VEC-2  Entries that other conditions joined by "and" exclude are not among them: a condition and the ten nearest
//          are the ten nearest that meet it. Conditions on vectors that find all that are near enough are such
//          conditions and are run first. Two conditions that are each limited to a number of entries do not restrict
//          each other.
//   VEC-3  The conditions of an intersection may be met by different entries of a document, and exclude nothing from
//          the nearest.

/// <summary>Finds the entries whose vectors are nearest to those of a query's conditions.</summary>
internal sealed class VectorMatching(QueryCompiler compiler)
{
    /// <summary>The tolerance of a least similarity, for rounding.</summary>
    private const float Tolerance = 1e-6f;

    private readonly Pool<NearEntries> _pool = new();
    private readonly List<NearEntries> _found = [];
    private readonly List<int> _filters = [];
    private readonly List<Matcher> _matchers = [];
    private readonly ByteBuffer _wanted = new();
    private readonly PostingCursor _postings = new();
    private readonly VectorSearch _search = new();
    private readonly QueryFusion _fusion = new();
    private SearchQuery _query = null!;
    private SegmentsReader _reader = null!;
    private CancellationToken _cancellation;

    /// <summary>How many vectors the query was compared with.</summary>
    internal long VectorsRead => _search.VectorsRead;

    /// <summary>Finds the entries of all conditions on vectors.</summary>
    internal void Run(SearchQuery query, SegmentsReader reader, int root, CancellationToken cancellation)
    {
        _cancellation = cancellation;
        _search.VectorsRead = 0;
        _found.Clear();
        _filters.Clear();
        _pool.Reset();
        _query = query;
        _reader = reader;
        if (query.HasVectors)
        {
            Visit(root);
        }
    }

    /// <summary>The entries that a condition has found.</summary>
    internal NearEntries FoundBy(int node)
    {
        foreach (NearEntries found in _found)
        {
            if (found.Node == node)
            {
                return found;
            }
        }

        throw new InvalidOperationException("The condition is no part of the query that is run.");
    }

    private void Visit(int number)
    {
        ref readonly QueryNode node = ref _query.Node(number);
        switch (node.Kind)
        {
            case QueryNodeKind.Vector:
                Find(number);
                break;
            case QueryNodeKind.Fuse:
                Fuse(number);
                break;
            case QueryNodeKind.Not or QueryNodeKind.Boost:
                Visit(node.FirstChild);
                break;
            case QueryNodeKind.And:
                VisitAll(node.FirstChild);
                break;
            case QueryNodeKind.Or:
                for (int child = node.FirstChild; child >= 0; child = NextOf(child))
                {
                    Visit(child);
                }

                break;
            case QueryNodeKind.Intersect:
                VisitApart(node.FirstChild);
                break;
        }
    }

    private void VisitApart(int first)
    {
        int[] filters = [.. _filters];
        _filters.Clear();
        for (int child = first; child >= 0; child = NextOf(child))
        {
            Visit(child);
        }

        _filters.AddRange(filters);
    }

    /// <summary>Conditions of which all must be met: each one known restricts those behind it (VEC-2).</summary>
    private void VisitAll(int first)
    {
        int filters = _filters.Count;
        for (int child = first; child >= 0; child = NextOf(child))
        {
            if (!HasVector(child))
            {
                _filters.Add(child);
            }
        }

        for (int child = first; child >= 0; child = NextOf(child))
        {
            if (HasVector(child) && !WantsSome(child))
            {
                Visit(child);
                _filters.Add(child);
            }
        }

        for (int child = first; child >= 0; child = NextOf(child))
        {
            if (WantsSome(child))
            {
                Visit(child);
            }
        }

        _filters.RemoveRange(filters, _filters.Count - filters);
    }

    private int NextOf(int child) => _query.Node(child).Next - 1;

    private bool HasVector(int number) => Has(number, int.MaxValue);

    /// <summary>Whether a condition contains one on vectors that is limited to a number of entries.</summary>
    private bool WantsSome(int number) => Has(number, int.MaxValue - 1);

    /// <summary>Whether a condition contains one on vectors that is limited to at most so many entries.</summary>
    private bool Has(int number, int nearestMax)
    {
        ref readonly QueryNode node = ref _query.Node(number);
        switch (node.Kind)
        {
            case QueryNodeKind.Vector or QueryNodeKind.Fuse:
                return node.Nearest <= nearestMax;
            case QueryNodeKind.Not or QueryNodeKind.Boost:
                return Has(node.FirstChild, nearestMax);
            case QueryNodeKind.And or QueryNodeKind.Or or QueryNodeKind.Intersect:
                for (int child = node.FirstChild; child >= 0; child = NextOf(child))
                {
                    if (Has(child, nearestMax))
                    {
                        return true;
                    }
                }

                return false;
            default:
                return false;
        }
    }

    /// <summary>Ranks the entries of each condition of a fusion, and sums up their ranks (FUSE-1).</summary>
    private void Fuse(int number)
    {
        ref readonly QueryNode node = ref _query.Node(number);
        NearEntries found = _pool.Rent();
        found.Open(number, int.MaxValue);
        _found.Add(found);
        for (int child = node.FirstChild; child >= 0; child = NextOf(child))
        {
            Visit(child);
        }

        _fusion.Begin();
        for (int child = node.FirstChild; child >= 0; child = NextOf(child))
        {
            _fusion.BeginList(node.Nearest);
            compiler.BeginScored();
            for (int i = 0; i < _reader.Segments.Count; i++)
            {
                SegmentReader segment = _reader.Segments[i];
                bool isFiltered = _filters.Count > 0;
                if (!isFiltered || TryFilter(i, segment))
                {
                    _fusion.Add(
                        i, segment, compiler.CompileScored(child, segment, i),
                        isFiltered ? _search.AllowedOf(segment) : default, _cancellation);
                }
            }

            _fusion.EndList();
        }

        _fusion.Finish(found);
    }

    private void Find(int number)
    {
        ref readonly QueryNode node = ref _query.Node(number);
        NearEntries found = _pool.Rent();
        found.Open(number, node.Nearest);
        _found.Add(found);
        if (_reader.Catalog.Find(node.Field) is not { Kind: FieldKind.Vector, Dimensions: > 0 } field)
        {
            return;
        }

        _wanted.Clear();
        for (int i = 0; i < node.ValueCount; i++)
        {
            AddWanted(field, _query.ValueAt(node.FirstValue + i), node.Flag);
        }

        for (int i = 0; i < _reader.Segments.Count && _wanted.Length > 0; i++)
        {
            SegmentReader segment = _reader.Segments[i];
            if (VectorsOf(segment, field) is { } vectors && (_filters.Count == 0 || TryFilter(i, segment)))
            {
                _search.Run(
                    i, segment, vectors, field.Number, _wanted.Span, _filters.Count > 0, node.Number - Tolerance,
                    found, _cancellation);
            }
        }

        found.Finish();
    }

    /// <summary>Converts a value of the query to the form of the field; for a document, all of its vectors.</summary>
    private void AddWanted(IndexField field, in QueryValue value, bool isOfDocument)
    {
        if (isOfDocument)
        {
            AddVectorsOf(field, _query.BytesOf(value));
            return;
        }

        Span<byte> record = _wanted.Extend(VectorCode.SizeOf(field.VectorFormat, field.Dimensions));
        QueryVectors.Write(field, value, _query.BytesOf(value), record);
    }

    private void AddVectorsOf(IndexField field, ReadOnlySpan<byte> term)
    {
        for (int i = 0; i < _reader.Segments.Count; i++)
        {
            SegmentReader segment = _reader.Segments[i];
            if (VectorsOf(segment, field) is not { } vectors
                || segment.TryGetField(IndexNames.IdField) is not { } ids
                || ids.Find(term) is not (>= 0 and int ordinal))
            {
                continue;
            }

            _postings.Open(ids, ordinal);
            for (int block = 0; block < _postings.BlockCount; block++)
            {
                _postings.Read(block);
                foreach (int entry in _postings.Entries)
                {
                    if (!segment.IsDeleted(entry))
                    {
                        AddVectorsOf(entry, vectors);
                        ThrowIfTooMany(vectors.RecordSize, term);
                    }
                }
            }
        }
    }

    /// <summary>The vectors of a segment. Vectors of other dimensions belong only to deleted entries.</summary>
    private static VectorReader? VectorsOf(SegmentReader segment, IndexField field) =>
        segment.TryGetVectors(field.Number) is { } vectors && vectors.Dimensions == field.Dimensions ? vectors : null;

    /// <summary>
    /// A document's vectors are bounded like those of a query: each of them is compared with each of the index.
    /// </summary>
    private void ThrowIfTooMany(int recordSize, ReadOnlySpan<byte> term)
    {
        if (_wanted.Length > SearchQuery.VectorsMax * recordSize)
        {
            throw new SearchIndexException(
                $"The document '{IndexTerms.TextOf(term, isWhole: false)}' has more than {SearchQuery.VectorsMax} "
                + "vectors, the most that one condition asks for.");
        }
    }

    private void AddVectorsOf(int entry, VectorReader vectors)
    {
        ReadOnlySpan<int> entries = vectors.Entries;
        for (int at = vectors.FirstOf(entry); at < entries.Length && entries[at] == entry; at++)
        {
            _wanted.Add(vectors.Record(at));
        }
    }

    /// <summary>Finds the entries that the other conditions accept (VEC-2); false if there are none.</summary>
    private bool TryFilter(int number, SegmentReader segment)
    {
        _matchers.Clear();
        compiler.BeginFilters(segment, number);
        foreach (int filter in _filters)
        {
            _matchers.Add(compiler.CompileFilter(filter));
        }

        Span<ulong> allowed = _search.AllowedOf(segment);
        bool isAny = false;
        for (int start = 0; start < segment.EntryCount; start += Window.Entries)
        {
            _cancellation.ThrowIfCancellationRequested();
            Span<ulong> bits = allowed.Slice(start >> 6, Window.Words);
            _matchers[0].Match(start, bits);
            bool isLeft = bits.ContainsAnyExcept(0UL);
            for (int i = 1; i < _matchers.Count && isLeft; i++)
            {
                isLeft = _matchers[i].Restrict(start, bits);
            }

            isAny |= isLeft;
        }

        return isAny;
    }
}
