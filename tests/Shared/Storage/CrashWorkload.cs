using System.Collections.Immutable;
using System.Text;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage.Structures;

namespace Shared.Storage;

/// <summary>
/// Random transactions on a simulated disk, and what each of them should have left. A function of its seed: the same
/// seed gives the same operations.
/// </summary>
internal sealed class CrashWorkload : IDisposable
{
    private const int TreeCount = 4;

    private const long LargeJournalSize = 1 << 20;

    private static readonly long[] JournalSizes = [16 << 10, 32 << 10, 64 << 10];

    private readonly Random _random;
    private readonly ManualScheduler _scheduler = new();
    private readonly StorageHooks _hooks;
    private readonly bool _compress;
    private readonly long _journalSize;
    private readonly long _flushAfter;
    private readonly int _keys;
    private readonly int _changesMax;
    private readonly bool _hasLargeValues;
    private readonly bool _hasLargeJournal;

    /// <summary>Whether its journal is kept for an archive, which nobody fetches: it is given up on the way.</summary>
    private readonly bool _hasArchive;

    /// <summary>The structures that it has beside plain trees.</summary>
    private readonly IReadOnlyList<ModelStructure> _structures;
    private readonly StorageDurability _durability;
    private MergedWriter? _merged;
    private StorageEnvironment? _environment;
    private ReadTransaction? _reader;
    private ImmutableSortedDictionary<string, byte[]> _readerState = Empty;

    internal CrashWorkload(
        int seed, StorageHooks hooks, DiskFault? fault = null, StorageDurability durability = StorageDurability.Durable)
    {
        _durability = durability;
        _random = new Random(seed);
        _hooks = hooks;
        _compress = _random.Next(2) == 0;
        _journalSize = JournalSizes[_random.Next(JournalSizes.Length)];
        _flushAfter = _random.Next(8, 160) << 10;
        _changesMax = _random.Next(3) == 0 ? 60 : 9;
        _keys = _random.Next(20, 400);
        _hasLargeValues = seed % 4 == 0;
        _hasLargeJournal = seed % 16 == 13;
        _hasArchive = seed % 8 == 3 && durability == StorageDurability.Durable;
        _structures = seed % 2 != 0 ? ModelStructure.Others : [];
        Disk.Fault = fault;
    }

    internal static ImmutableSortedDictionary<string, byte[]> Empty { get; } =
        ImmutableSortedDictionary.Create<string, byte[]>(StringComparer.Ordinal);

    internal SimulatedFileSystem Disk { get; } = new();

    /// <summary>The length of all journal files, whose records are then not packed; none if they grow.</summary>
    internal long? JournalSize { get; init; }

    /// <summary>Whether writes go through the merger, several at a time; else each is a transaction.</summary>
    internal bool MergesWrites { get; init; }

    /// <summary>The writers of <see cref="MergesWrites"/>.</summary>
    internal MergedWriter Merged => _merged ??= new MergedWriter(this, _random, _scheduler);

    /// <summary>Called with each environment that it opens on its own disk.</summary>
    internal Action<StorageEnvironment>? Opened { get; init; }

    /// <summary>Whether each commit is audited; not if a mutant is to be caught without that.</summary>
    internal bool AuditsCommits { get; init; } = true;

    /// <summary>Every commit that was tried, in order.</summary>
    internal List<CommitAttempt> Attempts { get; } = [];

    /// <summary>The last state that was acknowledged.</summary>
    internal ImmutableSortedDictionary<string, byte[]> State { get; private set; } = Empty;

    /// <summary>The first failure of the disk that came up, if one was planned.</summary>
    internal Exception? Failure { get; private set; }

    internal StorageEnvironment? Environment => _environment;

    internal StorageHooks Hooks => _hooks;

    /// <summary>Opens an environment as this workload does, or with another durability.</summary>
    internal StorageEnvironment Open(IFileSystem disk, StorageDurability? durability = null)
    {
        StorageEnvironment environment = StorageEnvironment.Open(
            Options(disk) with { Durability = durability ?? _durability });
        if (disk == Disk)
        {
            Opened?.Invoke(environment);
        }

        return _hasArchive ? ArchivedEnvironment.Of(environment) : environment;
    }

    internal StorageOptions Options(IFileSystem disk) => new()
    {
        FileSystem = disk,
        Clock = Disk.Clock,
        Scheduler = _scheduler,
        NewEnvironmentId = 0x5EED,
        JournalSizeBytesMin = JournalSize ?? (_hasLargeJournal ? LargeJournalSize : _journalSize),
        JournalSizeBytesMax = JournalSize ?? (_hasLargeJournal ? 4 * LargeJournalSize : 256 << 10),
        FlushAfterBytes = _hasLargeJournal ? 16 * _flushAfter : _flushAfter,
        JournalCompression =
            _compress && JournalSize is null ? JournalCompression.Always : JournalCompression.Never,
        AuditsCommits = AuditsCommits,
        ArchiveBytesMax = 512 << 10,
        Hooks = _hooks,
    };

    /// <summary>Gives the memory back; what this still writes is behind every cut.</summary>
    public void Dispose()
    {
        Disk.Fault = null;
        Close();
        Disk.Dispose();
    }

    /// <summary>Closes all that is open; the disk stays.</summary>
    internal void Close()
    {
        _merged?.Dispose();
        _reader?.Dispose();
        _environment?.Dispose();
    }

    /// <summary>Runs so many steps, or until the disk fails for good.</summary>
    internal void Run(int steps)
    {
        for (int step = -1; step < steps; step++)
        {
            try
            {
                _environment ??= Open(Disk);
                Step();
                AcknowledgeApplied();
            }
            catch (Exception failure) when (Disk.HasFailed && IsClear(failure))
            {
                Failure = failure;
                if (_environment?.Fault is not null)
                {
                    return;
                }
            }

            if (Disk.HasFailed && Disk.Fault?.Kind == DiskFaultKind.FlippedBit)
            {
                // The disk no longer holds what was written: from here on only an open can decide.
                return;
            }
        }
    }

    /// <summary>
    /// Runs up to so many steps and is killed at an operation on the way; what it wrote stays as it is, synced or not.
    /// Then the next process opens it and continues, and is killed too, and so on. With checkpoints each of them first
    /// brings a commit to the data file, and its death leaves another one in the journal.
    /// </summary>
    internal void RunWithKills(int steps, int kills, bool checkpoints = false)
    {
        int recoveries = 0;
        for (int kill = 0; kill < kills; kill++)
        {
            if (checkpoints)
            {
                Checkpoint();
            }

            int calls = _random.Next(1, checkpoints ? 10 : 80);
            Disk.Fault = new DiskFault(DiskFaultKind.InputOutputError, Disk.CallCount + calls, IsSticky: true);
            Run(steps);
            _reader?.Dispose();
            _reader = null;
            _environment?.Dispose();
            _environment = null;
            Disk.Fault = null;
            _environment = Open(Disk);
            recoveries += _environment.Recovery.Transactions > 0 ? 1 : 0;
            using ReadTransaction reader = _environment.BeginRead();
            string? difference = Difference(reader, State);
            Require(difference is null, $"After a kill the state is not the last one: {difference}");
        }

        Require(
            !checkpoints || recoveries > kills * 3 / 4,
            $"Only {recoveries} of {kills} opens had a journal to recover.");
        Run(steps);
        Require(_environment!.Fault is null, $"It failed without a fault of the disk: {_environment.Fault}");
    }

    private void Checkpoint()
    {
        _environment ??= Open(Disk);
        Write(commit: true);
        Flush();
        StorageStatistics statistics = _environment.GetStatistics();
        Require(
            statistics.AppliedTransactionId == _environment.LastTransactionId,
            $"Of {_environment.LastTransactionId} transactions {statistics.AppliedTransactionId} are applied.");
        long before = _environment.LastTransactionId;
        while (_environment.LastTransactionId == before)
        {
            Write(commit: true);
        }
    }

    /// <summary>Follows a script instead of random steps.</summary>
    internal void Follow(Action<CrashWorkload> script)
    {
        _environment = Open(Disk);
        script(this);
        AcknowledgeApplied();
    }

    /// <summary>Commits one value; with a negative length the key is deleted.</summary>
    internal void Commit(string key, int length)
    {
        using WriteTransaction transaction = _environment!.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree($"tree{key[0] - '0'}");
        byte[] name = Encoding.ASCII.GetBytes(key);
        byte[] value = NewValue(Math.Max(length, 0));
        if (length < 0)
        {
            Require(tree.Delete(name), $"{key} is not there.");
        }
        else
        {
            tree.Put(name, value);
        }

        Commit(transaction, length < 0 ? State.Remove(key) : State.SetItem(key, value));
    }

    internal void Flush()
    {
        _environment!.Flush();
        AcknowledgeApplied();
    }

    internal void Reopen()
    {
        _environment!.Dispose();
        _environment = null;
        _environment = Open(Disk);
        AcknowledgeApplied();
    }

    /// <summary>The kinds of failure that a disk may cause: those that say so.</summary>
    internal bool IsClear(Exception failure) => failure is StorageIOException or StoragePoisonedException
        || (failure is StorageCorruptedException && Disk.Fault?.Kind == DiskFaultKind.FlippedBit);

    private void Step()
    {
        int what = _random.Next(100);
        if (what < 70 && MergesWrites)
        {
            Merged.Write(_environment!);
        }
        else if (what < 70)
        {
            Write(commit: _random.Next(12) != 0);
        }
        else if (what < 81)
        {
            _scheduler.RunAll();
        }
        else if (what < (_changesMax > 9 ? 81 : 86))
        {
            _environment!.Flush();
        }
        else if (what < 92)
        {
            ToggleReader();
        }
        else if (what < 99 && _reader is null)
        {
            Reopen();
        }

        CheckReader();
    }

    private void Write(bool commit)
    {
        ImmutableSortedDictionary<string, byte[]> state = State;
        using WriteTransaction transaction = _environment!.BeginWrite();
        for (int i = _random.Next(1, _changesMax); i > 0; i--)
        {
            Change(transaction, ref state);
        }

        if (!commit || state.Count == 0)
        {
            transaction.Dispose();
            RequireFreePages();
            return;
        }

        Commit(transaction, state);
    }

    private void Commit(WriteTransaction transaction, ImmutableSortedDictionary<string, byte[]> state)
    {
        var attempt = new CommitAttempt(transaction.Id, Disk.Log.Count, state);
        Attempts.Add(attempt);
        transaction.Commit();
        if (_environment!.LastTransactionId < attempt.TransactionId)
        {
            // Nothing was changed after all, and so nothing committed.
            Attempts.Remove(attempt);
            return;
        }

        attempt.AcknowledgedAt = _durability == StorageDurability.Durable ? Disk.Log.Count : int.MaxValue;
        State = state;
    }

    /// <summary>A transaction of merged writes is durable, and readers see it.</summary>
    internal void Acknowledge(long transactionId)
    {
        CommitAttempt attempt = Attempts.Single(each => each.TransactionId == transactionId);
        attempt.AcknowledgedAt = Math.Min(attempt.AcknowledgedAt, Disk.Log.Count);
        State = attempt.State;
    }

    /// <summary>A key and what it is to have, for merged writes.</summary>
    internal (string Key, byte[] Value) NewChange() =>
        ($"{_random.Next(TreeCount)}/{_random.Next(_keys):D4}", NewValue(Size()));

    /// <summary>A lazy commit promises nothing; what a header names is on the disk.</summary>
    private void AcknowledgeApplied()
    {
        long applied = _environment!.GetStatistics().AppliedTransactionId;
        for (int i = Attempts.Count - 1; i >= 0 && Attempts[i].AcknowledgedAt == int.MaxValue; i--)
        {
            if (Attempts[i].TransactionId <= applied)
            {
                Attempts[i].AcknowledgedAt = Disk.Log.Count;
            }
        }
    }

    private void RequireFreePages()
    {
        using ReadTransaction reader = _environment!.BeginRead();
        long free = 0;
        for (long page = 3; page < reader.NextPageNumber; page++)
        {
            free += Raven.Storage.Paging.FreeSpace.IsFree(reader, page) ? 1 : 0;
        }

        long counted = _environment.FreeSpace.FreePages;
        Require(free == counted, $"{free} pages are free, {counted} are counted.");
    }

    private void Change(WriteTransaction transaction, ref ImmutableSortedDictionary<string, byte[]> state)
    {
        int number = _random.Next(TreeCount + _structures.Count);
        if (number >= TreeCount)
        {
            ChangeOther(_structures[number - TreeCount], transaction, ref state);
            return;
        }

        Tree tree = transaction.OpenOrCreateTree($"tree{number}");
        string key = $"{number}/{_random.Next(_keys):D4}";
        if (_random.Next(4) == 0)
        {
            bool wasThere = tree.Delete(Encoding.ASCII.GetBytes(key));
            Require(wasThere == state.ContainsKey(key), $"Delete of {key} said {wasThere}.");
            state = state.Remove(key);
            return;
        }

        byte[] value = NewValue(Size());
        tree.Put(Encoding.ASCII.GetBytes(key), value);
        state = state.SetItem(key, value);
    }

    private void ChangeOther(
        ModelStructure structure, WriteTransaction transaction, ref ImmutableSortedDictionary<string, byte[]> state)
    {
        int number = _random.Next(_keys);
        int what = _random.Next(16);
        state = what == 0
            ? structure.DoMore(transaction, state, number, _random.Next(_keys))
            : structure.Change(transaction, state, number, what < 5 ? null : NewValue(
                Math.Clamp(Size(), structure.LengthMin, structure.LengthMax)));
    }

    private byte[] NewValue(int length)
    {
        byte[] value = new byte[length];
        // The start is random, the rest repeats it: unlike every other value, and compressible.
        Span<byte> start = value.AsSpan(0, Math.Min(value.Length, 48));
        _random.NextBytes(start);
        for (int done = start.Length; done < value.Length; done *= 2)
        {
            int copied = Math.Min(done, value.Length - done);
            value.AsSpan(0, copied).CopyTo(value.AsSpan(done));
        }

        return value;
    }

    private int Size() => _random.Next(20) switch
    {
        < 3 when _hasLargeValues => _random.Next(65_000, 150_000),
        < 14 => _random.Next(1, 200),
        < 17 => _random.Next(200, 3000),
        < 19 => _random.Next(3000, 20_000),
        _ => _random.Next(20_000, 50_000),
    };

    private void ToggleReader()
    {
        if (_reader is null)
        {
            _reader = _environment!.BeginRead();
            _readerState = State;
        }
        else
        {
            _reader.Dispose();
            _reader = null;
        }
    }

    private void CheckReader()
    {
        if (_reader is not null)
        {
            string? difference = Difference(_reader, _readerState);
            Require(difference is null, $"An open reader's state changed: {difference}");
        }
    }

    /// <summary>How a state differs from what was expected, or null.</summary>
    internal static string? Difference(ReadTransaction reader, ImmutableSortedDictionary<string, byte[]> expected)
    {
        int count = 0;
        for (int number = 0; number < TreeCount; number++)
        {
            if (reader.TryOpenTree($"tree{number}") is not { } tree)
            {
                continue;
            }

            TreeCursor cursor = tree.GetCursor();
            for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
            {
                string key = Encoding.ASCII.GetString(cursor.Key);
                if (!expected.TryGetValue(key, out byte[]? value) || !cursor.Value.Span.SequenceEqual(value))
                {
                    return $"{key} has {cursor.Value.Length} bytes, expected {value?.Length ?? -1}";
                }

                count++;
            }
        }

        foreach (ModelStructure structure in ModelStructure.Others)
        {
            if (structure.Difference(reader, expected, ref count) is { } difference)
            {
                return difference;
            }
        }

        return count == expected.Count ? null : $"{count} keys instead of {expected.Count}";
    }

    private static void Require(bool isTrue, string otherwise)
    {
        if (!isTrue)
        {
            throw new CrashTestException(otherwise);
        }
    }
}
