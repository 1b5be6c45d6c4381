using Raven.Search.Fields;
using Raven.Search.Segments;
using Raven.Storage.Transactions;

namespace Raven.Search;

/// <summary>
/// A snapshot of an index. One thread at a time; its ids and stored bytes are valid until it is disposed of.
/// </summary>
public sealed class IndexReader : IDisposable
{
    private readonly SearchIndex _index;
    private ReadTransaction? _transaction;

    internal IndexReader(SearchIndex index) => _index = index;

    /// <summary>Entries that are not deleted.</summary>
    public int EntryCount => Segments.LiveCount;

    /// <summary>How many segments a query goes through.</summary>
    public int SegmentCount => Segments.Count;

    /// <summary>Whether a field has values that are lengths of time, which ranges compare by their ticks.</summary>
    /// <param name="field">The name of the field.</param>
    public bool HasDurations(string field) =>
        Catalog.Find(field) is { Kind: FieldKind.Exact } found && HasDurations(found);

    internal bool HasDurations(IndexField field)
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

    internal FieldCatalog Catalog { get; private set; } = FieldCatalog.New;

    /// <summary>Ends the snapshot.</summary>
    public void Dispose()
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
    internal void Begin(ReadTransaction transaction, SearchIndex index)
    {
        _transaction = transaction;
        Catalog = index.Catalog;
        Segments.Load(transaction);
    }
}
