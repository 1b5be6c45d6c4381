namespace Raven.Server.Documents.Changes;

/// <summary>Wants to know of changes.</summary>
public interface IDocumentChangeListener
{
    /// <summary>
    /// A change is durable. Changes come one at a time, in the order of their etags, on the thread that committed them:
    /// take note and return, never wait, never throw.
    /// </summary>
    void OnChange(in DocumentChange change);

    /// <summary>The same of a counter's change.</summary>
    void OnChange(in CounterChange change)
    {
    }

    /// <summary>The database is deleted: there will be no more changes.</summary>
    void OnDeleted()
    {
    }

    /// <summary>All changes of a transaction were handed over: the moment to wake whoever waits.</summary>
    void OnCommitted(long lastEtag);
}
