using System.Diagnostics;

namespace Raven.Server.Documents.Changes;

//   CHG-1  A change is told after its journal record is durable, and only then.
//   CHG-2  Who subscribes and then begins a snapshot misses nothing: a change is in the snapshot, or told, or both.
//   CHG-3  Changes are told in the order of their etags, though the threads that committed them may overtake each other
//          on the way here: each waits until the changes before its own were told. That is short, for the thread that
//          it waits for has its journal write behind it.
//   CHG-4  Without listeners a commit costs the reading and writing of one field.

/// <summary>Tells listeners of a database's committed changes.</summary>
public sealed class DocumentChanges
{
    private const int TurnMilliseconds = 10_000;

    private readonly Lock _gate = new();
    private volatile IDocumentChangeListener[] _listeners = [];
    private volatile bool _isDeleted;
    private long _toldEtag;

    /// <summary>True from just before the listeners are told that the database is deleted.</summary>
    internal bool IsDeleted => _isDeleted;

    /// <summary>True where somebody listens.</summary>
    public bool HasListeners => _listeners.Length != 0;

    /// <summary>
    /// Called after each commit that changed something, when its snapshot can be read: takes note and returns. It is
    /// not told what changed, so that a commit costs no more for it.
    /// </summary>
    internal Action? Committed { get; set; }

    /// <summary>From now on the listener is told of every commit. Safe from any thread.</summary>
    public void Add(IDocumentChangeListener listener)
    {
        lock (_gate)
        {
            _listeners = [.. _listeners, listener];
        }
    }

    /// <summary>Tells it no more; a call that is under way may still end.</summary>
    public void Remove(IDocumentChangeListener listener)
    {
        lock (_gate)
        {
            _listeners = [.. _listeners.Where(one => !ReferenceEquals(one, listener))];
        }
    }

    /// <summary>The database is open: all changes up to this one are old.</summary>
    internal void Start(long lastEtag) => Volatile.Write(ref _toldEtag, lastEtag);

    /// <summary>Waits until all changes up to this one were told (CHG-3).</summary>
    internal void AwaitTurn(long etag)
    {
        if (Volatile.Read(ref _toldEtag) >= etag)
        {
            return;
        }

        SpinWait wait = default;
        long giveUpAt = Environment.TickCount64 + TurnMilliseconds;
        while (Volatile.Read(ref _toldEtag) < etag && Environment.TickCount64 < giveUpAt)
        {
            wait.SpinOnce(sleep1Threshold: -1);
        }

        // Only a mistake in the server gets here; a commit must not hang on it.
        Debug.Assert(Volatile.Read(ref _toldEtag) >= etag, "CHG-3");
    }

    /// <summary>All changes up to this one were told.</summary>
    internal void EndTurn(long etag)
    {
        long told = Volatile.Read(ref _toldEtag);
        while (told < etag)
        {
            long seen = Interlocked.CompareExchange(ref _toldEtag, etag, told);
            if (seen == told)
            {
                return;
            }

            told = seen;
        }
    }

    /// <summary>Tells all listeners of one change.</summary>
    internal void Tell(in DocumentChange change)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnChange(in change);
        }
    }

    /// <summary>Tells all listeners of the change of a counter.</summary>
    internal void Tell(in CounterChange change)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnChange(in change);
        }
    }

    /// <summary>Tells all listeners that the database is deleted.</summary>
    internal void TellDeleted()
    {
        _isDeleted = true;

        // Who listens from now on sees it, or is seen below.
        Interlocked.MemoryBarrier();
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnDeleted();
        }
    }

    /// <summary>Tells all listeners that a transaction is complete.</summary>
    internal void TellCommitted(long lastEtag)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnCommitted(lastEtag);
        }
    }
}
