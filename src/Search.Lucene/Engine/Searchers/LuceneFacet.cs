using Lucene.Net.Index;
using Lucene.Net.Search;
using Lucene.Net.Util;
using Raven.Search.Fields;
using Raven.Search.Lucene.Engine.Fields;
using Raven.Search.Searchers;
using Raven.Search.Segments;

namespace Raven.Search.Lucene.Engine.Searchers;

/// <summary>
/// Counts the values of one field: of exact values by the ordinals of a segment, of words by their postings. Of an
/// entry that has a value and the text that it is called by (1 and "1"), only the text is counted.
/// </summary>
/// <param name="field">The counted field, or null.</param>
/// <param name="isWhole">All entries count as one value.</param>
/// <param name="numbers">The field with the numbers, or null.</param>
/// <param name="isAggregated">Whether sums of numbers are asked for.</param>
internal sealed class LuceneFacet(IndexField? field, bool isWhole, IndexField? numbers, bool isAggregated)
{
    private readonly SortedDictionary<byte[], FacetTotals> _totals =
        new(Comparer<byte[]>.Create((left, right) => left.AsSpan().SequenceCompareTo(right)));

    private FacetTotals[] _ofOrdinal = [];

    /// <summary>Counts the entries of a segment.</summary>
    internal void Add(AtomicReader segment, FixedBitSet found, CancellationToken cancellation)
    {
        OrderColumn? column = isAggregated ? OrderColumn.Open(segment, numbers) : null;
        if (isWhole)
        {
            FacetTotals totals = FacetTotals.Nothing;
            Visit(found, entry => Add(ref totals, column, entry), cancellation);
            Merge([TermCode.Null], totals);
        }
        else if (field is { Kind: FieldKind.FullText })
        {
            AddWords(segment, found, column, cancellation);
        }
        else if (OrderColumn.Open(segment, field) is { } values)
        {
            AddValues(values, found, column, cancellation);
        }
    }

    /// <summary>The values in their order.</summary>
    internal List<FacetValue> ToList() =>
    [
        .. _totals.Select(one => new FacetValue(
            TermCode.ReadValue(one.Key, isWhole: true), one.Value.Count, one.Value.NumberCount, one.Value.Sum,
            one.Value.Min, one.Value.Max)),
    ];

    private static void Visit(FixedBitSet found, Action<int> visit, CancellationToken cancellation)
    {
        DocIdSetIterator entries = found.GetIterator();
        for (int entry = entries.NextDoc(); entry != DocIdSetIterator.NO_MORE_DOCS; entry = entries.NextDoc())
        {
            TermCancellation.Step(entry, cancellation);
            visit(entry);
        }
    }

    private void AddValues(OrderColumn values, FixedBitSet found, OrderColumn? column, CancellationToken cancellation)
    {
        if (_ofOrdinal.Length < values.TermCount)
        {
            _ofOrdinal = new FacetTotals[values.TermCount];
        }

        _ofOrdinal.AsSpan(0, values.TermCount).Fill(FacetTotals.Nothing);
        int firstText = values.LowerBound([TermCode.Text]);
        Visit(found, entry =>
        {
            int[] ordinals = values.OrdinalsOf(entry).ToArray();
            bool isMixed = ordinals.Length > 0 && ordinals[0] < firstText && ordinals[^1] >= firstText;
            foreach (int ordinal in ordinals)
            {
                if (!isMixed || ordinal >= firstText
                    || NameOf(values.TermAt(ordinal)) is not { } name || !ordinals.Contains(values.Find(name)))
                {
                    Add(ref _ofOrdinal[ordinal], column, entry);
                }
            }
        }, cancellation);
        for (int ordinal = 0; ordinal < values.TermCount; ordinal++)
        {
            if (_ofOrdinal[ordinal].Count > 0 && TermCode.IsShown(values.TermAt(ordinal)))
            {
                Merge(values.TermAt(ordinal), _ofOrdinal[ordinal]);
            }
        }
    }

    private void AddWords(
        AtomicReader segment, FixedBitSet found, OrderColumn? column, CancellationToken cancellation)
    {
        if (segment.GetTerms(LuceneNames.Of(field!)) is not { } terms)
        {
            return;
        }

        TermsEnum cursor = terms.GetEnumerator();
        TermsEnum names = terms.GetEnumerator();
        DocsEnum? docs = null;
        while (cursor.MoveNext())
        {
            cancellation.ThrowIfCancellationRequested();
            ReadOnlySpan<byte> term = cursor.Term.AsSpan();
            if (!TermCode.IsShown(term))
            {
                continue;
            }

            // Entries that have the text of this value as well count for the text.
            FixedBitSet? ofText = term[0] < TermCode.Text && NameOf(term) is { } name
                && names.SeekExact(new BytesRef(name)) ? BitsOf(names, segment.MaxDoc) : null;
            FacetTotals totals = FacetTotals.Nothing;
            docs = cursor.Docs(found, docs, DocsFlags.NONE);
            for (int entry = docs.NextDoc(); entry != DocIdSetIterator.NO_MORE_DOCS; entry = docs.NextDoc())
            {
                if (ofText?.Get(entry) != true)
                {
                    Add(ref totals, column, entry);
                }
            }

            Merge(cursor.Term.AsSpan(), totals);
        }
    }

    private static FixedBitSet BitsOf(TermsEnum term, int entryCount)
    {
        FixedBitSet bits = new(entryCount);
        bits.Or(term.Docs(null, null, DocsFlags.NONE));
        return bits;
    }

    /// <summary>The term of the text that a value is called by; null if it is a place or a text itself.</summary>
    private static byte[]? NameOf(ReadOnlySpan<byte> term)
    {
        if (term[0] is TermCode.Point or >= TermCode.Text)
        {
            return null;
        }

        Span<byte> room = stackalloc byte[TermCode.NumberTextSizeMax];
        return [TermCode.Text, .. term[0] == TermCode.Null ? FacetValue.NameOfNull : TermCode.ReadText(term, room)];
    }

    private void Add(ref FacetTotals totals, OrderColumn? column, int entry)
    {
        totals.Count++;
        if (column is null)
        {
            return;
        }

        foreach (int ordinal in column.OrdinalsOf(entry))
        {
            if (ordinal >= column.FirstNumber && ordinal < column.EndOfNumbers)
            {
                totals.Add(TermCode.ReadDouble(column.TermAt(ordinal)));
            }
        }
    }

    private void Merge(ReadOnlySpan<byte> term, in FacetTotals totals)
    {
        if (totals.Count == 0)
        {
            return;
        }

        byte[] key = term.ToArray();
        FacetTotals all = _totals.GetValueOrDefault(key, FacetTotals.Nothing);
        all.Add(totals);
        _totals[key] = all;
    }
}
