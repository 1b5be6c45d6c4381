using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search;

/// <summary>
/// A snapshot of an index. One thread at a time; its ids and stored bytes are valid until it is disposed of.
/// </summary>
public abstract class IndexReader : IDisposable
{
    internal IndexReader()
    {
    }

    /// <summary>Entries that are not deleted.</summary>
    public abstract int EntryCount { get; }

    /// <summary>How many segments a query goes through.</summary>
    public abstract int SegmentCount { get; }

    /// <summary>Whether a field has values that are lengths of time, which ranges compare by their ticks.</summary>
    /// <param name="field">The name of the field.</param>
    public bool HasDurations(string field) =>
        Catalog.Find(field) is { Kind: FieldKind.Exact } found && HasDurations(found);

    /// <summary>The fields that the snapshot knows.</summary>
    internal FieldCatalog Catalog { get; set; } = FieldCatalog.New;

    /// <summary>Entries of all segments, including deleted ones that are still kept.</summary>
    internal abstract int EntryCountWithDeleted { get; }

    /// <summary>Ends the snapshot.</summary>
    public abstract void Dispose();

    internal abstract bool HasDurations(IndexField field);

    /// <summary>See <see cref="IndexTerms"/>.</summary>
    internal abstract IReadOnlyList<string> TermsOf(IndexField field, string from, int take);

    /// <summary>How many entries have a term, including deleted ones that are still kept.</summary>
    internal abstract long CountEntries(IndexField field, ReadOnlySpan<byte> term);
}
