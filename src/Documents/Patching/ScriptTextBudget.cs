namespace Raven.Documents.Patching;

//   TEXTS-1  A run that holds something takes more without waiting, so that no two runs wait for each other.
//   TEXTS-2  A run that holds nothing waits behind all that came before it, until there is room or all has come back: a
//            text that is larger than the whole goes alone.
//   TEXTS-3  A run waits with nothing in its hands and on no thread, and gives back what it holds before its client is
//            waited for: what others wait for is work, never a client.

/// <summary>
/// The memory of large texts at which scripts look, of all requests together. A text is a string as long as a script
/// runs that has looked at it, whatever its length; without this each of many requests would have its own at the same
/// time. Any thread.
/// </summary>
/// <param name="bytesMax">How many bytes they may have together.</param>
internal sealed class ScriptTextBudget(long bytesMax)
{
    /// <summary>What they have in a server: some texts of the usual largest size.</summary>
    internal const long BytesMaxOfServer = 128L << 20;

    /// <summary>What a run has of smaller strings does not count.</summary>
    internal const long CountedBytesMin = 1L << 20;

    private readonly LinkedList<Waiter> _waiting = [];
    private readonly object _gate = new();
    private long _usedBytes;

    /// <summary>The bytes that runs hold now.</summary>
    internal long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>How many runs wait.</summary>
    internal int WaitingCount
    {
        get
        {
            lock (_gate)
            {
                return _waiting.Count;
            }
        }
    }

    /// <summary>Takes bytes at once, if there is room and no other waits.</summary>
    internal bool TryTake(long bytes)
    {
        lock (_gate)
        {
            if (_waiting.Count > 0 || !Fits(bytes))
            {
                return false;
            }

            _usedBytes += bytes;
            return true;
        }
    }

    /// <summary>Takes bytes for a run that does not wait.</summary>
    internal void Take(long bytes)
    {
        lock (_gate)
        {
            _usedBytes += bytes;
        }
    }

    /// <summary>Takes bytes as soon as it is the turn of who asks.</summary>
    /// <param name="bytes">How many.</param>
    /// <param name="cancellation">Ends the waiting: then nothing is taken.</param>
    internal async Task TakeAsync(long bytes, CancellationToken cancellation)
    {
        LinkedListNode<Waiter> node;
        lock (_gate)
        {
            node = _waiting.AddLast(new Waiter(bytes));
            LetGo();
        }

        using CancellationTokenRegistration ended = cancellation.UnsafeRegister(
            (_, token) => Leave(node, token), null);
        await node.Value.Done.Task.ConfigureAwait(false);
    }

    /// <summary>Gives bytes back.</summary>
    internal void Give(long bytes)
    {
        lock (_gate)
        {
            _usedBytes -= bytes;
            LetGo();
        }
    }

    private void Leave(LinkedListNode<Waiter> node, CancellationToken token)
    {
        lock (_gate)
        {
            if (node.List is null)
            {
                // Its turn has come just now: what it took is given back by who asked.
                return;
            }

            _waiting.Remove(node);
            LetGo();
        }

        node.Value.Done.TrySetCanceled(token);
    }

    /// <summary>Lets all go on whose turn it is.</summary>
    private void LetGo()
    {
        while (_waiting.First is { } first && Fits(first.Value.Bytes))
        {
            _waiting.RemoveFirst();
            _usedBytes += first.Value.Bytes;
            first.Value.Done.SetResult();
        }
    }

    private bool Fits(long bytes) => _usedBytes == 0 || _usedBytes + bytes <= bytesMax;

    private sealed class Waiter(long bytes)
    {
        internal long Bytes => bytes;

        internal TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
    }
}
