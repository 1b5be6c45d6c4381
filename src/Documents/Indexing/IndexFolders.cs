using System.Collections.Concurrent;
using System.Globalization;
using Raven.Documents.Indexing.Storage;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Storage.Options;

namespace Raven.Documents.Indexing;

/// <summary>The folders of the indexes of a database (IDXS-1). Any thread.</summary>
/// <param name="database">The database.</param>
/// <param name="services">Has the log.</param>
/// <param name="open">The folders of the database as it is now.</param>
/// <param name="configure">Changes the options of a storage environment before it is opened.</param>
internal sealed class IndexFolders(
    Database database, IndexingServices services, Func<IDatabaseFolders> open,
    Func<StorageOptions, StorageOptions> configure)
{
    private readonly Lock _gate = new();
    private readonly ConcurrentDictionary<long, int> _renewed = new();
    private IDatabaseFolders? _folders;
    private long _last;

    /// <summary>The number of a new folder.</summary>
    internal long Next()
    {
        // A record that was lost with the last changes of the documents may have left its folder.
        IDatabaseFolders folders = Folders();
        long folder;
        do
        {
            folder = Interlocked.Increment(ref _last);
        }
        while (folders.Exists(NameOf(folder)));
        return folder;
    }

    /// <summary>
    /// Notes that the folder of a record has its number: new ones get higher ones. One caller at a time.
    /// </summary>
    internal void Note(IndexRecord record) => _last = Math.Max(_last, record.Folder);

    /// <summary>Has this node keep an index in another folder, while its record, which is that of all nodes of a group,
    /// stays.</summary>
    internal void Renew(IndexRecord record) => _renewed.AddOrUpdate(record.Folder, 1, (_, count) => count + 1);

    /// <summary>Called when the database has another folder.</summary>
    internal void Forget()
    {
        lock (_gate)
        {
            _folders = null;
        }
    }

    internal IndexStorage Open(
        IndexRecord record, Func<string, Analyzer?> analyzers, Guid databaseId, Func<IndexPosition, string?> judge,
        Action<SearchIndex> load, out string? problem) => IndexStorage.Open(
            Folders(), NameOf(record.Folder), configure, analyzers, record.Definition.GraphOf,
            IndexEngines.Of(record.Definition, services.Options), databaseId, judge, load, out problem);

    /// <summary>The storage environment of an index.</summary>
    internal StorageOptions StorageOf(IndexRecord record) =>
        configure(new StorageOptions { FileSystem = Folders().Open(NameOf(record.Folder)) });

    /// <summary>Removes a folder that no index uses any more. If that fails, the next load removes it.</summary>
    internal void Delete(IndexRecord record) => Delete(NameOf(record.Folder));

    /// <summary>Removes the folders that have no record.</summary>
    internal void RemoveOthers(IEnumerable<IndexRecord> known)
    {
        foreach (string[] parts in Folders().List().Select(name => name.Split('-')).Where(parts => parts.Length == 3))
        {
            if (long.TryParse(parts[1], CultureInfo.InvariantCulture, out long number)
                && int.TryParse(parts[2], CultureInfo.InvariantCulture, out int count))
            {
                _renewed[number] = Math.Max(count, _renewed.GetValueOrDefault(number));
            }
        }

        foreach (string orphan in
            Folders().List().Except(known.Select(record => NameOf(record.Folder)), StringComparer.Ordinal))
        {
            Delete(orphan);
        }
    }

    private string NameOf(long number) => _renewed.TryGetValue(number, out int count)
        ? string.Create(CultureInfo.InvariantCulture, $"index-{number}-{count}")
        : string.Create(CultureInfo.InvariantCulture, $"index-{number}");

    private void Delete(string folder)
    {
        try
        {
            Folders().Delete(folder);
        }
        catch (Exception failure) when (LoadFailures.IsKnown(failure))
        {
            IndexLog.Left(services.Log, failure, folder, database.Name);
        }
    }

    private IDatabaseFolders Folders()
    {
        lock (_gate)
        {
            return _folders ??= open();
        }
    }
}
