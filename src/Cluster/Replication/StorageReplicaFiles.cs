using Raven.Storage.Errors;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Replication;
using Raven.Storage.Transactions;

namespace Raven.Cluster.Replication;

/// <summary>The files of a database whose documents are in a storage environment.</summary>
public sealed class StorageReplicaFiles : IReplicaFiles
{
    private static readonly TimeSpan DrainLookEvery = TimeSpan.FromMilliseconds(2);

    private readonly IReplicaDatabase _database;
    private readonly long _keptBytesMax;
    private readonly ReplicaGate _gate;
    private readonly KeptRecords _kept = new();
    private IReplicaFilesWatcher _watcher = NoWatcher.Instance;
    private LineageFile _lineages = new();
    private volatile StorageEnvironment? _environment;
    private LogApplier? _applier;
    private LogPosition _scanned;
    private long _taken;

    /// <summary>The files of a database, which are closed.</summary>
    /// <param name="database">The database; it opens and closes them when it is told to.</param>
    /// <param name="keptBytesMax">How many bytes of records a scan keeps at most; the last one is kept in any case.
    /// </param>
    public StorageReplicaFiles(IReplicaDatabase database, long keptBytesMax = 64L << 20)
    {
        ArgumentNullException.ThrowIfNull(database);
        _database = database;
        _keptBytesMax = Math.Max(1, keptBytesMax);
        _gate = new ReplicaGate(Take, () => _watcher, database.NotPrimary);
    }

    /// <inheritdoc/>
    public IReplicaFilesWatcher Watcher
    {
        get => _watcher;
        set => _watcher = value;
    }

    /// <inheritdoc/>
    public LogPosition Durable => _environment?.LogDurable ?? _scanned;

    /// <inheritdoc/>
    public LogPosition Visible => _environment?.Log ?? default;

    /// <inheritdoc/>
    public ReplicaStart Scan()
    {
        RequireClosed();
        StorageOptions options = _database.Options();
        _kept.CutAfter(-1);
        _lineages = LineageFile.Read(options.FileSystem);
        LogScan? scan = LogScan.Run(options, _keptBytesMax);
        _scanned = scan?.Last ?? default;
        bool needsPages = PageDelta.IsUnfinished(options.FileSystem);

        // LINEAGE-2: what is half copied is of the last history.
        long last = needsPages ? long.MaxValue - 1 : _scanned.TransactionId;
        ulong lineage = _lineages.Of(last, out ulong previous, out long forkedAt);
        List<LogPosition> points = [];
        List<int> bytes = [];
        int unkept = (scan?.Records.Count ?? 0) - (scan?.Kept.Count ?? 0);
        points.Add(scan is null ? default : unkept > 0 ? scan.Records[unkept - 1] : scan.Applied);
        bytes.Add(0);
        for (int i = 0; i < scan?.Kept.Count; i++)
        {
            points.Add(scan.Records[unkept + i]);
            bytes.Add(scan.Kept[i].Length);
            _kept.Add(scan.Records[unkept + i], scan.Kept[i]);
        }

        return new ReplicaStart
        {
            Points = points,
            Bytes = bytes,
            EnvironmentId = scan?.EnvironmentId ?? 0,
            Floor = scan is null ? default : scan.Records.Count > 1 ? scan.Records[^2] : scan.Applied,
            Lineage = lineage,
            PreviousLineage = previous,
            ForkedAt = forkedAt,
            NeedsPages = needsPages,
            KeptAsideBytes = KeptAside.BytesOf(options.FileSystem),
        };
    }

    /// <inheritdoc/>
    public ulong Recover(long transactionId)
    {
        Close();
        StorageEnvironment environment = _database.Open(transactionId, _gate);
        _applier = new LogApplier(environment);
        Volatile.Write(ref _taken, transactionId);
        _kept.CutAfter(transactionId);
        _environment = environment;
        return environment.EnvironmentId;
    }

    /// <inheritdoc/>
    public void Found(ulong lineage)
    {
        RequireClosed();
        _lineages = new LineageFile();
        _lineages.Begin(_database.Options().FileSystem, 0, lineage);
    }

    /// <inheritdoc/>
    public ReadOnlyMemory<byte>? Find(LogPosition position) => _kept.Find(position);

    /// <inheritdoc/>
    public void Forget(long transactionId) => _kept.Forget(transactionId);

    /// <inheritdoc/>
    public LogPosition Apply(ulong lineage, ReadOnlyMemory<byte> record)
    {
        StorageEnvironment environment = RequireOpen();
        NoteLineage(environment.LogDurable.TransactionId, lineage);
        LogPosition position = _applier!.Apply(record.Span);
        _kept.Add(position, record);
        return position;
    }

    /// <inheritdoc/>
    public void Publish(long transactionId)
    {
        StorageEnvironment environment = RequireOpen();
        if (environment.LastTransactionId >= transactionId)
        {
            return;
        }

        if (!environment.SettleCommit(transactionId))
        {
            throw new InvalidOperationException(
                $"Transaction {transactionId} is to be published, and {environment.LogDurable} is the last one here.");
        }

        if (environment.Fault is { } fault)
        {
            throw new StoragePoisonedException(fault);
        }

        _database.Published(environment.Log);
    }

    /// <inheritdoc/>
    public void Lead(long epoch)
    {
        _gate.Open(epoch);
        _database.TakeWrites();
    }

    /// <inheritdoc/>
    public void Shut()
    {
        _gate.Close();
        _database.StepDown();
    }

    /// <inheritdoc/>
    public async Task DrainAsync(CancellationToken cancellation)
    {
        Shut();
        if (_environment is not { } environment)
        {
            return;
        }

        // Whoever was let in has the write lock until its record is taken.
        await Task.Run(() => environment.BeginWrite().Dispose(), cancellation).ConfigureAwait(false);
        while (environment.LastTransactionId < Volatile.Read(ref _taken))
        {
            if (environment.Fault is { } fault)
            {
                throw new StoragePoisonedException(fault);
            }

            await Task.Delay(DrainLookEvery, TimeProvider.System, cancellation).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public async Task OpenEpochAsync(long epoch, ulong lineage)
    {
        NoteLineage(RequireOpen().LogDurable.TransactionId, lineage);
        _gate.Open(epoch);
        await _database.OpenEpochAsync(epoch, lineage).ConfigureAwait(false);
    }

    /// <inheritdoc/>
    public void Lose(Exception cause)
    {
        if (_environment is { } environment)
        {
            environment.LoseCommit(environment.LogDurable.TransactionId, cause);
        }
    }

    /// <inheritdoc/>
    public void Close()
    {
        _gate.Close();
        if (_environment is { } environment)
        {
            _scanned = environment.LogDurable;
            Lose(new IOException("The database was closed while other nodes had not acknowledged it."));
            _environment = null;
            _applier!.Dispose();
            _applier = null;
        }

        _database.Close();
    }

    /// <inheritdoc/>
    public Task SendPagesAsync(long since, Stream target, CancellationToken cancellation) =>
        PageCopy.SendAsync(RequireOpen(), since, _lineages.ToBytes(), target, cancellation);

    /// <inheritdoc/>
    public async Task<ReplicaStart> TakePagesAsync(
        long since, bool keepsOld, Stream source, CancellationToken cancellation)
    {
        Close();
        await PageCopy.TakeAsync(_database.Options(), since, source, cancellation).ConfigureAwait(false);
        return Scan();
    }

    /// <inheritdoc/>
    public void Dispose() => Close();

    private void Take(ReplicaRecord record)
    {
        Volatile.Write(ref _taken, record.Position.TransactionId);
        _kept.Add(record.Position, record.Bytes);
    }

    /// <summary>Notes a history before its first transaction is written, if it is another one.</summary>
    private void NoteLineage(long last, ulong lineage)
    {
        if (_lineages.Of(last, out _, out _) != lineage)
        {
            _lineages.Begin(_database.Options().FileSystem, last + 1, lineage);
        }
    }

    private StorageEnvironment RequireOpen() =>
        _environment ?? throw new InvalidOperationException("The files are closed.");

    private void RequireClosed()
    {
        if (_environment is not null)
        {
            throw new InvalidOperationException("The files are open.");
        }
    }

    private sealed class NoWatcher : IReplicaFilesWatcher
    {
        internal static readonly NoWatcher Instance = new();

        public void Taken(LogPosition position, int bytes)
        {
        }

        public void Written(long transactionId)
        {
        }

        public void Failed(long transactionId, Exception failure)
        {
        }
    }
}
