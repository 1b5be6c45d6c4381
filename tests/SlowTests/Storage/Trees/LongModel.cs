using System.Collections.Concurrent;
using Raven.Storage.Checks;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace SlowTests.Storage.Trees;

/// <summary>
/// Random transactions on one structure of an environment and on a model of it that never changes, so that every state
/// is kept for its readers. Transactions are rolled back now and then, the environment is flushed and opened again;
/// old snapshots are read again from start to end, and another thread reads the newest one all the time.
/// </summary>
internal abstract class LongModel<TState> : IDisposable
{
    private const int SnapshotsMax = 3;
    private const int OperationsMax = 2_000;

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-model-").FullName;
    private readonly Queue<(ReadTransaction Reader, TState State)> _snapshots = new();
    private readonly ConcurrentDictionary<long, TState> _states = new();
    private readonly TState _empty;
    private readonly int _seed;
    private StorageEnvironment _environment = null!;
    private CancellationTokenSource _readingEnds = null!;
    private Task _reading = Task.CompletedTask;
    private long _readings;

    private protected LongModel(int seed, TState empty)
    {
        _seed = seed;
        _empty = empty;
        State = empty;
        Random = new Random(seed);
        Open();
    }

    /// <summary>The states that the other thread compared.</summary>
    internal long Readings => Volatile.Read(ref _readings);

    /// <summary>Opens of the environment.</summary>
    internal int Opens { get; private set; }

    private protected Random Random { get; }

    /// <summary>What the structure must hold.</summary>
    private protected TState State { get; set; }

    public void Dispose()
    {
        Close();
        Directory.Delete(_folder, recursive: true);
    }

    /// <summary>Runs at least so many operations.</summary>
    internal void Run(int operations)
    {
        for (int done = 0; done < operations;)
        {
            if (Random.Next(12) == 0)
            {
                Close();
                Open();
            }

            int count = Random.Next(1, OperationsMax);
            done += count;
            RunTransaction(count);
            if (Random.Next(4) == 0)
            {
                _environment.Flush();
            }

            KeepSnapshot();
        }
    }

    /// <summary>One operation on the structure and on <see cref="State"/>.</summary>
    private protected abstract void Step(WriteTransaction transaction);

    /// <summary>Reads all of the structure.</summary>
    private protected abstract void Compare(TState state, ReadTransaction reader);

    private void RunTransaction(int operations)
    {
        TState before = State;
        using WriteTransaction transaction = _environment.BeginWrite();
        for (int i = 0; i < operations; i++)
        {
            Step(transaction);
        }

        if (Random.Next(6) == 0)
        {
            State = before;
            return;
        }

        _states[transaction.Id] = State;
        transaction.Commit();
    }

    private void KeepSnapshot()
    {
        ReadTransaction newest = _environment.BeginRead();
        _snapshots.Enqueue((newest, State));
        if (Random.Next(8) == 0)
        {
            CheckReport report = newest.Check();
            Assert.True(report.Findings.Count == 0, string.Join('\n', report.Findings));
        }

        if (_snapshots.Count > SnapshotsMax)
        {
            Release();
        }

        if (_reading.IsFaulted)
        {
            _reading.GetAwaiter().GetResult();
        }
    }

    private void Release()
    {
        (ReadTransaction reader, TState state) = _snapshots.Dequeue();
        CompareOrSay(state, reader);
        reader.Dispose();
    }

    private void Open()
    {
        _environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(_folder),
            Durability = StorageDurability.Lazy,
            FlushAfterBytes = 256 << 10,
            JournalSizeBytesMax = 1 << 20,
            AuditsCommits = true,
        });
        Opens++;
        using (ReadTransaction reader = _environment.BeginRead())
        {
            CompareOrSay(State, reader);
        }

        _readingEnds = new CancellationTokenSource();
        _reading = Task.Factory.StartNew(ReadOn, TaskCreationOptions.LongRunning);
    }

    private void Close()
    {
        _readingEnds.Cancel();
        _reading.GetAwaiter().GetResult();
        _readingEnds.Dispose();
        while (_snapshots.Count > 0)
        {
            Release();
        }

        _environment.Dispose();
    }

    private void ReadOn()
    {
        while (!_readingEnds.IsCancellationRequested)
        {
            using ReadTransaction reader = _environment.BeginRead();
            CompareOrSay(_states.GetValueOrDefault(reader.Id, _empty), reader);
            foreach (long old in _states.Keys.Where(id => id < reader.Id))
            {
                _states.TryRemove(old, out _);
            }

            Interlocked.Increment(ref _readings);
        }
    }

    private void CompareOrSay(TState state, ReadTransaction reader)
    {
        try
        {
            Compare(state, reader);
        }
        catch (Exception failure)
        {
            throw new InvalidOperationException(
                $"Seed {_seed}, transaction {reader.Id}: {failure.Message}", failure);
        }
    }
}
