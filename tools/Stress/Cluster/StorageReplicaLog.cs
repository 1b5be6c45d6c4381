using System.IO.Hashing;
using Raven.Blittable.Memory;
using Raven.Cluster.Replication;
using Raven.Storage.Errors;
using Raven.Storage.Log;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace Raven.Tools.Stress.Cluster;

/// <summary>
/// Real storage on a simulated disk. If the power is cut, what was not synced is there or not, sector by sector, torn
/// or in another order.
/// </summary>
internal sealed class StorageReplicaLog : IReplicaLog, IReplicaFilesWatcher
{
    private readonly TimeProvider _clock;
    private readonly Random _random;
    private readonly long _flushAfter;

    /// <summary>The history of what is durable: the hash of each transaction.</summary>
    private readonly Dictionary<long, ulong> _history = new() { [0] = 0 };
    private SimulatedFileSystem _disk = null!;
    private CrashImages _images = null!;
    private SimulatedDatabase _database = null!;
    private StorageReplicaFiles _files = null!;
    private LogPosition _writing;
    private int _writtenAt;
    private LogPosition _taken;
    private bool _needsPages;

    internal StorageReplicaLog(ulong lineage, TimeProvider clock, Random random)
    {
        _clock = clock;
        _random = random;
        _flushAfter = random.Next(16, 200) << 10;
        Mount(new DiskImage());
        if (lineage != 0)
        {
            // The group is there already, and nothing was written.
            _files.Found(lineage);
            StorageEnvironment.Open(_database.Options()).Dispose();
        }
    }

    public LogPosition Durable { get; private set; }

    public LogPosition Visible => _files.Visible;

    /// <summary>All pages but the free ones, and which those are.</summary>
    public ulong PagesHash
    {
        get
        {
            using ReadTransaction reader = _database.Environment!.BeginRead();
            ulong hash = (ulong)reader.NextPageNumber;
            for (long page = DataFile.FirstUsablePage - 1; page < reader.NextPageNumber;)
            {
                if (!FreeSpace.IsMapPage(page) && FreeSpace.IsFree(reader, page))
                {
                    page++;
                    continue;
                }

                // The checksum is made when a page is written to the data file.
                NativeSlice content = reader.GetPage(page);
                hash = XxHash3.HashToUInt64(content.Span[sizeof(ulong)..], (long)hash);
                page += content.Length / PageHeader.PageSizeInBytes;
            }

            return hash;
        }
    }

    public ReplicaStart Scan()
    {
        EndWrite();
        _files.Close();
        ReplicaStart start = _files.Scan();
        _needsPages = start.NeedsPages;
        LogPosition last = start.Points[^1];
        if (!_needsPages && (!_history.TryGetValue(last.TransactionId, out ulong hash) || hash != last.LogHash
            || _history.ContainsKey(last.TransactionId + 1)))
        {
            throw new SimulationException($"the disk has {last}, and {Durable} was written");
        }

        Durable = last;
        return start;
    }

    public void Recover(long transactionId)
    {
        _files.Recover(transactionId);
        Cut(transactionId);
        Durable = _files.Durable;
    }

    public void Lead(long epoch, ulong lineage) =>
        _files.OpenEpochAsync(epoch, lineage).GetAwaiter().GetResult();

    public void StepDown() => _files.Shut();

    public SimulatedRecord Write(int page, long value, long epoch)
    {
        ulong before = Durable.LogHash;
        using (WriteTransaction transaction = _database.Environment!.BeginWrite())
        {
            Change(transaction, page, value);
            CommitProtocol commits = _database.Environment.Commits;
            if (commits.TryPrepare(transaction, out PreparedCommit commit))
            {
                commits.Write(commit);
                commits.Park(commit, owner: null);
            }
        }

        if (_taken.TransactionId != Durable.TransactionId + 1 || _taken.Epoch != epoch)
        {
            throw new SimulationException($"{_taken} is written behind {Durable} in epoch {epoch}");
        }

        Begin(_taken);
        return Find(_taken)! with { PreviousHash = before };
    }

    public void Apply(ulong lineage, SimulatedRecord record) => Begin(_files.Apply(lineage, record.Bytes));

    public void EndWrite()
    {
        // The files may have been closed and looked at meanwhile.
        if (_writing != default)
        {
            _history[_writing.TransactionId] = _writing.LogHash;
            Durable = _writing;
            _writing = default;
        }
    }

    public void Publish(long transactionId)
    {
        _files.Publish(transactionId);
        if (_random.Next(12) == 0)
        {
            _database.Scheduler.RunAll();
        }
        else if (_random.Next(30) == 0)
        {
            _database.Environment!.Flush();
        }
    }

    public void Trim(long transactionId) => _files.Forget(transactionId);

    public void Crash(bool isWritten)
    {
        // In the middle of a journal write its sectors are there or not; else all that is not synced is in doubt.
        bool isCut = _writing != default && !isWritten && _writtenAt == _disk.Log.Count;
        if (isCut)
        {
            _images.AdvanceTo(_disk.Log.Count);
        }
        else
        {
            _images.AdvanceToEnd();
        }

        DiskImage made = _images.Make(_random);
        DiskImage left = made.Copy();
        LogPosition writing = _writing;
        _writing = default;
        Unmount();
        Mount(left);
        if (writing != default && _files.Scan() is { NeedsPages: false } start && start.Points[^1] == writing)
        {
            _history[writing.TransactionId] = writing.LogHash;
        }
    }

    public void Lose()
    {
        Unmount();
        Mount(new DiskImage());
        _history.Clear();
        _history[0] = 0;
        _writing = default;
        _needsPages = false;
        Durable = default;
    }

    public bool Has(LogPosition point) =>
        !_needsPages && _history.TryGetValue(point.TransactionId, out ulong hash) && hash == point.LogHash;

    public SimulatedRecord? Find(LogPosition point) => _files.Find(point) is { } bytes
        ? new SimulatedRecord(point, 0, 0, 0) { Bytes = bytes }
        : null;

    public SimulatedPages CopyPages(long since)
    {
        using var pages = new MemoryStream();
        LogPosition point = Visible;
        Task sent = _files.SendPagesAsync(since, pages, CancellationToken.None);
        if (!sent.IsCompleted)
        {
            throw new SimulationException("a copy of pages waits for something");
        }

        sent.GetAwaiter().GetResult();
        return new SimulatedPages(since, point, 0, new Dictionary<int, (long, long)>()) { Bytes = pages.ToArray() };
    }

    public void TakePages(SimulatedPages pages, bool isFinished)
    {
        int length = isFinished ? pages.Bytes.Length : _random.Next(pages.Bytes.Length);
        using var source = new MemoryStream(pages.Bytes, 0, length);
        _writing = default;
        try
        {
            _files.TakePagesAsync(pages.Since, keepsOld: true, source, CancellationToken.None).GetAwaiter().GetResult();
        }
        catch (Exception cut) when (!isFinished && cut is StorageCorruptedException or EndOfStreamException)
        {
            // The rest has not come.
        }

        _files.Close();
        ReplicaStart start = _files.Scan();
        _needsPages = start.NeedsPages;
        Durable = start.Points[^1];
        Cut(Durable.TransactionId);
        _history[Durable.TransactionId] = Durable.LogHash;
    }

    public void Taken(LogPosition position, int bytes) => _taken = position;

    public void Written(long transactionId)
    {
    }

    public void Failed(long transactionId, Exception failure) =>
        throw new SimulationException($"{transactionId} cannot be written: {failure.Message}");

    public void Dispose() => Unmount();

    private static void Change(WriteTransaction transaction, int page, long value)
    {
        byte[] content = new byte[value % 23 == 0 ? 70_000 + (value % 9_000) : 50 + (value % 701)];
        content.AsSpan().Fill((byte)(value * 31));
        BitConverter.TryWriteBytes(content, value);
        var tree = transaction.OpenOrCreateTree("pages"u8);
        if (value % 9 == 0)
        {
            // Pages are freed, and used again.
            tree.Delete([(byte)page]);
            tree.Put([255], content.AsSpan(0, 16));
        }
        else
        {
            tree.Put([(byte)page], content);
        }
    }

    private void Mount(DiskImage image)
    {
        _disk = new SimulatedFileSystem(image);
        _images = new CrashImages(_disk.Log, _disk.CurrentImage(), _disk.NumberOf);
        _database = new SimulatedDatabase(_disk, _clock, _flushAfter);
        _files = new StorageReplicaFiles(_database, 40_000) { Watcher = this };
    }

    private void Unmount()
    {
        _files.Dispose();
        _images.Dispose();
        _disk.Dispose();
    }

    private void Begin(LogPosition position)
    {
        if (_writing != default || position.TransactionId != Durable.TransactionId + 1)
        {
            throw new SimulationException($"{position} is written behind {Durable}, beside {_writing}");
        }

        _writing = position;
        _writtenAt = _disk.Log.Count;
    }

    /// <summary>What follows a transaction is dropped.</summary>
    private void Cut(long transactionId)
    {
        foreach (long later in _history.Keys.Where(each => each > transactionId).ToArray())
        {
            _history.Remove(later);
        }
    }
}
