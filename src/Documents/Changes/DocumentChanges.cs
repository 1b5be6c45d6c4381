using System.Diagnostics;

namespace Raven.Documents.Changes;

//   CHG-1  A change is reported to the listeners after its journal record is durable, and only then.
//   CHG-2  A listener that is added and then begins a snapshot misses nothing: a change is in the snapshot, or is
//          reported, or both.
//   CHG-3  Changes are reported in the order of their etags. The threads that committed them may come here in another
//          order: each waits until the changes before its own were reported. That is short, for the thread that it
//          waits for has its journal write behind it.

/// <summary>
/// Reports a database's committed changes to its listeners. Without listeners a commit costs the reading and writing of
/// one field.
/// </summary>
internal sealed class DocumentChanges
{
    private const int TurnMilliseconds = 10_000;

    private readonly Lock _gate = new();
    private volatile IDocumentChangeListener[] _listeners = [];
    private volatile bool _isDeleted;
    private long _notifiedEtag;

    /// <summary>True from just before the listeners are notified that the database is deleted.</summary>
    internal bool IsDeleted => _isDeleted;

    /// <summary>The last change that was reported: those of commits that were answered are not behind it.</summary>
    internal long LastEtag => Volatile.Read(ref _notifiedEtag);

    /// <summary>True if there are listeners.</summary>
    public bool HasListeners => _listeners.Length != 0;

    /// <summary>
    /// Called after each commit that changed something, when its snapshot can be read: takes note and returns. It does
    /// not get the changes, so that a commit costs no more for it.
    /// </summary>
    internal Action? Committed { get; set; }

    /// <summary>Adds a listener, which is called for every commit from now on. Safe from any thread.</summary>
    public void Add(IDocumentChangeListener listener)
    {
        lock (_gate)
        {
            _listeners = [.. _listeners, listener];
        }
    }

    /// <summary>Removes a listener; a call that is under way may still end.</summary>
    public void Remove(IDocumentChangeListener listener)
    {
        lock (_gate)
        {
            _listeners = [.. _listeners.Where(one => !ReferenceEquals(one, listener))];
        }
    }

    /// <summary>Sets the last change of a database that was opened: changes up to it are not reported.</summary>
    internal void Start(long lastEtag) => Volatile.Write(ref _notifiedEtag, lastEtag);

    /// <summary>Waits until all changes up to this one were reported (CHG-3).</summary>
    internal void AwaitTurn(long etag)
    {
        if (Volatile.Read(ref _notifiedEtag) >= etag)
        {
            return;
        }

        SpinWait wait = default;
        long giveUpAt = Environment.TickCount64 + TurnMilliseconds;
        while (Volatile.Read(ref _notifiedEtag) < etag && Environment.TickCount64 < giveUpAt)
        {
            wait.SpinOnce(sleep1Threshold: -1);
        }

        // Only a mistake in the server gets here; a commit must not hang on it.
        Debug.Assert(Volatile.Read(ref _notifiedEtag) >= etag, "CHG-3");
    }

    /// <summary>Says that all changes up to this one were reported.</summary>
    internal void EndTurn(long etag)
    {
        long notified = Volatile.Read(ref _notifiedEtag);
        while (notified < etag)
        {
            long seen = Interlocked.CompareExchange(ref _notifiedEtag, etag, notified);
            if (seen == notified)
            {
                return;
            }

            notified = seen;
        }
    }

    /// <summary>Reports one change to all listeners.</summary>
    internal void Notify(in DocumentChange change)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnChange(in change);
        }
    }

    /// <summary>Reports the change of a counter to all listeners.</summary>
    internal void Notify(in CounterChange change)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnChange(in change);
        }
    }

    /// <summary>Reports the change of a time series to all listeners.</summary>
    internal void Notify(in TimeSeriesChange change)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnChange(in change);
        }
    }

    /// <summary>Notifies all listeners that the database is deleted.</summary>
    internal void NotifyDeleted()
    {
        _isDeleted = true;

        // A listener that is added from now on sees the flag, or is seen below.
        Interlocked.MemoryBarrier();
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnDeleted();
        }
    }

    /// <summary>Notifies all listeners that a transaction is complete.</summary>
    internal void NotifyCommitted(long lastEtag)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnCommitted(lastEtag);
        }
    }
}
