using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;
using Raven.Search.Automata;
using Raven.Search.Buffers;
using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Search.Spatial;

namespace Raven.Search.Queries;

/// <summary>
/// What to look for: a tree of operators, built from its leaves. Each method adds a node and returns its number; values
/// are added before the node that uses them. Cleared and built again it allocates nothing. One thread at a time.
/// </summary>
public sealed class SearchQuery
{
    /// <summary>The most vectors of one condition, also if a document gives them.</summary>
    public const int VectorsMax = 128;

    /// <summary>No bound: for ranges that are open on one side.</summary>
    public const int Unbounded = -1;

    /// <summary>The time after which a regular expression fails the query.</summary>
    internal static readonly TimeSpan RegexTimeMax = TimeSpan.FromSeconds(1);

    /// <summary>
    /// The longest regular expression, in characters: its compiled form grows faster than its length.
    /// </summary>
    public const int RegexLengthMax = RegexParser.LengthMax;

    private readonly ByteBuffer _bytes = new();
    private readonly Pool<RegexProgram> _programs = new();
    private QueryNode[] _nodes = new QueryNode[16];
    private QueryValue[] _values = new QueryValue[16];
    private RegexProgram? _spare;
    private int _valueCount;

    /// <summary>How many nodes there are.</summary>
    public int NodeCount { get; private set; }

    /// <summary>Whether any node is a condition on vectors.</summary>
    internal bool HasVectors { get; private set; }

    /// <summary>Removes all nodes and values.</summary>
    public void Clear()
    {
        Array.Clear(_nodes, 0, NodeCount);
        _bytes.Clear();
        _programs.Reset();
        _spare = null;
        NodeCount = 0;
        HasVectors = false;
        _valueCount = 0;
    }

    /// <summary>A text value, in UTF-8; copied. An exact field's analyzer makes its term of it.</summary>
    public int Value(ReadOnlySpan<byte> text)
    {
        text.CopyTo(_bytes.Extend(text.Length));
        return AddValue(QueryValue.ValueKind.Text, text.Length);
    }

    /// <summary>A text value.</summary>
    public int Value(ReadOnlySpan<char> text)
    {
        int length = Encoding.UTF8.GetByteCount(text);
        Encoding.UTF8.GetBytes(text, _bytes.Extend(length));
        return AddValue(QueryValue.ValueKind.Text, length);
    }

    /// <summary>An integer value; it equals a number of the same value, in any notation.</summary>
    public int Value(long value)
    {
        TermCode.WriteNumber(_bytes.Extend(TermCode.NumberSize), value);
        return AddValue(QueryValue.ValueKind.Term, TermCode.NumberSize);
    }

    /// <summary>A number.</summary>
    public int Value(double value)
    {
        TermCode.WriteNumber(_bytes.Extend(TermCode.NumberSize), value);
        return AddValue(QueryValue.ValueKind.Term, TermCode.NumberSize);
    }

    /// <summary>An integer of more than 64 bits.</summary>
    public int Value(Int128 value)
    {
        TermCode.WriteNumber(_bytes.Extend(TermCode.NumberSize), value);
        return AddValue(QueryValue.ValueKind.Term, TermCode.NumberSize);
    }

    /// <summary>A boolean.</summary>
    public int Value(bool value)
    {
        _bytes.AddByte(value ? TermCode.True : TermCode.False);
        return AddValue(QueryValue.ValueKind.Term, 1);
    }

    /// <summary>The value null.</summary>
    public int NullValue()
    {
        _bytes.AddByte(TermCode.Null);
        return AddValue(QueryValue.ValueKind.Term, 1);
    }

    /// <summary>A vector; it is put into the form of the field that it is compared with.</summary>
    public int Vector(ReadOnlySpan<float> numbers) =>
        AddBytes(QueryValue.ValueKind.Singles, MemoryMarshal.AsBytes(numbers));

    /// <summary>A vector of bytes, for a field that keeps bytes.</summary>
    public int VectorOfBytes(ReadOnlySpan<sbyte> numbers) =>
        AddBytes(QueryValue.ValueKind.SignedBytes, MemoryMarshal.AsBytes(numbers));

    /// <summary>A vector of bits, for a field that keeps bits; the first is the highest of the first byte.</summary>
    public int VectorOfBits(ReadOnlySpan<byte> bits) => AddBytes(QueryValue.ValueKind.Bits, bits);

    /// <summary>The vectors that a document has, whatever the field.</summary>
    public int VectorsOf(ReadOnlySpan<byte> documentId)
    {
        Span<byte> term = stackalloc byte[TermCode.SizeBytesMax];
        return TermValue(term[..TermCode.WriteText(term, documentId)]);
    }

    /// <summary>A term as it is in the dictionary, without an analyzer.</summary>
    internal int TermValue(ReadOnlySpan<byte> term) => AddBytes(QueryValue.ValueKind.Term, term);

    /// <summary>Every entry.</summary>
    public int All() => Add(new QueryNode { Kind = QueryNodeKind.All });

    /// <summary>No entry.</summary>
    public int None() => Add(new QueryNode { Kind = QueryNodeKind.None });

    /// <summary>The field has the value.</summary>
    public int Equal(string field, int value) => AddLeaf(QueryNodeKind.Equal, field, value, 1);

    /// <summary>The field has one of some values, which were added one behind the other.</summary>
    public int In(string field, int firstValue, int count) => AddLeaf(QueryNodeKind.In, field, firstValue, count);

    /// <summary>
    /// The field has a value of the bounds' kind (number, text, ...) between them; nothing matches bounds of two kinds.
    /// </summary>
    /// <param name="field">The field.</param>
    /// <param name="lower">A value, or <see cref="Unbounded"/>.</param>
    /// <param name="includesLower">Whether the lower bound itself is included.</param>
    /// <param name="upper">A value, or <see cref="Unbounded"/>; one of the two must be given.</param>
    /// <param name="includesUpper">Whether the upper bound itself is included.</param>
    public int Range(string field, int lower, bool includesLower, int upper, bool includesUpper)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(Math.Max(lower, upper), nameof(lower));
        if (lower >= 0 && upper >= 0 && KindOf(_values[lower]) != KindOf(_values[upper]))
        {
            return None();
        }

        int first = _valueCount;
        AddValue(lower < 0 ? default : _values[lower]);
        AddValue(upper < 0 ? default : _values[upper]);
        int node = AddLeaf(QueryNodeKind.Range, field, first, 2);
        _nodes[node].Flag = includesLower;
        _nodes[node].IncludesUpper = includesUpper;
        return node;
    }

    /// <summary>The field has a text that starts with this one.</summary>
    public int StartsWith(string field, int text) => AddLeaf(QueryNodeKind.Prefix, field, text, 1);

    /// <summary>The field has a text that ends with this one. Reads every term of the field.</summary>
    public int EndsWith(string field, int text) => AddLeaf(QueryNodeKind.Suffix, field, text, 1);

    /// <summary>
    /// The field has a text that matches a pattern, in which * stands for any characters and ? for one.
    /// </summary>
    public int Wildcard(string field, int pattern) => AddLeaf(QueryNodeKind.Wildcard, field, pattern, 1);

    /// <summary>The field has a term that a regular expression matches somewhere, in linear time.</summary>
    /// <exception cref="ArgumentException">It is no regular expression, is too long, or needs backtracking.</exception>
    public int Regex(string field, string pattern)
    {
        ArgumentNullException.ThrowIfNull(pattern);
        ThrowIfTooLong(pattern);
        int node = AddLeaf(QueryNodeKind.Regex, field, 0, 0);
        _spare ??= _programs.Rent();
        if (_spare.TryCompile(pattern))
        {
            _nodes[node].Pattern = _spare;
            _spare = null;
            return node;
        }

        try
        {
            _nodes[node].Pattern = new Regex(
                pattern, RegexOptions.NonBacktracking | RegexOptions.CultureInvariant, RegexTimeMax);
        }
        catch (NotSupportedException unsupported)
        {
            throw new ArgumentException(unsupported.Message, nameof(pattern), unsupported);
        }

        return node;
    }

    /// <summary>Refuses a regular expression that is too long.</summary>
    /// <exception cref="ArgumentException">It is too long.</exception>
    public static void ThrowIfTooLong(string pattern)
    {
        ArgumentNullException.ThrowIfNull(pattern);
        if (pattern.Length > RegexLengthMax)
        {
            throw new ArgumentException($"it has {pattern.Length} characters, and may have {RegexLengthMax}");
        }
    }

    /// <summary>The field has any value.</summary>
    public int Exists(string field) => AddLeaf(QueryNodeKind.Exists, field, 0, 0);

    /// <summary>
    /// The field has words of a text: any of them, or all. Words in quotes are a phrase; * and ? stand for characters.
    /// </summary>
    public int Search(string field, int text, bool isAll)
    {
        int node = AddLeaf(QueryNodeKind.Search, field, text, 1);
        _nodes[node].Flag = isAll;
        return node;
    }

    /// <summary>
    /// The field has the words of a text one behind the other, or at most so many moves of a word by one place away
    /// from that: with others among them, or in another order.
    /// </summary>
    public int Phrase(string field, int text, int distance)
    {
        int node = AddLeaf(QueryNodeKind.Phrase, field, text, 1);
        _nodes[node].Number = distance;
        return node;
    }

    /// <summary>
    /// The field has a word at most so many changes of a character away from the given one; at most 2.
    /// </summary>
    public int Fuzzy(string field, int word, int distance)
    {
        ArgumentOutOfRangeException.ThrowIfGreaterThan(distance, 2);
        int node = AddLeaf(QueryNodeKind.Fuzzy, field, word, 1);
        _nodes[node].Number = distance;
        return node;
    }

    /// <summary>
    /// The field has a text whose similarity to the given one is greater than this: one minus the changed characters,
    /// as a share of the shorter of the two.
    /// </summary>
    public int Similar(string field, int text, float similarity)
    {
        int node = AddLeaf(QueryNodeKind.Fuzzy, field, text, 1);
        _nodes[node].Number = similarity;
        _nodes[node].Flag = true;
        return node;
    }

    /// <summary>The field has a point or a shape that a filter accepts.</summary>
    public int Spatial(string field, SpatialFilter filter)
    {
        ArgumentNullException.ThrowIfNull(filter);
        int node = AddLeaf(QueryNodeKind.Spatial, field, 0, 0);
        _nodes[node].Pattern = filter;
        return node;
    }

    /// <summary>
    /// The field has vectors among the nearest to those of the query: the cosine of the angle between them, of several
    /// the greatest, is the score. Conditions that are joined to it by <see cref="And"/> are applied first.
    /// </summary>
    /// <param name="field">A field of vectors.</param>
    /// <param name="firstVector">A vector of the query.</param>
    /// <param name="count">How many vectors the query has, added one behind the other.</param>
    /// <param name="least">The least cosine, from 0 to 1.</param>
    /// <param name="nearest">
    /// How many entries to return; <see cref="int.MaxValue"/> for all that are near enough.
    /// </param>
    public int Nearest(string field, int firstVector, int count, float least, int nearest) =>
        AddNearest(field, firstVector, count, least, nearest, isOfDocument: false);

    /// <summary>
    /// <see cref="Nearest"/> to the vectors that a document has in the field; nothing if it has none. A run of the
    /// query throws <see cref="SearchIndexException"/> if it has more than <see cref="VectorsMax"/>.
    /// </summary>
    public int NearestTo(string field, int documentVectors, float least, int nearest) =>
        AddNearest(field, documentVectors, 1, least, nearest, isOfDocument: true);

    /// <summary>Both conditions are met.</summary>
    public int And(int left, int right) => AddGroup(QueryNodeKind.And, left, right);

    /// <summary>At least one of the conditions is met.</summary>
    public int Or(int left, int right) => AddGroup(QueryNodeKind.Or, left, right);

    /// <summary>
    /// Entries that meet the left condition, of documents of which some entry meets the right one: it may be another
    /// entry for each condition. A condition that is joined to it by <see cref="And"/> applies to the entries that
    /// it finds.
    /// </summary>
    public int Intersect(int left, int right) => AddGroup(QueryNodeKind.Intersect, left, right);

    /// <summary>
    /// At least one of the conditions is met, and the score is made of the ranks that each of them gives:
    /// 1 / (60 + rank) of each list, the first rank being 1.
    /// </summary>
    /// <param name="left">A condition, or a fusion that gets one more.</param>
    /// <param name="right">A condition.</param>
    /// <param name="most">How many entries each condition ranks; the others do not meet it.</param>
    public int Fuse(int left, int right, int most)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(most);
        int node = AddGroup(QueryNodeKind.Fuse, left, right);
        _nodes[node].Nearest = most;
        HasVectors = true;
        return node;
    }

    /// <summary>The condition is not met.</summary>
    public int Not(int inner) => Add(new QueryNode { Kind = QueryNodeKind.Not, FirstChild = inner });

    /// <summary>Multiplies the scores of a part of the query.</summary>
    public int Boost(int inner, float factor) =>
        Add(new QueryNode { Kind = QueryNodeKind.Boost, FirstChild = inner, Number = factor });

    internal ref readonly QueryNode Node(int node) => ref _nodes[node];

    internal ref readonly QueryValue ValueAt(int value) => ref _values[value];

    internal ReadOnlySpan<byte> BytesOf(in QueryValue value) => _bytes.Span.Slice(value.Start, value.Length);

    private int AddGroup(QueryNodeKind kind, int left, int right)
    {
        // A chain of the same operator is one node, so that its parts can be ordered.
        if (_nodes[left].Kind == kind)
        {
            _nodes[_nodes[left].LastChild].Next = right + 1;
            _nodes[left].LastChild = right;
            return left;
        }

        _nodes[left].Next = right + 1;
        return Add(new QueryNode { Kind = kind, FirstChild = left, LastChild = right });
    }

    private int AddNearest(string field, int firstVector, int count, float least, int nearest, bool isOfDocument)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(least);
        ArgumentOutOfRangeException.ThrowIfNegative(nearest);
        int node = AddLeaf(QueryNodeKind.Vector, field, firstVector, count);
        _nodes[node].Number = least;
        _nodes[node].Nearest = nearest;
        _nodes[node].Flag = isOfDocument;
        HasVectors = true;
        return node;
    }

    /// <summary>The first byte of the term of a value.</summary>
    private byte KindOf(in QueryValue value) =>
        value.Kind == QueryValue.ValueKind.Term ? BytesOf(value)[0] : TermCode.Text;

    private int AddBytes(QueryValue.ValueKind kind, ReadOnlySpan<byte> bytes)
    {
        bytes.CopyTo(_bytes.Extend(bytes.Length));
        return AddValue(kind, bytes.Length);
    }

    private int AddLeaf(QueryNodeKind kind, string field, int firstValue, int count)
    {
        ArgumentNullException.ThrowIfNull(field);
        return Add(new QueryNode { Kind = kind, Field = field, FirstValue = firstValue, ValueCount = count });
    }

    private int Add(in QueryNode node)
    {
        if (NodeCount == _nodes.Length)
        {
            Array.Resize(ref _nodes, NodeCount * 2);
        }

        _nodes[NodeCount] = node;
        return NodeCount++;
    }

    private int AddValue(QueryValue.ValueKind kind, int length) =>
        AddValue(new QueryValue { Kind = kind, Start = _bytes.Length - length, Length = length });

    private int AddValue(in QueryValue value)
    {
        if (_valueCount == _values.Length)
        {
            Array.Resize(ref _values, _valueCount * 2);
        }

        _values[_valueCount] = value;
        return _valueCount++;
    }
}
