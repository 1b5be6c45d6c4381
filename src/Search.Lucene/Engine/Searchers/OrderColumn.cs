using Lucene.Net.Index;
using Lucene.Net.Util;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>
/// The values of a field of one segment of Lucene, by entry: their ordinals have the order of values.
/// </summary>
internal sealed class OrderColumn
{
    private readonly SortedSetDocValues _values;
    private readonly BytesRef _term = new();
    private int[] _ordinals = new int[8];

    private OrderColumn(SortedSetDocValues values)
    {
        _values = values;
        TermCount = (int)values.ValueCount;
        FirstNumber = LowerBound([TermCode.Number]);
        EndOfNumbers = LowerBound([TermCode.Number + 1]);
        HasNull = TermCount > 0 && TermAt(0)[0] == TermCode.Null;
    }

    internal int TermCount { get; }

    /// <summary>The first ordinal that is a number.</summary>
    internal int FirstNumber { get; }

    internal int EndOfNumbers { get; }

    /// <summary>Whether the first ordinal is null.</summary>
    internal bool HasNull { get; }

    /// <summary>The column of a field of exact values; null if the segment has none.</summary>
    internal static OrderColumn? Open(AtomicReader segment, IndexField? field)
    {
        if (field is not { Kind: FieldKind.Exact })
        {
            return null;
        }

        if (field.Number == IndexNames.IdField)
        {
            // An entry has one id, so that its values are of the other kind.
            return segment.GetSortedDocValues(LuceneNames.Id) is { } ids
                ? new OrderColumn(DocValues.Singleton(ids))
                : null;
        }

        return segment.GetSortedSetDocValues(LuceneNames.Of(field)) is { } values ? new OrderColumn(values) : null;
    }

    /// <summary>The ordinals of an entry, ascending; valid until the next call.</summary>
    internal ReadOnlySpan<int> OrdinalsOf(int entry)
    {
        int count = 0;
        _values.SetDocument(entry);
        for (long ordinal = _values.NextOrd(); ordinal != SortedSetDocValues.NO_MORE_ORDS; ordinal = _values.NextOrd())
        {
            if (count == _ordinals.Length)
            {
                Array.Resize(ref _ordinals, count * 2);
            }

            _ordinals[count++] = (int)ordinal;
        }

        return _ordinals.AsSpan(0, count);
    }

    /// <summary>The bytes of a term; valid until the next call.</summary>
    internal ReadOnlySpan<byte> TermAt(int ordinal)
    {
        _values.LookupOrd(ordinal, _term);
        return _term.AsSpan();
    }

    /// <summary>The ordinal of a term; if it is absent, the complement of the next one's.</summary>
    internal int Find(ReadOnlySpan<byte> term) => (int)_values.LookupTerm(term.ToBytesRef());

    /// <summary>The first ordinal whose term is not before a term.</summary>
    internal int LowerBound(ReadOnlySpan<byte> term) => Find(term) is var found && found < 0 ? ~found : found;
}
