using System.Buffers.Binary;
using System.IO.Hashing;
using System.Text;
using System.Text.Json;
using Raven.Cluster.Replication;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Shared.Cluster;

/// <summary>Files of a database in memory: keys with values. What a disk has is in another object, which stays.
/// </summary>
internal sealed class MemoryReplicaFiles(MemoryReplicaDisk disk) : IReplicaFiles, IReplicaDatabase
{
    private const int HeadBytes = 40;

    private readonly Lock _lock = new();
    private readonly SemaphoreSlim _writer = new(1);
    private SortedDictionary<string, string> _values = new(StringComparer.Ordinal);
    private LogPosition _visible;
    private bool _isOpen;
    private long _epoch = -1;
    private (LogPosition Position, TaskCompletionSource Done)? _pending;

    public IReplicaFilesWatcher Watcher { get; set; } = null!;

    public LogPosition Durable => disk.Last;

    public LogPosition Visible => _isOpen ? _visible : default;

    /// <summary>Readers may come.</summary>
    internal bool IsServing { get; private set; }

    /// <summary>The own journal takes no records.</summary>
    internal Exception? Failure { get; set; }

    /// <summary>Completed when the own journal may have a record of the primary's.</summary>
    internal Task JournalGate { get; set; } = Task.CompletedTask;

    /// <summary>How often pages were taken.</summary>
    internal int Copies { get; private set; }

    internal IReadOnlyDictionary<string, string> Values
    {
        get
        {
            lock (_lock)
            {
                return new SortedDictionary<string, string>(_values, StringComparer.Ordinal);
            }
        }
    }

    /// <summary>A client writes. It throws if that is refused or in doubt, and ends when it is committed.</summary>
    internal async Task WriteAsync(string key, string value)
    {
        await _writer.WaitAsync();
        try
        {
            long epoch = Volatile.Read(ref _epoch);
            if (epoch < 0)
            {
                throw NotPrimary();
            }

            LogPosition last = disk.Last;
            byte[] text = Encoding.UTF8.GetBytes($"{key}={value}");
            byte[] record = new byte[HeadBytes + text.Length];
            BinaryPrimitives.WriteInt64LittleEndian(record, last.TransactionId + 1);
            BinaryPrimitives.WriteInt64LittleEndian(record.AsSpan(8), epoch);
            BinaryPrimitives.WriteUInt64LittleEndian(record.AsSpan(16), last.LogHash);
            text.CopyTo(record.AsSpan(HeadBytes));
            var position = new LogPosition(last.TransactionId + 1, Math.Max(1, XxHash3.HashToUInt64(record)), epoch);
            BinaryPrimitives.WriteUInt64LittleEndian(record.AsSpan(24), position.LogHash);
            var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            lock (_lock)
            {
                disk.Writing = (position, record);
                _pending = (position, done);
            }

            Watcher.Taken(position, record.Length);
            await JournalGate;
            if (Failure is { } failure)
            {
                disk.Writing = null;
                Watcher.Failed(position.TransactionId, failure);
                throw failure;
            }

            lock (_lock)
            {
                disk.Records.Add((position, record));
                disk.Writing = null;
            }

            Watcher.Written(position.TransactionId);
            await done.Task;
        }
        finally
        {
            _writer.Release();
        }
    }

    public ReplicaStart Scan()
    {
        lock (_lock)
        {
            LogPosition[] points = [disk.Base, .. disk.Records.Select(record => record.Position)];
            LogPosition before = points.Length > 1 ? points[^2] : points[^1];
            return new ReplicaStart
            {
                Points = points,
                Floor = disk.Applied.TransactionId > before.TransactionId ? disk.Applied : before,
                Lineage = disk.Lineage,
                PreviousLineage = disk.PreviousLineage,
                ForkedAt = disk.ForkedAt,
                NeedsPages = disk.NeedsPages,
                EnvironmentId = disk.EnvironmentId,
            };
        }
    }

    public ulong Recover(long transactionId)
    {
        lock (_lock)
        {
            disk.CutAfter(transactionId);
            if (disk.Last.TransactionId != transactionId || disk.Applied.TransactionId > transactionId)
            {
                throw new InvalidOperationException($"{disk.Last} cannot go to {transactionId}");
            }

            _isOpen = true;
            _values = new SortedDictionary<string, string>(disk.Values, StringComparer.Ordinal);
            _visible = disk.Applied;
            PublishUpTo(transactionId);
            disk.EnvironmentId = disk.EnvironmentId == 0 ? 77 : disk.EnvironmentId;
            return disk.EnvironmentId;
        }
    }

    public void Found(ulong lineage) => disk.Lineage = lineage;

    public ReadOnlyMemory<byte>? Find(LogPosition position)
    {
        lock (_lock)
        {
            if (disk.Writing is { } writing && writing.Position == position)
            {
                return writing.Record;
            }

            foreach ((LogPosition each, byte[] record) in disk.Records)
            {
                if (each == position)
                {
                    return record;
                }
            }

            return null;
        }
    }

    public void Forget(long transactionId)
    {
        lock (_lock)
        {
            while (disk.Records.Count > 0 && disk.Records[0].Position.TransactionId <= transactionId
                && disk.Records[0].Position.TransactionId <= disk.Applied.TransactionId)
            {
                disk.Base = disk.Records[0].Position;
                disk.Records.RemoveAt(0);
            }
        }
    }

    public LogPosition Apply(ulong lineage, ReadOnlyMemory<byte> record)
    {
        if (Failure is { } failure)
        {
            throw failure;
        }

        ReadOnlySpan<byte> bytes = record.Span;
        var position = new LogPosition(
            BinaryPrimitives.ReadInt64LittleEndian(bytes), BinaryPrimitives.ReadUInt64LittleEndian(bytes[24..]),
            BinaryPrimitives.ReadInt64LittleEndian(bytes[8..]));
        lock (_lock)
        {
            if (!_isOpen || position.TransactionId != disk.Last.TransactionId + 1
                || BinaryPrimitives.ReadUInt64LittleEndian(bytes[16..]) != disk.Last.LogHash)
            {
                throw new InvalidOperationException($"{position} does not follow {disk.Last}, open: {_isOpen}");
            }

            disk.Lineage = lineage;
            disk.Records.Add((position, record.ToArray()));
            return position;
        }
    }

    public void Publish(long transactionId)
    {
        TaskCompletionSource? done = null;
        lock (_lock)
        {
            PublishUpTo(transactionId);
            if (_pending is { } pending && pending.Position.TransactionId <= transactionId)
            {
                done = pending.Done;
                _pending = null;
            }
        }

        done?.SetResult();
    }

    public void Lead(long epoch) => Volatile.Write(ref _epoch, epoch);

    public void Shut() => Volatile.Write(ref _epoch, -1);

    public async Task DrainAsync(CancellationToken cancellation)
    {
        Shut();
        await _writer.WaitAsync(cancellation);
        _writer.Release();
    }

    public async Task OpenEpochAsync(long epoch, ulong lineage)
    {
        if (disk.Lineage != lineage)
        {
            (disk.PreviousLineage, disk.ForkedAt, disk.Lineage) = (disk.Lineage, disk.Last.TransactionId, lineage);
        }

        Lead(epoch);
        await WriteAsync("epoch", $"{epoch}");
    }

    ValueTask IReplicaDatabase.OpenEpochAsync(long epoch, ulong lineage) => throw new NotSupportedException();

    public void Lose(Exception cause)
    {
        TaskCompletionSource? done;
        lock (_lock)
        {
            done = disk.Writing is null ? _pending?.Done : null;
            _pending = done is null ? _pending : null;
        }

        done?.SetException(cause);
    }

    public void Close()
    {
        Lose(new IOException("closed"));
        lock (_lock)
        {
            _isOpen = false;
            _visible = default;
        }
    }

    public async Task SendPagesAsync(long since, Stream target, CancellationToken cancellation)
    {
        byte[] bytes;
        lock (_lock)
        {
            bytes = JsonSerializer.SerializeToUtf8Bytes(new Pages(
                _visible.TransactionId, _visible.LogHash, _visible.Epoch, disk.Lineage, disk.EnvironmentId, _values));
        }

        for (int i = 0; i < bytes.Length; i += 100)
        {
            await target.WriteAsync(bytes.AsMemory(i, Math.Min(100, bytes.Length - i)), cancellation);
        }
    }

    public async Task<ReplicaStart> TakePagesAsync(
        long since, bool keepsOld, Stream source, CancellationToken cancellation)
    {
        Close();
        disk.NeedsPages = true;
        var bytes = new MemoryStream();
        await source.CopyToAsync(bytes, cancellation);
        Pages pages = JsonSerializer.Deserialize<Pages>(bytes.ToArray())!;
        lock (_lock)
        {
            disk.Records.Clear();
            disk.Applied = disk.Base = new LogPosition(pages.TransactionId, pages.LogHash, pages.Epoch);
            disk.Values = pages.Values;
            disk.Lineage = pages.Lineage;
            disk.EnvironmentId = pages.EnvironmentId;
            disk.NeedsPages = false;
            Copies++;
        }

        return Scan();
    }

    public void Dispose()
    {
    }

    public StorageOptions Options() => throw new NotSupportedException();

    public StorageEnvironment Open(long recoverUpTo, ICommitGate gate) => throw new NotSupportedException();

    public void Published(LogPosition position) => throw new NotSupportedException();

    public void StepDown() => throw new NotSupportedException();

    public void TakeWrites()
    {
    }

    public void Serve() => IsServing = true;

    public void StopServing() => IsServing = false;

    public Exception NotPrimary() => new NotPrimaryForTests();

    private void PublishUpTo(long transactionId)
    {
        foreach ((LogPosition position, byte[] record) in disk.Records)
        {
            if (position.TransactionId <= _visible.TransactionId || position.TransactionId > transactionId)
            {
                continue;
            }

            string text = Encoding.UTF8.GetString(record.AsSpan(HeadBytes));
            int equals = text.IndexOf('=', StringComparison.Ordinal);
            _values[text[..equals]] = text[(equals + 1)..];
            _visible = position;
        }

        disk.Values = new SortedDictionary<string, string>(_values, StringComparer.Ordinal);
        disk.Applied = _visible;
    }

    internal sealed class NotPrimaryForTests : Exception;

    private sealed record Pages(
        long TransactionId, ulong LogHash, long Epoch, ulong Lineage, ulong EnvironmentId,
        SortedDictionary<string, string> Values);
}
