namespace Raven.Client.Documents.Changes;

/// <summary>
/// What changes in a database, as it is committed. All watches of a store share one connection, which reconnects by
/// itself; <see cref="ConnectionStatusChanged"/> then lists what may have been missed. Observers are called one after
/// the other.
/// </summary>
public interface IDatabaseChanges
{
    /// <summary>Whether the connection is open.</summary>
    bool Connected { get; }

    /// <summary>The connection was lost, or is restored.</summary>
    event EventHandler<ChangesConnectionEventArgs> ConnectionStatusChanged;

    /// <summary>Waits until the connection is open.</summary>
    /// <exception cref="Exceptions.Security.SecurityException">
    /// The server does not let the caller in, or is not to be trusted. It is tried again in the background.
    /// </exception>
    Task<IDatabaseChanges> EnsureConnectedNow(CancellationToken cancellationToken = default);

    /// <summary>Changes of one document.</summary>
    IChangesObservable<DocumentChange> ForDocument(string documentId);

    /// <summary>Changes of the documents of a collection.</summary>
    IChangesObservable<DocumentChange> ForDocumentsInCollection(string collectionName);

    /// <summary>Changes of the documents of the collection of a type.</summary>
    IChangesObservable<DocumentChange> ForDocumentsInCollection<T>();

    /// <summary>Changes of the documents whose ids begin with a prefix.</summary>
    IChangesObservable<DocumentChange> ForDocumentsStartingWith(string documentIdPrefix);

    /// <summary>Changes of all documents.</summary>
    IChangesObservable<DocumentChange> ForAllDocuments();

    /// <summary>Changes of one index.</summary>
    IChangesObservable<IndexChange> ForIndex(string indexName);

    /// <summary>Changes of all indexes.</summary>
    IChangesObservable<IndexChange> ForAllIndexes();

    /// <summary>Changes of one operation.</summary>
    IChangesObservable<OperationStatusChange> ForOperationId(long operationId);

    /// <summary>Changes of all operations.</summary>
    IChangesObservable<OperationStatusChange> ForAllOperations();

    /// <summary>Changes of the counters of this name, of any document.</summary>
    IChangesObservable<CounterChange> ForCounter(string counterName);

    /// <summary>Changes of one counter of one document.</summary>
    IChangesObservable<CounterChange> ForCounterOfDocument(string documentId, string counterName);

    /// <summary>Changes of all counters of one document.</summary>
    IChangesObservable<CounterChange> ForCountersOfDocument(string documentId);

    /// <summary>Changes of all counters.</summary>
    IChangesObservable<CounterChange> ForAllCounters();

    /// <summary>Changes of the time series of this name, of any document.</summary>
    IChangesObservable<TimeSeriesChange> ForTimeSeries(string timeSeriesName);

    /// <summary>Changes of one time series of one document.</summary>
    IChangesObservable<TimeSeriesChange> ForTimeSeriesOfDocument(string documentId, string timeSeriesName);

    /// <summary>Changes of all time series of one document.</summary>
    IChangesObservable<TimeSeriesChange> ForTimeSeriesOfDocument(string documentId);

    /// <summary>Changes of all time series.</summary>
    IChangesObservable<TimeSeriesChange> ForAllTimeSeries();
}
