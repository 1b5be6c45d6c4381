namespace Raven.Documents.Changes;

/// <summary>Is notified of committed changes.</summary>
internal interface IDocumentChangeListener
{
    /// <summary>
    /// A change is durable. Changes come one at a time, in the order of their etags, on the thread that committed them:
    /// take note and return, never wait, never throw.
    /// </summary>
    void OnChange(in DocumentChange change);

    /// <summary>Called for the change of a counter, in the same way.</summary>
    void OnChange(in CounterChange change)
    {
    }

    /// <summary>Called for the change of a time series, in the same way.</summary>
    void OnChange(in TimeSeriesChange change)
    {
    }

    /// <summary>The database is deleted: there will be no more changes.</summary>
    void OnDeleted()
    {
    }

    /// <summary>All changes of a transaction were handed over: a listener wakes its waiting threads now.</summary>
    void OnCommitted(long lastEtag);
}
