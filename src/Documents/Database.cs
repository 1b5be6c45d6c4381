using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Documents.Settings;
using Raven.Documents.Sweeps;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Raven.Documents;

//   DB-2  While a database is compacted, its changes wait and its reads go on: no change is made during the copy.

/// <summary>
/// One database: snapshots to read from, a queue of commands that change it. Opened by its first use, closed after it
/// was idle for a while, opened again by the next use: a reference to it stays valid until it is deleted. Any thread.
/// </summary>
public sealed class Database : IDisposable
{
    private readonly DatabaseOptions _options;
    private readonly WriteGate _writes;
    private readonly IDatabaseIndexes? _indexes;
    private readonly ReopenSchedule _due;
    private readonly DatabaseLifecycle _lifecycle;
    private readonly SeriesSweeper _series;
    private long _writesBesideUploads;
    private object? _subscriptions;

    /// <summary>Makes a database that is opened by its first use.</summary>
    internal Database(DatabaseOptions options)
    {
        _options = options;
        _due = new ReopenSchedule(options);
        _lifecycle = new DatabaseLifecycle(options, Changes, _due);
        _writes = new WriteGate(options.Name, options.Clock);
        Hub = new ChangesHub(Changes, options.NotificationFailed);
        Sweeper = new DatabaseSweeper(this, options.Clock);
        _series = new SeriesSweeper(this, options.Clock);
        Tombstones = new TombstoneCleaner(this, options.Tombstones, options.Clock);
        Unique = new UniqueConstraints(this, options.Clock);
        _indexes = options.MakeIndexes?.Invoke(this);
        _lifecycle.Indexes = _indexes;
        if (_indexes is not null)
        {
            Changes.Committed = _indexes.Signal;
        }

        Replica = options.IsInGroup ? new DatabaseReplica(this, options, _lifecycle, _indexes) : null;
    }

    /// <summary>The name of the database, as it was created.</summary>
    public string Name => _options.Name;

    /// <summary>The id of the database, a part of its change vectors. Opens the database.</summary>
    public DatabaseId Id
    {
        get
        {
            if (field is null)
            {
                DatabaseStorage storage = Enter();
                field = storage.Id;
                storage.Release();
            }

            return field;
        }
    }

    /// <summary>This node's copy of it, if a group of nodes keeps it; null if it is this server's alone.</summary>
    public DatabaseReplica? Replica { get; }

    /// <summary>False on a node that takes what another one writes.</summary>
    internal bool IsWriter => Replica is not { IsPrimary: false };

    /// <summary>The listeners to its changes.</summary>
    internal DocumentChanges Changes { get; } = new();

    /// <summary>Whether it is deleted: there will be no more changes.</summary>
    public bool IsDeleted => Changes.IsDeleted;

    /// <summary>The connections that watch its changes.</summary>
    public ChangesHub Hub { get; }

    /// <summary>Expires and refreshes its documents.</summary>
    internal DatabaseSweeper Sweeper { get; }

    /// <summary>Forgets deletions that nobody needs any more.</summary>
    public TombstoneCleaner Tombstones { get; }

    /// <summary>Works on constraints that are new or gone.</summary>
    internal UniqueConstraints Unique { get; }

    /// <summary>The indexes of the database; null for a database without indexing.</summary>
    internal IDatabaseIndexes? IndexesOrNone => _indexes;

    /// <summary>What its subscriptions have in memory, made by their first use: a database knows nothing of them.
    /// </summary>
    internal object SubscriptionsFor(Func<Database, object> make)
    {
        if (Volatile.Read(ref _subscriptions) is { } there)
        {
            return there;
        }

        object made = make(this);
        return Interlocked.CompareExchange(ref _subscriptions, made, null) ?? made;
    }

    /// <summary>Another node takes the writes: ends what its subscriptions have in memory.</summary>
    internal void EndSubscriptions() =>
        (Interlocked.Exchange(ref _subscriptions, null) as IDatabaseSubscriptions)?.EndAll();

    /// <summary>
    /// Why the database takes no writes any more, or could not be opened last time; null if neither is so.
    /// </summary>
    public string? Fault => OpenStorage?.Environment.Fault?.Message ?? _lifecycle.Failure;

    /// <summary>The open storage, or null.</summary>
    public DatabaseStorage? OpenStorage => _lifecycle.Storage;

    /// <summary>
    /// Why the database must not be opened, if that is known without an attempt; null if it may be opened.
    /// </summary>
    public string? Damage
    {
        get => _lifecycle.Damage;
        set => _lifecycle.Damage = value;
    }

    /// <summary>True while its environment is open.</summary>
    internal bool IsOpen => OpenStorage is not null;

    /// <summary>
    /// A number that changes if there are writes other than pieces of an upload. It does not count them exactly: of two
    /// concurrent writes, only one may change it.
    /// </summary>
    public long WritesBesideUploads => Volatile.Read(ref _writesBesideUploads);

    /// <summary>The settings of the database; null while it is not open.</summary>
    public DatabaseSettings? Settings => OpenStorage?.Writer.Settings;

    /// <summary>How often requests have used it.</summary>
    public UseCounter Uses { get; } = new();

    /// <summary>The large documents that were written since it was opened, the largest first.</summary>
    public IReadOnlyList<LargeDocument> LargeDocuments => OpenStorage?.Writer.Large.List() ?? [];

    /// <summary>True if the database is disabled, as its record also says.</summary>
    public bool IsDisabled { get; internal set; }

    /// <summary>True while its storage is copied: reads go on, changes wait.</summary>
    public bool IsCompacting => _writes.IsClosed;

    /// <summary>Begins a snapshot of the last commit. Dispose it soon.</summary>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public DocumentSnapshot BeginRead()
    {
        DatabaseStorage storage = Enter();
        try
        {
            return storage.BeginRead();
        }
        catch
        {
            storage.Release();
            throw;
        }
    }

    /// <summary>
    /// Executes a command in a transaction that it may share with others. Completes when the change is durable, or when
    /// the command was refused: then its <see cref="DocumentCommand.Failure"/> says why.
    /// </summary>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    /// <exception cref="NotPrimaryException">Another node takes the writes of its group; nothing was done.</exception>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    public async ValueTask SubmitAsync(DocumentCommand command)
    {
        if (Replica is { IsPrimary: false })
        {
            throw new NotPrimaryException(Name);
        }

        if (!_writes.TryEnter())
        {
            await _writes.EnterAsync().ConfigureAwait(false);
        }

        try
        {
            DatabaseStorage storage = Enter();
            try
            {
                command.BindTo(storage.Writer);
                if (!command.TryPrepare(storage.Writer.Settings))
                {
                    return;
                }

                _writesBesideUploads += command.IsPieceOfUpload ? 0 : 1;
                if (command.MakesDue)
                {
                    _due.StoreUnknown();
                }

                await storage.Merger.Enqueue(command).ConfigureAwait(false);
                storage.Space.Written();
            }
            catch (StorageIOException e) when (e.IsDiskFull)
            {
                storage.Space.Refused(e);
                throw;
            }
            catch (CommandRefusedException e)
            {
                command.Refuse(e.Failure);
            }
            finally
            {
                storage.Release();
            }
        }
        finally
        {
            _writes.Leave();
        }
    }

    /// <summary>Changes a setting of the database; in effect when this returns.</summary>
    /// <param name="name">One of the names of <see cref="SettingsStore"/>.</param>
    /// <param name="json">The setting.</param>
    /// <exception cref="FormatException">The setting is not valid; nothing has changed.</exception>
    public async ValueTask ConfigureAsync(string name, byte[] json)
    {
        SettingsStore.Check(name, json);
        await SubmitAsync(new SettingsCommand(name, SettingsStore.Complete(name, json))).ConfigureAwait(false);
        LoadSettings();

        if (name == SettingsStore.UniqueConstraints)
        {
            await Unique.ChangedAsync().ConfigureAwait(false);
        }
        else if (name == SettingsStore.SchemaValidation)
        {
            // What began under the settings before is stored when this returns, and can be reported.
            await SubmitAsync(new BarrierCommand()).ConfigureAwait(false);
        }
    }

    /// <summary>Changes a part of the configuration of time series; in effect when this returns.</summary>
    /// <param name="change">Makes the new configuration of the present one.</param>
    /// <exception cref="FormatException">The change is not valid; nothing has changed.</exception>
    private async ValueTask ConfigureTimeSeriesAsync(Func<TimeSeriesConfiguration, TimeSeriesConfiguration> change)
    {
        var command = new TimeSeriesSettingsCommand(change);
        await SubmitAsync(command).ConfigureAwait(false);
        if (command.Error is { } error)
        {
            throw new FormatException(error.Message, error);
        }

        LoadSettings();
    }

    private void LoadSettings()
    {
        DatabaseStorage storage = Enter();
        try
        {
            storage.LoadSettings();
            StoreNextDue();
        }
        finally
        {
            storage.Release();
        }
    }

    /// <summary>Adds a policy of time series, or replaces it.</summary>
    /// <param name="collection">The collection.</param>
    /// <param name="json">The policy, as clients send it.</param>
    /// <exception cref="FormatException">The policy is not valid; nothing has changed.</exception>
    public ValueTask ConfigureTimeSeriesPolicyAsync(string collection, byte[] json)
    {
        TimeSeriesPolicy policy = SettingsStore.ParsePolicy(json);
        return ConfigureTimeSeriesAsync(all => all.With(collection, policy));
    }

    /// <summary>Removes a policy of time series; what it made stays.</summary>
    /// <exception cref="FormatException">There is no such policy, or another one needs it.</exception>
    public ValueTask RemoveTimeSeriesPolicyAsync(string collection, string policy) =>
        ConfigureTimeSeriesAsync(all => all.Without(collection, policy));

    /// <summary>Gives the values of a time series names.</summary>
    /// <param name="json">An object with Collection, TimeSeries, ValueNames and Update.</param>
    /// <exception cref="FormatException">It is not valid, or the values have names and Update is not true.</exception>
    public ValueTask ConfigureTimeSeriesNamesAsync(byte[] json)
    {
        (TimeSeriesNames names, bool isUpdate) = SettingsStore.ParseNames(json);
        return ConfigureTimeSeriesAsync(all => all.With(names, isUpdate));
    }

    /// <summary>Holds the storage if it is open, without counting as a use; the caller releases it.</summary>
    internal bool TryEnter([NotNullWhen(true)] out DatabaseStorage? storage)
    {
        storage = null;
        return !IsDisabled && _lifecycle.TryHold(out storage);
    }

    /// <summary>Begins a snapshot if it is open, without counting as a use that keeps it open.</summary>
    internal bool TryBeginReadIfOpen([NotNullWhen(true)] out DocumentSnapshot? snapshot)
    {
        snapshot = null;
        if (!_lifecycle.TryHold(out DatabaseStorage? storage))
        {
            return false;
        }

        try
        {
            snapshot = storage.BeginRead();
            return true;
        }
        finally
        {
            // The snapshot keeps the hold; without a snapshot it is released here.
            if (snapshot is null)
            {
                storage.Release();
            }
        }
    }

    /// <summary>The figures of its storage, if it is open.</summary>
    public bool TryGetStorageStatistics([NotNullWhen(true)] out StorageStatistics? statistics)
    {
        statistics = null;
        if (_lifecycle.TryHold(out DatabaseStorage? storage))
        {
            statistics = storage.Environment.GetStatistics();
            storage.Release();
        }

        return statistics is not null;
    }

    /// <summary>True if the database is closed, and something in it is due: a document to expire, say.</summary>
    internal bool MustOpen(DateTimeOffset now) =>
        !IsOpen && !IsDisabled && Replica is null && _due.IsDue(now);

    /// <summary>Opens it if something is due: the next search finds it open.</summary>
    internal void OpenForDue()
    {
        _due.BeginOpening();
        try
        {
            BeginRead().Dispose();
        }
        catch (Exception e) when (LoadFailures.IsKnown(e))
        {
            // It is tried again in a minute; a caller that uses the database gets the error.
        }
    }

    /// <summary>Remembers, durably, that something in it may be due; the time is written when it is closed.</summary>
    internal void StoreNextDue()
    {
        if (TryBeginReadIfOpen(out DocumentSnapshot? snapshot))
        {
            using (snapshot)
            {
                if (Settings is { } settings && (settings.TimeSeries is { IsActive: true }
                    || DueTimes.MayBe(snapshot.Transaction, settings)))
                {
                    _due.StoreUnknown();
                }
            }
        }
    }

    /// <summary>Searches for documents that expire or are refreshed, if it is open and it is time for that.</summary>
    internal async Task SweepAsync(DateTimeOffset now)
    {
        _indexes?.Tick();

        // Held until all is done: what begins later would open it again if it was closed meanwhile.
        if (!IsWriter || !TryEnter(out DatabaseStorage? held))
        {
            return;
        }

        try
        {
            DatabaseSettings settings = held.Writer.Settings;
            await Task.WhenAll(
                Sweeper.RingAsync(settings, now.UtcTicks), _series.RingAsync(settings, now.UtcTicks),
                Tombstones.RingAsync(), Unique.RingAsync(settings)).ConfigureAwait(false);
        }
        finally
        {
            held.Release();
        }
    }

    /// <summary>Closes it, if it has no users; the next use opens it again.</summary>
    /// <returns>False if it has users.</returns>
    public bool TryClose() => _lifecycle.TryClose();

    /// <summary>Closes it if it was not used since the last call.</summary>
    internal void CloseIfIdle() => _lifecycle.CloseIfIdle();

    /// <summary>Refuses new users, and closes it now or when the last user releases it.</summary>
    /// <param name="whenClosed">Called once, after it is closed.</param>
    internal void Delete(Action whenClosed) => _lifecycle.Delete(whenClosed);

    /// <summary>Refuses new users, because it may go on only after a restart; users that hold it may end.</summary>
    internal void Refuse(string damage) => _lifecycle.Refuse(damage);

    /// <summary>
    /// Compaction: copies everything into full pages in an empty folder, and continues there (DB-2). If it fails,
    /// nothing has changed.
    /// </summary>
    /// <param name="target">The empty folder.</param>
    /// <param name="adopt">
    /// Called when the copy is complete and closed: makes the folder that of the database, durably.
    /// </param>
    /// <param name="whenClosed">Called when the old storage is closed, after its last user has released it.</param>
    /// <param name="copied">Called with the number of bytes of contents that are copied so far.</param>
    /// <param name="cancellation">Cancels the compaction while the copy is made.</param>
    /// <returns>The size on disk before and after.</returns>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    internal async Task<(long BytesBefore, long BytesAfter)> CompactAsync(
        Func<StorageOptions> target, Action adopt, Action whenClosed, Action<long> copied,
        CancellationToken cancellation)
    {
        if (Replica is not null)
        {
            throw new StorageBusyException($"Database '{Name}' is kept by several nodes, and is not compacted.");
        }

        if (!_writes.TryClose(out Task empty))
        {
            throw new StorageBusyException($"Database '{Name}' is being compacted already.");
        }

        try
        {
            await empty.WaitAsync(cancellation).ConfigureAwait(false);
            return await Task.Factory.StartNew(
                () => _lifecycle.Compact(target, adopt, whenClosed, copied, cancellation), cancellation,
                TaskCreationOptions.LongRunning, TaskScheduler.Default).ConfigureAwait(false);
        }
        finally
        {
            _writes.Open();
        }
    }

    /// <summary>Closes it for good. Its users must be stopped before: they lose its storage.</summary>
    public void Dispose()
    {
        Replica?.Close();
        _lifecycle.Dispose();
    }

    /// <summary>Holds the storage, and opens it if it is closed; the caller releases it.</summary>
    /// <exception cref="DatabaseDeletedException">The database was deleted.</exception>
    public DatabaseStorage Enter() => _lifecycle.Enter();
}
