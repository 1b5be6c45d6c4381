using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Text.Json;
using Raven.Documents.Changes;
using Raven.Documents.Ids;
using Raven.Documents.Indexing.Auto;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Extensions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Reduce;
using Raven.Documents.Indexing.Storage;
using Raven.Documents.Rows;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Storage.Options;

namespace Raven.Documents.Indexing;

//   IDXS-1  The records of the indexes are among the documents' structures, durable with them; the contents of an index
//           are in a folder of its own. A folder without a record belongs to no index and is removed.
//   IDXS-2  A commit only signals that the database has changed; an indexing thread finds the indexes that are behind.
//   IDXS-3  Files of indexes are open only while their database is: a user of the files holds the database.

/// <summary>The indexes of one database. Any thread.</summary>
public sealed class DatabaseIndexes : IDatabaseIndexes
{
    private readonly Lock _gate = new();
    private readonly IndexExtensions _extensions;
    private readonly IndexFolders _folders;
    private readonly ConcurrentDictionary<DatabaseIndex, bool> _failed = [];
    private volatile Dictionary<string, DatabaseIndex> _byName = new(StringComparer.OrdinalIgnoreCase);
    private volatile bool _isLoaded;
    private volatile bool _needsRetry;
    private int _isSignaled;
    private long _nextPoll;

    /// <summary>Makes the set, which the first use reads from the database.</summary>
    /// <param name="database">The database.</param>
    /// <param name="services">What all databases share.</param>
    /// <param name="openFolders">The folders of the indexes.</param>
    /// <param name="configure">Changes the options of a storage environment before it is opened.</param>
    internal DatabaseIndexes(
        Database database, IndexingServices services, Func<IDatabaseFolders> openFolders,
        Func<StorageOptions, StorageOptions> configure)
    {
        Database = database;
        Services = services;
        _folders = new IndexFolders(database, services, openFolders, configure);
        _extensions = new IndexExtensions(services.Compiler, services.Extensions);
        Backoff = new PollBackoff(services.Options.PollInterval);
        Changes = new IndexChanges(this);
        Auto = new AutoIndexes(this);
        Pause = new IndexPause(this);
        Followed = new FollowedRecords(this, _folders, _extensions);
    }

    internal Database Database { get; }

    /// <summary>What all databases share.</summary>
    internal IndexingServices Services { get; }

    /// <summary>How often a database that changes all the time is checked.</summary>
    internal PollBackoff Backoff { get; }

    /// <summary>Makes, changes and deletes indexes.</summary>
    public IndexChanges Changes { get; }

    /// <summary>The automatic indexes.</summary>
    internal AutoIndexes Auto { get; }

    /// <summary>Which of them are paused.</summary>
    public IndexPause Pause { get; }

    /// <summary>Takes the records as another node has changed them.</summary>
    internal FollowedRecords Followed { get; }

    /// <summary>Whether the records have been read.</summary>
    internal bool IsLoaded => _isLoaded;

    /// <summary>The analyzers and sorters of the database, and those of all databases.</summary>
    public IndexExtensions Extensions
    {
        get
        {
            Load();
            return _extensions;
        }
    }

    /// <summary>Those that were read or made so far.</summary>
    internal IReadOnlyCollection<DatabaseIndex> Known => _byName.Values;

    /// <summary>The names by which they are found.</summary>
    internal IReadOnlyCollection<string> Names => _byName.Keys;

    /// <summary>All indexes, by name. Reads the records if that was not done yet.</summary>
    public IReadOnlyCollection<DatabaseIndex> All
    {
        get
        {
            Load();
            return _byName.Values;
        }
    }

    /// <summary>Finds an index by its name in any case.</summary>
    public DatabaseIndex? Find(string name)
    {
        Load();
        return _byName.GetValueOrDefault(name);
    }

    /// <summary>Called when the database has changed, or was opened (IDXS-2).</summary>
    public void Signal()
    {
        if (Volatile.Read(ref _isSignaled) == 0 && Interlocked.Exchange(ref _isSignaled, 1) == 0)
        {
            Services.Threads.Signal(this, Volatile.Read(ref _nextPoll));
        }
    }

    /// <summary>Queues every index that is behind the documents. Called by an indexing thread.</summary>
    internal void EnqueueBehind()
    {
        Volatile.Write(ref _nextPoll, Stopwatch.GetTimestamp() + Backoff.NextDelay());
        Volatile.Write(ref _isSignaled, 0);
        if (!Database.TryEnter(out DatabaseStorage? documents))
        {
            return;
        }

        try
        {
            Load();
            if (_byName.Count > 0)
            {
                using DocumentSnapshot snapshot = Database.BeginRead();
                long last = snapshot.LastEtag;
                foreach (DatabaseIndex index in _byName.Values)
                {
                    if (index.CoveredEtag < last && !_failed.ContainsKey(index))
                    {
                        index.EnqueueIfIdle();
                    }
                }
            }
        }
        catch (DatabaseDeletedException)
        {
            // The database was closed after the check: no index is behind any more.
        }
        catch (Exception failure)
        {
            // Damage, or a folder that cannot be read. No caller handles the exception; the next commit checks again.
            IndexLog.CannotPoll(Services.Log, failure, Database.Name);
        }
        finally
        {
            documents.Release();
        }
    }

    /// <inheritdoc/>
    public long SeenByAll()
    {
        long seen = long.MaxValue;
        foreach (DatabaseIndex index in All)
        {
            // How far it is, is known after it was opened; one that cannot be opened has seen nothing.
            index.TryHold()?.Release();
            seen = Math.Min(seen, index.CoveredEtag);
        }

        return seen;
    }

    /// <summary>The regular work: syncs commits to the disk, and deletes indexes that are not queried.</summary>
    public void Tick()
    {
        // Starts a thread for work that waits, as the system may have started none.
        Services.Threads.WakeIfWaiting();
        Services.Merges.WakeIfWaiting();
        if (!_isLoaded || _byName.Count == 0 || !Database.TryEnter(out DatabaseStorage? documents))
        {
            return;
        }

        try
        {
            foreach (DatabaseIndex index in _byName.Values)
            {
                index.Maintenance.Tick();
            }

            Auto.Retire();
        }
        catch (Exception failure) when (LoadFailures.IsKnown(failure))
        {
            IndexLog.CannotPoll(Services.Log, failure, Database.Name);
        }
        finally
        {
            documents.Release();
        }

        if (_needsRetry)
        {
            // Failures for lack of room or time are tried again.
            _needsRetry = false;
            _failed.Clear();
            Changes.Maintenance.RetryFailed();
            foreach (DatabaseIndex index in _byName.Values)
            {
                // Also an index that has all documents: it may have failed after its last batch.
                index.EnqueueIfIdle();
            }
        }
    }

    /// <summary>Has the indexes give back memory that they keep for reuse. The caller holds the database.</summary>
    internal void GiveIdleMemoryBack()
    {
        if (_isLoaded)
        {
            foreach (DatabaseIndex index in _byName.Values)
            {
                index.Maintenance.GiveIdleMemoryBack();
            }
        }
    }

    /// <summary>Notes that work failed which may succeed later: the next <see cref="Tick"/> tries it again.</summary>
    internal void RetryLater() => _needsRetry = true;

    /// <summary>
    /// Notes that an index failed and may succeed later. Commits do not run it until the next <see cref="Tick"/>:
    /// beside a full disk each of them would fail it again.
    /// </summary>
    internal void RetryLater(DatabaseIndex failed)
    {
        _failed[failed] = true;
        RetryLater();
    }

    /// <summary>Closes all files. The database must have no users.</summary>
    public void Close()
    {
        foreach (DatabaseIndex index in _byName.Values)
        {
            index.Close();
        }
    }

    /// <summary>Called when the database has another folder. The contents of the indexes are in the old one, so that
    /// the indexes are rebuilt.</summary>
    public void Move()
    {
        _folders.Forget();
        Close();
        Signal();
    }

    /// <inheritdoc/>
    public void Refresh() => Followed.Begin();

    /// <inheritdoc/>
    public Task Refreshed => Followed.Done;

    /// <inheritdoc/>
    public void Lead() => Followed.Lead();

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (DatabaseIndex index in _byName.Values)
        {
            index.Dispose();
        }
    }

    /// <summary>The number of a new folder.</summary>
    internal long NextFolder() => _folders.Next();

    /// <summary>Makes an index of a record.</summary>
    /// <exception cref="IndexCompilationException">Its maps cannot be compiled.</exception>
    internal DatabaseIndex Create(IndexRecord record)
    {
        IndexDefinition definition = record.Definition;
        foreach (string field in definition.Fields.Keys)
        {
            FieldMapping.Of(field, definition.OptionsOf(field), FindAnalyzer);
        }

        IReadOnlyList<DocumentMap> maps =
            definition.IsAuto ? [new AutoMap(definition)] : Services.Compiler.Compile(definition);
        ReduceStage? reduce = definition.Type == IndexType.AutoMapReduce
            ? MapReduceStage.OfAggregates(
                PathsOf(definition, AggregateKind.Key), PathsOf(definition, AggregateKind.Sum), "Count")
            : definition.IsMapReduce ? Services.Compiler.CompileReduce(definition) : null;
        if (definition.IsMapReduce && reduce is null)
        {
            throw new IndexCompilationException(
                $"The index '{definition.Name}' groups, which this server cannot do.");
        }

        IndexingOptions options = definition.Settings.BatchDocumentsMax is { } documents
            ? Services.Options with { BatchDocumentsMax = documents }
            : Services.Options;
        var batch = new BatchIndexer(definition, maps, reduce, options, Services.Clock, FindAnalyzer);
        var index = new DatabaseIndex(this, record, batch, fault: null)
        {
            KnownFields = FieldsOf(definition, maps, reduce),
        };
        Pause.Begin(index);
        return index;
    }

    /// <summary>Finds an analyzer that a user wrote; null if there is none.</summary>
    /// <exception cref="IndexCompilationException">It cannot be compiled any more.</exception>
    internal Analyzer? FindAnalyzer(string name)
    {
        try
        {
            return _extensions.FindAnalyzer(name);
        }
        catch (ExtensionException problem)
        {
            throw new IndexCompilationException(problem.Message, problem);
        }
    }

    /// <summary>Adds and removes indexes. One caller at a time.</summary>
    internal void Publish(IEnumerable<DatabaseIndex> come, IEnumerable<string> go)
    {
        lock (_gate)
        {
            Dictionary<string, DatabaseIndex> byName = new(_byName, StringComparer.OrdinalIgnoreCase);
            foreach (string name in go)
            {
                byName.Remove(name);
            }

            foreach (DatabaseIndex index in come)
            {
                byName[index.Name] = index;
            }

            Pause.Take(byName.Values.Except(_byName.Values), () => _byName = byName);
        }

        Signal();
    }

    internal IndexStorage OpenStorage(IndexRecord record, Action<SearchIndex> load, out string? problem)
    {
        DatabaseStorage documents = Database.Enter();
        try
        {
            using DocumentSnapshot snapshot = Database.BeginRead();
            return _folders.Open(
                record, FindAnalyzerOfIndex, documents.Id.Value,
                position => OpeningHistory.FindDivergence(snapshot.Transaction, position.Opening, position.SeenEtag),
                load, out problem);
        }
        finally
        {
            documents.Release();
        }
    }

    /// <summary>The storage environment of an index.</summary>
    internal StorageOptions StorageOf(IndexRecord record) => _folders.StorageOf(record);

    /// <summary>Removes a folder that no index uses any more. If that fails, the next load removes it.</summary>
    internal void DeleteFolder(IndexRecord record) => _folders.Delete(record);

    /// <summary>Called when an index has all changes that were made before its last run.</summary>
    internal void CaughtUp(DatabaseIndex index)
    {
        index.Maintenance.HasCaughtUp = true;
        if (index.Name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase))
        {
            Changes.BeginSwap(index);
        }
    }

    /// <summary>Notifies connections that watch that an index has committed a batch.</summary>
    internal void NotifyBatchCompleted(DatabaseIndex index) => Notify("BatchCompleted", index.Name);

    /// <summary>Notifies connections that watch indexes.</summary>
    public void Notify(string type, string name)
    {
        if (Database.Hub.Count == 0)
        {
            return;
        }

        var buffer = new ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            json.WriteString("Type"u8, "IndexChange"u8);
            json.WriteStartObject("Value"u8);
            json.WriteString("Type"u8, type);
            json.WriteString("Name"u8, name);
            json.WriteEndObject();
            json.WriteEndObject();
        }

        Database.Hub.Notify(
            buffer.WrittenSpan,
            new ChangeWatch(ChangeWatchKind.AllIndexes, ""),
            new ChangeWatch(ChangeWatchKind.Index, DocumentId.FoldedText(System.Text.Encoding.UTF8.GetBytes(name))));
    }

    /// <summary>The analyzer that an index was written with; null if it does not exist any more.</summary>
    private Analyzer? FindAnalyzerOfIndex(string name) =>
        name.Contains('#', StringComparison.Ordinal) && _extensions.FindAnalyzer(name) is { } custom
            ? custom
            : KnownAnalyzers.Find(name, out _);

    /// <summary>The fields that entries may have; null if the texts do not show them.</summary>
    private static HashSet<string>? FieldsOf(
        IndexDefinition definition, IReadOnlyList<DocumentMap> maps, ReduceStage? reduce)
    {
        IEnumerable<IReadOnlyList<string>> lists = reduce is null ? maps.Select(map => map.Fields) : [reduce.Fields];
        bool isKnown = !definition.IsAuto && lists.All(list => list.Count > 0 && !list.Contains("_"))
            && !definition.Maps.Append(definition.Reduce).Any(text => text?.Contains("CreateField") == true);
        IEnumerable<string> declared = definition.Fields.Keys.Where(name => name != IndexFieldOptions.AllFields);
        return isKnown ? [.. lists.SelectMany(list => list), .. declared] : null;
    }

    private static IEnumerable<string> PathsOf(IndexDefinition definition, AggregateKind kind) =>
        definition.AutoFields.Where(field => field.Aggregate == kind).Select(field => field.Path);

    private void Load()
    {
        if (_isLoaded)
        {
            return;
        }

        using DocumentSnapshot snapshot = Database.BeginRead();
        lock (_gate)
        {
            if (_isLoaded)
            {
                return;
            }

            _extensions.Load(ExtensionStore.ReadAll(snapshot.Transaction));
            Dictionary<string, DatabaseIndex> byName = new(StringComparer.OrdinalIgnoreCase);
            foreach (IndexRecord record in IndexRecords.ReadAll(snapshot.Transaction))
            {
                byName[record.Definition.Name] = CreateKept(record);
                _folders.Note(record);
            }

            if (byName.Count > 0)
            {
                _folders.RemoveOthers(byName.Values.Select(index => index.Record));
            }

            Pause.Take(byName.Values.Except(_byName.Values), () => _byName = byName);
            _isLoaded = true;
        }
    }

    /// <summary>
    /// Makes an index of a record. An index that cannot be compiled any more is stopped with that reason.
    /// </summary>
    internal DatabaseIndex CreateKept(IndexRecord record)
    {
        try
        {
            return Create(record);
        }
        catch (IndexCompilationException problem)
        {
            IndexLog.HasStopped(Services.Log, Database.Name, record.Definition.Name, problem.Message);
            return new DatabaseIndex(this, record, batch: null, problem.Message);
        }
    }
}
