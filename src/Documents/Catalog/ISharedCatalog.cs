using Raven.Documents.Indexing.Extensions;

namespace Raven.Documents.Catalog;

//   SHARE-1  What the servers of a cluster share is changed for all of them first, and counts on the one that changes
//            it afterwards. What cannot be changed for all has changed nowhere.

/// <summary>
/// Where several servers keep together what is in their catalogs. What it throws refuses the change. Called outside the
/// lock of the catalog, on any thread; each call takes as long as the others need to know of it.
/// </summary>
public interface ISharedCatalog
{
    /// <summary>Replaces the record of a database for all servers.</summary>
    /// <param name="database">Its name.</param>
    /// <param name="stored">The record that it replaces.</param>
    /// <param name="record">The record, with its secrets sealed.</param>
    /// <returns>False if all have another one than <paramref name="stored"/>: the catalog has it, too, then.</returns>
    bool TryShareRecord(string database, ReadOnlyMemory<byte> stored, ReadOnlyMemory<byte> record);

    /// <summary>Replaces the configuration for clients of all databases.</summary>
    /// <param name="json">The configuration.</param>
    void ShareClientConfiguration(byte[] json);

    /// <summary>Stores analyzers and sorters of all databases, and removes one.</summary>
    /// <param name="put">Those that are stored.</param>
    /// <param name="kind">The kind of the one that is removed.</param>
    /// <param name="deleted">Its name; null for none.</param>
    void ShareExtensions(IReadOnlyList<ExtensionSource> put, ExtensionKind kind, string? deleted);
}
