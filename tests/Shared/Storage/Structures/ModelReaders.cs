using System.Collections.Concurrent;
using Raven.Storage.Transactions;
using State = System.Collections.Immutable.ImmutableSortedDictionary<string, byte[]>;

namespace Shared.Storage.Structures;

/// <summary>
/// Threads that read an environment beside its writer: each takes a snapshot with what the model was at that commit,
/// and reads it from start to end, again and again, until the writer is some commits further; then the next one.
/// </summary>
internal sealed class ModelReaders(ModelStructure structure, int count)
{
    private const int CommitsMax = 3;
    private const string Beside = "A reader beside the writer";

    /// <summary>By transaction. They share most of what they hold, and end with the list of operations.</summary>
    private readonly ConcurrentDictionary<long, State> _states = new() { [0] = CrashWorkload.Empty };
    private Task[] _reading = [];
    private volatile bool _isOver;
    private long _readingsBeside;

    /// <summary>Whole readings of a snapshot that was no longer the last commit when they ended.</summary>
    internal long ReadingsBeside => Volatile.Read(ref _readingsBeside);

    /// <summary>What a transaction leaves; to be called before its commit, which readers may see before the writer
    /// does.</summary>
    internal void Expect(long transactionId, State state) => _states[transactionId] = state;

    /// <summary>Starts them on an environment. The first snapshot of each is taken here: a thread that a busy machine
    /// lets wait until the writer is done then reads what the writer has left behind, and not its last state.</summary>
    internal void Begin(StorageEnvironment environment)
    {
        _isOver = false;
        _reading =
        [
            .. Enumerable.Range(0, count).Select(_ => environment.BeginRead())
                .Select(first => Task.Run(() => ReadOn(environment, first))),
        ];
    }

    /// <summary>Throws what a reader has found.</summary>
    internal void ThrowIfFailed()
    {
        foreach (Task reading in _reading)
        {
            if (reading.IsFaulted)
            {
                reading.GetAwaiter().GetResult();
            }
        }
    }

    /// <summary>Waits until each has read its snapshot to the end and disposed it; throws nothing.</summary>
    internal void End()
    {
        _isOver = true;
        Task.WhenAll(_reading).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing).GetAwaiter().GetResult();
    }

    private void ReadOn(StorageEnvironment environment, ReadTransaction first)
    {
        ReadAgain(environment, first);
        while (!_isOver)
        {
            ReadAgain(environment, environment.BeginRead());
        }
    }

    private void ReadAgain(StorageEnvironment environment, ReadTransaction snapshot)
    {
        using ReadTransaction reader = snapshot;
        State state = _states[reader.Id];
        do
        {
            Compare(reader, state);
            if (environment.LastTransactionId > reader.Id)
            {
                Interlocked.Increment(ref _readingsBeside);
            }
        }
        while (!_isOver && environment.LastTransactionId < reader.Id + CommitsMax);
    }

    /// <summary>Whatever a reading finds or throws is reported as found by a reader.</summary>
    private void Compare(ReadTransaction reader, State state)
    {
        string? difference;
        try
        {
            int entries = 0;
            difference = structure.Difference(reader, state, ref entries);
            difference ??= entries == state.Count ? null : $"{entries} entries instead of {state.Count}";
        }
        catch (Exception failure)
        {
            throw new CrashTestException($"{Beside}, of transaction {reader.Id}: {failure.Message}", failure);
        }

        if (difference is not null)
        {
            throw new CrashTestException($"{Beside}, of transaction {reader.Id}: {difference}");
        }
    }
}
