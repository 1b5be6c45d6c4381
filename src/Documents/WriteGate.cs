using Raven.Storage.Errors;


namespace Raven.Documents;

/// <summary>
/// Lets the changes of a database through; while it is closed, as the storage is copied, it makes them wait.
/// Any thread.
/// </summary>
internal sealed class WriteGate(string database, TimeProvider clock)
{
    /// <summary>The longest that a change waits before it is refused.</summary>
    internal static readonly TimeSpan WaitMax = TimeSpan.FromSeconds(15);

    private volatile Closing? _closing;
    private int _inside;

    /// <summary>True while it is closed.</summary>
    internal bool IsClosed => _closing is not null;

    /// <summary>Lets a change in, unless it is closed. A change that was let in must <see cref="Leave"/>.</summary>
    internal bool TryEnter()
    {
        Interlocked.Increment(ref _inside);
        if (_closing is null)
        {
            return true;
        }

        Leave();
        return false;
    }

    /// <summary>Lets a change in as soon as it is open.</summary>
    /// <exception cref="StorageBusyException">The change has waited for <see cref="WaitMax"/>.</exception>
    internal async ValueTask EnterAsync()
    {
        while (!TryEnter())
        {
            if (_closing is { } closing)
            {
                try
                {
                    await closing.Opened.Task.WaitAsync(WaitMax, clock).ConfigureAwait(false);
                }
                catch (TimeoutException)
                {
                    throw new StorageBusyException($"Database '{database}' is being compacted; try again later.");
                }
            }
        }
    }

    /// <summary>Notes that a change is done.</summary>
    internal void Leave()
    {
        if (Interlocked.Decrement(ref _inside) == 0)
        {
            _closing?.Emptied.TrySetResult();
        }
    }

    /// <summary>Lets no change in until <see cref="Open"/>; false if it is closed already.</summary>
    /// <param name="empty">Completes when no change is in.</param>
    internal bool TryClose(out Task empty)
    {
        var closing = new Closing();
        empty = closing.Emptied.Task;
        if (Interlocked.CompareExchange(ref _closing, closing, null) is not null)
        {
            return false;
        }

        if (Volatile.Read(ref _inside) == 0)
        {
            closing.Emptied.TrySetResult();
        }

        return true;
    }

    /// <summary>Lets changes in again.</summary>
    internal void Open()
    {
        Closing? closing = _closing;
        _closing = null;
        closing?.Opened.TrySetResult();
    }

    private sealed class Closing
    {
        internal TaskCompletionSource Emptied { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal TaskCompletionSource Opened { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
