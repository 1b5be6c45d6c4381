using System.Diagnostics;
using System.Threading.Tasks.Sources;
using Raven.Storage.Platform;

namespace Raven.Storage.GroupCommit;

/// <summary>
/// A command that waits for its commit, and what its writer waits on. Reused when the writer has seen the outcome.
/// </summary>
internal sealed class PendingWrite : IValueTaskSource
{
    // Continuations run only in Resume, on the thread pool: never on the thread that commits.
    private ManualResetValueTaskSourceCore<bool> _source = new() { RunContinuationsAsynchronously = true };
    private readonly PendingWritePool _pool;
    private Exception? _failure;
    private WriterSignals? _signals;
    private int _place;
    private bool _isComplete;

    internal PendingWrite(PendingWritePool pool) => _pool = pool;

    internal IWriteCommand Command { get; private set; } = null!;

    /// <summary>
    /// The size that its command reported when it was submitted; it is kept, so that as many bytes are given back as
    /// were reserved.
    /// </summary>
    internal long SizeInBytes { get; private set; }

    /// <summary>True if its writer blocks a thread, false if it awaits a task.</summary>
    internal bool IsBlocking => _signals is not null;

    /// <summary>
    /// The bit of the signal that its writer sleeps on; 0 if the writer awaits. To be read before
    /// <see cref="TryComplete"/>; the signal is set after that call.
    /// </summary>
    internal uint SignalBit => IsBlocking ? 1u << _place : 0;

    /// <summary>When it was submitted, by <see cref="Stopwatch"/>.</summary>
    internal long QueuedAt { get; private set; }

    /// <summary>The next in a list of writes; belongs to the owner of the list.</summary>
    internal PendingWrite? Next { get; set; }

    /// <summary>The task that the writer awaits.</summary>
    internal ValueTask Task => new(this, _source.Version);

    /// <param name="command">What is written.</param>
    /// <param name="signals">What its writer sleeps on; null if it awaits.</param>
    internal void Begin(IWriteCommand command, WriterSignals? signals)
    {
        Command = command;
        SizeInBytes = command.SizeInBytes;
        QueuedAt = Stopwatch.GetTimestamp();
        _source.RunContinuationsAsynchronously = true;
        _failure = null;
        _isComplete = false;
        _signals = signals;
        _place = signals?.Now ?? 0;
    }

    /// <summary>
    /// Stores the outcome for a writer that blocks: it is woken by its signal if it sleeps, or is this thread. Once
    /// this returns true, the writer may use the object again. Returns false for a writer that awaits: it goes on by
    /// <see cref="Resume"/>.
    /// </summary>
    internal bool TryComplete(Exception? failure, bool isOwn)
    {
        _failure = failure;
        if (IsBlocking)
        {
            Volatile.Write(ref _isComplete, true);
            return true;
        }

        if (isOwn)
        {
            SetOutcome();
        }

        return isOwn;
    }

    /// <summary>
    /// Completes the writer's task and runs its continuation on this thread. The object may be in use again when
    /// this returns.
    /// </summary>
    internal void Resume()
    {
        _source.RunContinuationsAsynchronously = false;
        SetOutcome();
    }

    private void SetOutcome()
    {
        if (_failure is null)
        {
            _source.SetResult(true);
        }
        else
        {
            _source.SetException(_failure);
        }
    }

    /// <summary>Blocks until it is complete, and returns its failure.</summary>
    internal Exception? Wait()
    {
        SharedSignal signal = _signals![_place];
        int seen = signal.Count;
        while (!Volatile.Read(ref _isComplete))
        {
            signal.SleepWhile(seen);
            seen = signal.Count;
        }

        return _failure;
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    void IValueTaskSource.GetResult(short token)
    {
        try
        {
            _source.GetResult(token);
        }
        finally
        {
            Reset();
            _source.Reset();
            _pool.Return(this);
        }
    }

    internal void Reset()
    {
        Command = null!;
        _failure = null;
    }
}
