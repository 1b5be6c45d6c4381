using System.Buffers;
using System.Diagnostics;
using System.Globalization;
using System.Text.Json;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Server.Documents;
using Raven.Server.Documents.Changes;
using Raven.Server.Documents.Rows;
using Raven.Server.Indexing.Auto;
using Raven.Server.Indexing.Definitions;
using Raven.Server.Indexing.Extensions;
using Raven.Server.Indexing.Maps;
using Raven.Server.Indexing.Reduce;
using Raven.Server.Indexing.Storage;
using Raven.Storage.Options;

namespace Raven.Server.Indexing;

//   IDXS-1  Which indexes there are is kept among the documents' structures, durable with them; what an index holds is
//           in a folder of its own. A folder of which no record says is nobody's and is removed.
//   IDXS-2  A commit only signals; what is behind is found out on a thread of the indexes.
//   IDXS-3  Files of indexes are open only while their database is: who uses them holds it.

/// <summary>The indexes of one database. Any thread.</summary>
internal sealed class DatabaseIndexes : IDisposable
{
    private readonly Lock _gate = new();
    private readonly IndexExtensions _extensions;
    private readonly Func<IDatabaseFolders> _openFolders;
    private readonly Func<StorageOptions, StorageOptions> _configure;
    private volatile Dictionary<string, DatabaseIndex> _byName = new(StringComparer.OrdinalIgnoreCase);
    private volatile bool _isLoaded;
    private volatile bool _needsRetry;
    private volatile bool _isPaused;
    private IDatabaseFolders? _folders;
    private int _isSignaled;
    private long _lastFolder;
    private long _nextLook;

    /// <summary>The indexes of a database, which are read from it by their first use.</summary>
    /// <param name="database">The database.</param>
    /// <param name="services">What all databases share.</param>
    /// <param name="openFolders">The folders of the indexes.</param>
    /// <param name="configure">Turns the options of a storage environment into those that are wanted.</param>
    internal DatabaseIndexes(
        Database database, IndexingServices services, Func<IDatabaseFolders> openFolders,
        Func<StorageOptions, StorageOptions> configure)
    {
        Database = database;
        Services = services;
        _openFolders = openFolders;
        _configure = configure;
        _extensions = new IndexExtensions(services.Compiler, services.Extensions);
        Pace = new LookPace(services.Options.LookInterval);
        Changes = new IndexChanges(this);
        Auto = new AutoIndexes(this);
    }

    /// <summary>The database.</summary>
    internal Database Database { get; }

    /// <summary>What all databases share.</summary>
    internal IndexingServices Services { get; }

    /// <summary>How often a database that changes all the time is looked at.</summary>
    internal LookPace Pace { get; }

    /// <summary>Makes, changes and deletes them.</summary>
    internal IndexChanges Changes { get; }

    /// <summary>Those that queries make.</summary>
    internal AutoIndexes Auto { get; }

    /// <summary>Whether indexing as a whole was told to pause: also an index that is made meanwhile.</summary>
    internal bool IsPaused
    {
        get => _isPaused;
        set => _isPaused = value;
    }

    /// <summary>Whether the records have been read.</summary>
    internal bool IsLoaded => _isLoaded;

    /// <summary>The analyzers and sorters that the database was given, and those of all databases.</summary>
    internal IndexExtensions Extensions
    {
        get
        {
            Load();
            return _extensions;
        }
    }

    /// <summary>All of them, by name. Reads the records where that was not done yet.</summary>
    internal IReadOnlyCollection<DatabaseIndex> All
    {
        get
        {
            Load();
            return _byName.Values;
        }
    }

    /// <summary>Finds one by its name in any case.</summary>
    internal DatabaseIndex? Find(string name)
    {
        Load();
        return _byName.GetValueOrDefault(name);
    }

    /// <summary>The database has changed, or was opened (IDXS-2).</summary>
    internal void Signal()
    {
        if (Volatile.Read(ref _isSignaled) == 0 && Interlocked.Exchange(ref _isSignaled, 1) == 0)
        {
            Services.Threads.Signal(this, Volatile.Read(ref _nextLook));
        }
    }

    /// <summary>Queues every index that is behind the documents. On a thread of the indexes.</summary>
    internal void EnqueueBehind()
    {
        Volatile.Write(ref _nextLook, Stopwatch.GetTimestamp() + Pace.TakeRest());
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
                    if (index.CoveredEtag < last)
                    {
                        index.EnqueueIfIdle();
                    }
                }
            }
        }
        catch (DatabaseDeletedException)
        {
            // It went between the look and the read: nothing is behind any more.
        }
        catch (Exception failure)
        {
            // Damage, or a folder that cannot be read. Nothing is above this thread; the next commit looks again.
            IndexLog.CannotLook(Services.Log, failure, Database.Name);
        }
        finally
        {
            documents.Release();
        }
    }

    /// <summary>What is done from time to time: brings commits to the medium, lets go of what nobody asks.</summary>
    internal void Tick()
    {
        // Whatever waits for a thread that the system did not start.
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
                index.Upkeep.Tick();
            }

            Auto.Retire();
        }
        catch (Exception failure) when (LoadFailures.IsKnown(failure))
        {
            IndexLog.CannotLook(Services.Log, failure, Database.Name);
        }
        finally
        {
            documents.Release();
        }

        if (_needsRetry)
        {
            // What failed for want of room or time is tried again.
            _needsRetry = false;
            Changes.Chores.TryAgain();
            foreach (DatabaseIndex index in _byName.Values)
            {
                // Also one that has all documents: what failed may have come behind its last batch.
                index.EnqueueIfIdle();
            }
        }
    }

    /// <summary>Has the indexes give memory back that they only keep. The caller holds the database.</summary>
    internal void GiveIdleMemoryBack()
    {
        if (_isLoaded)
        {
            foreach (DatabaseIndex index in _byName.Values)
            {
                index.Upkeep.GiveIdleMemoryBack();
            }
        }
    }

    /// <summary>An index could not go on, and may be able to later.</summary>
    internal void RetryLater() => _needsRetry = true;

    /// <summary>Closes all files. Nobody holds the database.</summary>
    internal void Close()
    {
        foreach (DatabaseIndex index in _byName.Values)
        {
            index.Close();
        }
    }

    /// <summary>The database has gone to another folder: what they hold stays behind and is made anew.</summary>
    internal void Move()
    {
        lock (_gate)
        {
            _folders = null;
        }

        Close();
        Signal();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (DatabaseIndex index in _byName.Values)
        {
            index.Dispose();
        }
    }

    /// <summary>A number for a new folder.</summary>
    internal long NextFolder()
    {
        // A record that was lost with the documents' tail may have left its folder behind.
        IDatabaseFolders folders = Folders();
        long folder;
        do
        {
            folder = Interlocked.Increment(ref _lastFolder);
        }
        while (folders.Exists(FolderOf(folder)));
        return folder;
    }

    /// <summary>Makes an index of a record.</summary>
    /// <exception cref="IndexCompilationException">Its maps cannot be compiled.</exception>
    internal DatabaseIndex Create(IndexRecord record)
    {
        IndexDefinition definition = record.Definition;
        foreach (string field in definition.Fields.Keys)
        {
            FieldKeeping.Of(field, definition.OptionsOf(field), FindAnalyzer);
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
        var batch = new IndexingBatch(definition, maps, reduce, options, Services.Clock, FindAnalyzer);
        var index = new DatabaseIndex(this, record, batch, fault: null)
        {
            KnownFields = FieldsOf(definition, maps, reduce),
        };
        if (_isPaused)
        {
            index.IsPaused = true;
        }

        return index;
    }

    /// <summary>Finds an analyzer that a user wrote; null where there is none.</summary>
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

    /// <summary>Replaces which indexes there are: some come, some names go. Called by one at a time.</summary>
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

            _byName = byName;
        }

        Signal();
    }

    internal IndexStorage OpenStorage(IndexRecord record, Action<SearchIndex> load, out string? problem)
    {
        DatabaseStorage documents = Database.Enter();
        try
        {
            using DocumentSnapshot snapshot = Database.BeginRead();
            return IndexStorage.Open(
                Folders(), FolderOf(record.Folder), _configure, FindAnalyzerOfIndex, documents.Id.Value,
                position => OpeningHistory.Judge(snapshot.Transaction, position.Opening, position.SeenEtag),
                load, out problem);
        }
        finally
        {
            documents.Release();
        }
    }

    /// <summary>The storage environment of an index.</summary>
    internal StorageOptions StorageOf(IndexRecord record) =>
        _configure(new StorageOptions { FileSystem = Folders().Open(FolderOf(record.Folder)) });

    /// <summary>Removes a folder that no index uses any more; where that fails, the next load does.</summary>
    internal void DeleteFolder(IndexRecord record) => DeleteFolder(FolderOf(record.Folder));

    /// <summary>An index has all that there was when its last run began.</summary>
    internal void CaughtUp(DatabaseIndex index)
    {
        index.Upkeep.HasCaughtUp = true;
        if (index.Name.StartsWith(IndexRecord.ReplacementPrefix, StringComparison.OrdinalIgnoreCase))
        {
            Changes.BeginSwap(index);
        }
    }

    /// <summary>Tells those who watch that an index has committed a batch.</summary>
    internal void TellBatch(DatabaseIndex index) => Tell("BatchCompleted", index.Name);

    /// <summary>Tells those who watch indexes.</summary>
    internal void Tell(string type, string name)
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

        Database.Hub.Tell(
            buffer.WrittenSpan,
            new ChangeWatch(ChangeWatchKind.AllIndexes, ""),
            new ChangeWatch(ChangeWatchKind.Index, ChangesHub.Fold(System.Text.Encoding.UTF8.GetBytes(name))));
    }

    /// <summary>The analyzer that an index was written with; null where that is not to be had any more.</summary>
    private Analyzer? FindAnalyzerOfIndex(string name) => name.Contains('#', StringComparison.Ordinal)
        ? _extensions.FindAnalyzer(name)
        : Analyzers.TryGet(name, out Analyzer? known) ? known : null;

    /// <summary>The fields that entries may have; null where that is not known from the texts.</summary>
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

    private static string FolderOf(long number) =>
        string.Create(CultureInfo.InvariantCulture, $"index-{number}");

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
                _lastFolder = Math.Max(_lastFolder, record.Folder);
            }

            if (byName.Count > 0)
            {
                RemoveOrphans(byName.Values.Select(index => FolderOf(index.Record.Folder)));
            }

            _byName = byName;
            _isLoaded = true;
        }
    }

    /// <summary>An index that was made before: what cannot be compiled any more says so, and stands still.</summary>
    private DatabaseIndex CreateKept(IndexRecord record)
    {
        try
        {
            return Create(record);
        }
        catch (IndexCompilationException problem)
        {
            IndexLog.StandsStill(Services.Log, Database.Name, record.Definition.Name, problem.Message);
            return new DatabaseIndex(this, record, batch: null, problem.Message);
        }
    }

    private void RemoveOrphans(IEnumerable<string> known)
    {
        foreach (string orphan in Folders().List().Except(known, StringComparer.Ordinal))
        {
            DeleteFolder(orphan);
        }
    }

    private void DeleteFolder(string folder)
    {
        try
        {
            Folders().Delete(folder);
        }
        catch (Exception failure) when (LoadFailures.IsKnown(failure))
        {
            IndexLog.Left(Services.Log, failure, folder, Database.Name);
        }
    }

    private IDatabaseFolders Folders()
    {
        lock (_gate)
        {
            return _folders ??= _openFolders();
        }
    }
}
