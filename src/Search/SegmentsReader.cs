using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Storage.Transactions;

namespace Raven.Search;

/// <summary>A snapshot of an index of segments. Reused for later snapshots.</summary>
internal sealed class SegmentsReader : IndexReader
{
    private readonly SegmentsIndex _index;
    private ReadTransaction? _transaction;

    internal SegmentsReader(SegmentsIndex index) => _index = index;

    /// <inheritdoc/>
    public override int EntryCount => Segments.LiveCount;

    /// <inheritdoc/>
    public override int SegmentCount => Segments.Count;

    /// <inheritdoc/>
    internal override bool HasDurations(IndexField field)
    {
        for (int i = 0; i < Segments.Count; i++)
        {
            if (Segments[i].TryGetField(field.Number) is { HasDurations: true })
            {
                return true;
            }
        }

        return false;
    }

    internal SegmentList Segments { get; } = new();

    /// <inheritdoc/>
    internal override int EntryCountWithDeleted => Segments.EntryCount;

    /// <inheritdoc/>
    internal override IReadOnlyList<string> TermsOf(IndexField field, string from, int take) =>
        SegmentsTerms.Of(this, field, from, take);

    /// <inheritdoc/>
    internal override long CountEntries(IndexField field, ReadOnlySpan<byte> term)
    {
        long count = 0;
        for (int i = 0; i < Segments.Count; i++)
        {
            if (Segments[i].TryGetField(field.Number) is { } values && values.Find(term) is >= 0 and int ordinal)
            {
                count += values.DocumentFrequency(ordinal);
            }
        }

        return count;
    }

    /// <inheritdoc/>
    public override void Dispose()
    {
        if (_transaction is { } transaction)
        {
            _transaction = null;
            transaction.Dispose();
            _index.Return(this);
        }
    }

    /// <summary>
    /// Takes a snapshot, and the fields afterwards: it must not have segments whose fields it does not know.
    /// </summary>
    internal void Begin(ReadTransaction transaction, SegmentsIndex index)
    {
        _transaction = transaction;
        Catalog = index.Catalog;
        Segments.Load(transaction);
    }
}
