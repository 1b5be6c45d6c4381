namespace Raven.Server.Documents.Changes;

//   CHG-1  A change is told after its journal record is durable, and only then.
//   CHG-2  Who subscribes and then begins a snapshot misses nothing: a change is in the snapshot, or told, or both.
//   CHG-3  Without listeners a commit costs one read of a field.

/// <summary>Tells listeners of a database's committed changes.</summary>
public sealed class DocumentChanges
{
    private readonly Lock _gate = new();
    private volatile IDocumentChangeListener[] _listeners = [];

    /// <summary>True where somebody listens.</summary>
    public bool HasListeners => _listeners.Length != 0;

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

    /// <summary>Tells all listeners of one change.</summary>
    internal void Tell(in DocumentChange change)
    {
        foreach (IDocumentChangeListener listener in _listeners)
        {
            listener.OnChange(in change);
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
