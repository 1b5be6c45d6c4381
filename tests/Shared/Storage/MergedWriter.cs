using System.Buffers.Binary;
using System.Collections.Immutable;
using System.Text;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.GroupCommit;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>
/// Writes of a <see cref="CrashWorkload"/> that go through the merger: some share a transaction, some come while its
/// record is being written and make the next one meanwhile, on another thread, and now and then one of them throws. The
/// two threads take turns at fixed places, so that a run stays a function of its seed.
/// </summary>
internal sealed class MergedWriter : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(20);

    /// <summary>A writer that does not wait when it must is done long before.</summary>
    private static readonly TimeSpan EarlyTime = TimeSpan.FromMilliseconds(5);

    private readonly CrashWorkload _workload;
    private readonly Random _random;
    private readonly ManualScheduler _leads = new();
    private readonly ManualScheduler _background;
    private readonly ManualResetEventSlim _isBuilt = new();
    private readonly ManualResetEventSlim _isFirstOver = new();
    private readonly List<(Command Command, Task Task)> _queued = [];
    private readonly List<ImmutableSortedDictionary<string, byte[]>?> _states = [];
    private TransactionMerger? _merger;
    private StorageEnvironment? _environment;
    private Thread? _second;
    private Exception? _secondFailure;

    /// <summary>The workload's own random numbers decide all here as well.</summary>
    internal MergedWriter(CrashWorkload workload, Random random, ManualScheduler background)
    {
        _workload = workload;
        _random = random;
        _background = background;
    }

    /// <summary>Transactions that were made while the one before was written.</summary>
    internal int Overlaps { get; private set; }

    /// <summary>Commands that threw, in transactions with others.</summary>
    internal int Throws { get; private set; }

    public void Dispose()
    {
        _merger?.Dispose();
        _isBuilt.Dispose();
        _isFirstOver.Dispose();
    }

    /// <summary>Writes a handful of commands and waits for them all.</summary>
    /// <exception cref="Raven.Storage.Errors.StorageIOException">What the disk did to one of them.</exception>
    internal void Write(StorageEnvironment environment)
    {
        if (_environment != environment)
        {
            _environment = environment;
            _merger?.Dispose();
            _merger = new TransactionMerger(environment, _leads, 64 << 20);
        }

        Command[] first = NewCommands(_random.Next(1, 4));
        Command[] shared = NewCommands(_random.Next(0, 4));
        Command[] later = NewCommands(_random.Next(0, 4));
        first[0].Then = () => Enqueue(first.AsSpan(1), shared);
        if (later.Length > 0)
        {
            (shared.Length > 0 ? shared[^1] : first[0]).Then += () => Enqueue(later, []);
            later[^1].Then = WaitForFirst;
        }

        _queued.Clear();
        _isBuilt.Reset();
        _isFirstOver.Reset();
        _secondFailure = null;
        bool flushesMeanwhile = _random.Next(4) == 0;
        bool looks = later.Length == 0 && _random.Next(3) == 0;
        var look = new Look(throws: _random.Next(2) == 0);
        bool isToldEarly = false;
        _workload.Disk.BeforeJournalWrite =
            looks ? _ => isToldEarly |= StartLook(look) : _ => StartSecond(flushesMeanwhile);
        try
        {
            RunFirst(first[0]);
        }
        finally
        {
            _workload.Disk.BeforeJournalWrite = null;
            _isFirstOver.Set();
            while (_second?.Join(TimeSpan.FromMilliseconds(1)) == false)
            {
                // One that only looks may have come behind writes that wait for a leader.
                _leads.RunAll();
            }

            _second = null;
            while (_leads.Count > 0)
            {
                _leads.RunAll();
            }
        }

        Require(_secondFailure is null, $"The second leader threw {_secondFailure}");
        Require(!isToldEarly, "A write that only looked was told of what was not in the journal yet.");
        RequireOutcomes();
    }

    /// <summary>
    /// Called when a record is about to be written. Another thread looks at what it will hold, and has to wait for it:
    /// true if it was answered before.
    /// </summary>
    private bool StartLook(Look look)
    {
        if (_second is not null)
        {
            return false;
        }

        _second = new Thread(() =>
        {
            try
            {
                _merger!.Execute(look);
            }
            catch (Exception failure) when (failure is InvalidDataException or StoragePoisonedException)
            {
                // Refused by itself, or the disk failed the record.
            }
            catch (Exception failure)
            {
                _secondFailure = failure;
            }
        });
        _second.Start();
        return _second.Join(EarlyTime);
    }

    /// <summary>The first one leads on this thread, blocked or not, until it is written.</summary>
    private void RunFirst(Command first)
    {
        if (_random.Next(2) == 0)
        {
            _queued.Add((first, _merger!.Enqueue(first).AsTask()));
            return;
        }

        var outcome = new TaskCompletionSource();
        _queued.Add((first, outcome.Task));
        try
        {
            _merger!.Execute(first);
            outcome.SetResult();
        }
        catch (Exception failure)
        {
            outcome.SetException(failure);
        }
    }

    private void Enqueue(ReadOnlySpan<Command> some, ReadOnlySpan<Command> more)
    {
        foreach (Command command in (Command[])[.. some, .. more])
        {
            _queued.Add((command, _merger!.Enqueue(command).AsTask()));
        }
    }

    /// <summary>Called when the first leader is about to write its record, and others wait for a leader.</summary>
    private void StartSecond(bool flushes)
    {
        if (_leads.Count == 0 || _second is not null)
        {
            return;
        }

        Overlaps++;
        _second = new Thread(() =>
        {
            try
            {
                if (flushes)
                {
                    _background.RunAll();
                }

                _leads.RunAll();
            }
            catch (Exception failure)
            {
                _secondFailure = failure;
            }
            finally
            {
                _isBuilt.Set();
            }
        });
        _second.Start();
        Require(_isBuilt.Wait(Patience), "The second leader is stuck.");
    }

    /// <summary>The second leader's transaction is made; its record waits for that of the first.</summary>
    private void WaitForFirst()
    {
        if (Thread.CurrentThread == _second)
        {
            _isBuilt.Set();
            Require(_isFirstOver.Wait(Patience), "The first leader is stuck.");
        }
    }

    /// <summary>Each has its own outcome: what was planned to throw threw that, the others failed by the disk
    /// alone.</summary>
    private void RequireOutcomes()
    {
        Exception? failure = null;
        foreach ((Command command, Task task) in _queued)
        {
            Require(Task.WaitAny([task], Patience) == 0, "A write was forgotten.");
            Exception? thrown = task.Exception?.InnerException;
            bool isPlanned = thrown is InvalidDataException;
            Require(!isPlanned || command.Throws, "A write failed by another one's exception.");
            Require(!command.Throws || thrown is not null, "A write that threw was acknowledged.");
            failure ??= isPlanned ? null : thrown;
        }

        if (failure is not null)
        {
            throw failure;
        }
    }

    private Command[] NewCommands(int count)
    {
        var commands = new Command[count];
        for (int i = 0; i < count; i++)
        {
            commands[i] = new Command(this, _random.Next(12) == 0)
            {
                Changes = [.. Enumerable.Range(0, _random.Next(1, 5)).Select(_ => _workload.NewChange())],
            };
        }

        return commands;
    }

    /// <summary>
    /// What the transaction has until now, by the model. Which commands it has is read from the transaction itself, as
    /// one that was dropped may have had the same number.
    /// </summary>
    private ImmutableSortedDictionary<string, byte[]> ReadState(WriteTransaction transaction)
    {
        if (!transaction.OpenOrCreateTree("marks").TryGet("last"u8, out NativeSlice mark))
        {
            return CrashWorkload.Empty;
        }

        ImmutableSortedDictionary<string, byte[]>? state = _states[BinaryPrimitives.ReadInt32LittleEndian(mark.Span)];
        Require(state is not null, "Changes of a write that threw are there.");
        return state!;
    }

    /// <summary>
    /// Marks the transaction as having a command. What the model then has is set by <see cref="Attempt"/>.
    /// </summary>
    private int Mark(WriteTransaction transaction)
    {
        int number = _states.Count;
        _states.Add(null);
        Span<byte> mark = stackalloc byte[sizeof(int)];
        BinaryPrimitives.WriteInt32LittleEndian(mark, number);
        transaction.OpenOrCreateTree("marks").Put("last"u8, mark);
        return number;
    }

    private void Attempt(
        long transactionId, ImmutableSortedDictionary<string, byte[]> before,
        ImmutableSortedDictionary<string, byte[]> after, int number)
    {
        _states[number] = after;
        List<CommitAttempt> attempts = _workload.Attempts;
        if (attempts.Count > 0 && attempts[^1].TransactionId == transactionId && attempts[^1].State == before)
        {
            attempts[^1] = attempts[^1] with { State = after };
            return;
        }

        attempts.RemoveAll(attempt => attempt.TransactionId >= transactionId);
        attempts.Add(new CommitAttempt(transactionId, _workload.Disk.Log.Count, after));
    }

    private static void Require(bool isTrue, string otherwise)
    {
        if (!isTrue)
        {
            throw new CrashTestException(otherwise);
        }
    }

    /// <summary>Changes nothing, and reports what it saw by its outcome.</summary>
    private sealed class Look(bool throws) : IWriteCommand
    {
        public void Execute(WriteTransaction transaction)
        {
            if (throws)
            {
                throw new InvalidDataException("looked");
            }
        }
    }

    private sealed class Command(MergedWriter writer, bool throws) : IWriteCommand
    {
        internal required IReadOnlyList<(string Key, byte[] Value)> Changes { get; init; }

        internal bool Throws { get; } = throws;

        /// <summary>What happens once, when it was executed for the first time.</summary>
        internal Action? Then { get; set; }

        public void Execute(WriteTransaction transaction)
        {
            ImmutableSortedDictionary<string, byte[]> before = writer.ReadState(transaction);
            ImmutableSortedDictionary<string, byte[]> after = before;
            int number = writer.Mark(transaction);
            foreach ((string key, byte[] value) in Changes)
            {
                transaction.OpenOrCreateTree($"tree{key[0]}").Put(Encoding.ASCII.GetBytes(key), value);
                after = after.SetItem(key, value);
            }

            Action? then = Then;
            Then = null;
            then?.Invoke();
            if (Throws)
            {
                // Not before its changes: nothing of them may be left. The others are now committed one by one, which
                // waits for the first leader's record.
                writer.Throws++;
                writer.WaitForFirst();
                throw new InvalidDataException("planned");
            }

            writer.Attempt(transaction.Id, before, after, number);
        }

        public void Committed(long transactionId) => writer._workload.Acknowledge(transactionId);
    }
}
