using System.Threading.Tasks.Sources;
using Raven.Storage.Platform;

namespace Raven.Storage.Transactions;

/// <summary>A command that waits for its commit, and what its writer waits on. Used again when the writer has seen the
/// outcome.</summary>
internal sealed class PendingWrite : IValueTaskSource
{
    // Continuations go to the thread pool: none runs on the thread that commits.
    private ManualResetValueTaskSourceCore<bool> _source = new() { RunContinuationsAsynchronously = true };
    private readonly TransactionMerger _merger;
    private Exception? _failure;
    private bool _isBlocking;
    private ThreadSignal? _done;

    internal PendingWrite(TransactionMerger merger) => _merger = merger;

    internal IWriteCommand Command { get; private set; } = null!;

    /// <summary>The next in a list of writes; owned by whoever owns the list.</summary>
    internal PendingWrite? Next { get; set; }

    /// <summary>What the writer awaits.</summary>
    internal ValueTask Task => new(this, _source.Version);

    internal void Begin(IWriteCommand command, bool isBlocking)
    {
        Command = command;
        _isBlocking = isBlocking;
        _failure = null;
        if (isBlocking)
        {
            _done ??= new ThreadSignal();
            _done.Reset();
        }
    }

    /// <summary>Tells the writer. The object may be in use again when this returns.</summary>
    internal void Complete(Exception? failure)
    {
        if (_isBlocking)
        {
            _failure = failure;
            _done!.Set();
        }
        else if (failure is null)
        {
            _source.SetResult(true);
        }
        else
        {
            _source.SetException(failure);
        }
    }

    /// <summary>Blocks until it is complete, and gives its failure.</summary>
    internal Exception? Wait()
    {
        _done!.Wait();
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
            _merger.Return(this);
        }
    }

    internal void Reset()
    {
        Command = null!;
        _failure = null;
    }
}
