using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Storage.Transactions;

namespace Raven.Documents.Queries;

/// <summary>Looks into an index, whose files it holds open. One thread at a time.</summary>
public sealed class IndexInspection : IDisposable
{
    private readonly DatabaseIndex _index;
    private readonly IndexFieldNames _names;
    private readonly DatabaseStorage _documents;
    private readonly IndexStorage? _storage;

    private IndexInspection(Database database, DatabaseIndex index)
    {
        _index = index;
        _names = IndexFieldNames.Of(
            index, database.Indexes.FindAnalyzer,
            one => index.OpenedStorage?.Search.Fields.Any(known => known.Name == one) == true);
        _documents = database.Enter();
        _storage = index.TryHold();
    }

    /// <summary>Begins to look into an index.</summary>
    /// <param name="database">Its database.</param>
    /// <param name="index">The index.</param>
    public static IndexInspection Begin(Database database, DatabaseIndex index) => new(database, index);

    /// <summary>How many entries an index has; it is opened if it is closed.</summary>
    public static long EntryCountOf(DatabaseIndex index)
    {
        if (index.TryHold() is not { } storage)
        {
            return 0;
        }

        try
        {
            using IndexReader reader = storage.Search.BeginRead();
            return reader.EntryCount;
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>The entries and the files of an index, if it is open; null if it is not.</summary>
    internal static (long Entries, StorageStatistics Storage)? ReadIfOpen(DatabaseIndex index)
    {
        if (index.OpenedStorage is not { } storage || !storage.TryHold())
        {
            return null;
        }

        try
        {
            using IndexReader reader = storage.Search.BeginRead();
            return (reader.EntryCount, storage.Search.GetStorageStatistics());
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>How many documents an index has mapped, in all, and of how many the maps failed.</summary>
    public static (long All, long Failed) MappedBy(DatabaseIndex index)
    {
        IndexPosition position = index.Position;
        return (position.MapAttempts, position.MapErrors);
    }

    /// <summary>When an index was made.</summary>
    public static DateTimeOffset CreationOf(DatabaseIndex index) => index.Record.CreatedAt;

    /// <summary>Whether an index is built to replace another one.</summary>
    public static bool IsReplacement(DatabaseIndex index) =>
        index.Name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase);

    /// <summary>Why the index never has terms of a field; null if it may have.</summary>
    public string? WhyUnknown(string field)
    {
        if (_storage is null || _storage.Search.Fields.Any(one => one.Name == field))
        {
            return null;
        }

        IReadOnlyList<AutoField> own = _index.Definition.AutoFields;
        return !_index.Definition.IsAuto ? _names.WhyUnknown(field)
            : own.Any(one => one.Name == field) ? null
            : $"the index '{_index.Name}' has no field '{field}', but "
                + string.Join(", ", own.Select(one => one.Name));
    }

    /// <summary>The terms of a field, in their order.</summary>
    /// <param name="field">The field.</param>
    /// <param name="from">The last term that is left out; empty for none.</param>
    /// <param name="count">How many.</param>
    public IReadOnlyList<string> Terms(string field, string from, int count)
    {
        if (_storage is null)
        {
            return [];
        }

        using IndexReader reader = _storage.Search.BeginRead();
        return IndexTerms.Of(reader, _names.Plain(field), from, count);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _storage?.Release();
        _documents.Release();
    }
}
