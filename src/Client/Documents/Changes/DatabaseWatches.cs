using System.Globalization;
using System.Text.Json;
using Raven.Client.Documents.Conventions;

namespace Raven.Client.Documents.Changes;

/// <summary>What can be watched, and the command that asks the server for it.</summary>
internal abstract class DatabaseWatches(DocumentConventions conventions)
{
    public IChangesObservable<DocumentChange> ForDocument(string documentId) => Documents(
        "watch-doc", [documentId], change => change.Id.Equals(documentId, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<DocumentChange> ForDocumentsInCollection(string collectionName) => Documents(
        "watch-collection", [collectionName],
        change => string.Equals(change.CollectionName, collectionName, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<DocumentChange> ForDocumentsInCollection<T>() =>
        ForDocumentsInCollection(conventions.GetCollectionName(typeof(T)));

    public IChangesObservable<DocumentChange> ForDocumentsStartingWith(string documentIdPrefix) => Documents(
        "watch-prefix", [documentIdPrefix],
        change => change.Id.StartsWith(documentIdPrefix, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<DocumentChange> ForAllDocuments() => Documents("watch-docs", [], _ => true);

    public IChangesObservable<IndexChange> ForIndex(string indexName) => Get(
        "watch-index", [indexName], "IndexChange", ChangeMessages.ReadIndex,
        change => change.Name.Equals(indexName, StringComparison.OrdinalIgnoreCase));

    public IChangesObservable<IndexChange> ForAllIndexes() =>
        Get("watch-indexes", [], "IndexChange", ChangeMessages.ReadIndex, _ => true);

    public IChangesObservable<OperationStatusChange> ForOperationId(long operationId) => Get(
        "watch-operation", [operationId.ToString(CultureInfo.InvariantCulture)], "OperationStatusChange",
        ChangeMessages.ReadOperation, change => change.OperationId == operationId);

    public IChangesObservable<OperationStatusChange> ForAllOperations() => Get(
        "watch-operations", [], "OperationStatusChange", ChangeMessages.ReadOperation, _ => true);

    public IChangesObservable<CounterChange> ForCounter(string counterName) => Counters(
        "watch-counter", [counterName], change => IsSame(change.Name, counterName));

    public IChangesObservable<CounterChange> ForCounterOfDocument(string documentId, string counterName) => Counters(
        "watch-document-counter", [documentId, counterName],
        change => IsSame(change.DocumentId, documentId) && IsSame(change.Name, counterName));

    public IChangesObservable<CounterChange> ForCountersOfDocument(string documentId) => Counters(
        "watch-document-counters", [documentId], change => IsSame(change.DocumentId, documentId));

    public IChangesObservable<CounterChange> ForAllCounters() => Counters("watch-counters", [], _ => true);

    public IChangesObservable<TimeSeriesChange> ForTimeSeries(string timeSeriesName) => Series(
        "watch-timeseries", [timeSeriesName], change => IsSame(change.Name, timeSeriesName));

    public IChangesObservable<TimeSeriesChange> ForTimeSeriesOfDocument(string documentId, string timeSeriesName) =>
        Series(
            "watch-document-timeseries", [documentId, timeSeriesName],
            change => IsSame(change.DocumentId, documentId) && IsSame(change.Name, timeSeriesName));

    public IChangesObservable<TimeSeriesChange> ForTimeSeriesOfDocument(string documentId) => Series(
        "watch-all-document-timeseries", [documentId], change => IsSame(change.DocumentId, documentId));

    public IChangesObservable<TimeSeriesChange> ForAllTimeSeries() => Series("watch-all-timeseries", [], _ => true);

    private static bool IsSame(string left, string right) => left.Equals(right, StringComparison.OrdinalIgnoreCase);

    private ChangesObservable<DocumentChange> Documents(
        string command, string[] parameters, Func<DocumentChange, bool> concerns) =>
        Get(command, parameters, "DocumentChange", ChangeMessages.ReadDocument, concerns);

    private ChangesObservable<CounterChange> Counters(
        string command, string[] parameters, Func<CounterChange, bool> concerns) =>
        Get(command, parameters, "CounterChange", ChangeMessages.ReadCounter, concerns);

    private ChangesObservable<TimeSeriesChange> Series(
        string command, string[] parameters, Func<TimeSeriesChange, bool> concerns) =>
        Get(command, parameters, "TimeSeriesChange", ChangeMessages.ReadTimeSeries, concerns);

    private ChangesObservable<T> Get<T>(
        string command, string[] parameters, string messageType, Func<JsonElement, T> parse, Func<T, bool> concerns)
    {
        foreach (string parameter in parameters)
        {
            ArgumentException.ThrowIfNullOrEmpty(parameter);
        }

        return NewObservable(command, parameters, messageType, parse, concerns);
    }

    /// <summary>The observable of a watch.</summary>
    private protected abstract ChangesObservable<T> NewObservable<T>(
        string command, string[] parameters, string messageType, Func<JsonElement, T> parse, Func<T, bool> concerns);
}
