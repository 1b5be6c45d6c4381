using System.Security.Cryptography.X509Certificates;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Changes;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Session;
using Raven.Client.Documents.Operations.TimeSeries;
using Raven.Client.Documents.Smuggler;
using Raven.Client.Documents.Subscriptions;
using Raven.Client.Http;

namespace Raven.Client.Documents;

/// <summary>
/// The access of an application to its servers: it pools connections and opens sessions. One for each application; safe
/// for all threads; dispose it at the end, which ends open watches, streams and bulk inserts.
/// </summary>
public interface IDocumentStore : IDisposable, IAsyncDisposable
{
    /// <summary>The urls of the servers.</summary>
    IReadOnlyList<string> Urls { get; }

    /// <summary>The database of sessions that name none.</summary>
    string? Database { get; }

    /// <summary>The certificate that shows servers who the application is; null if there is none.</summary>
    X509Certificate2? Certificate { get; }

    /// <summary>How the client behaves; frozen once the store is initialized.</summary>
    DocumentConventions Conventions { get; }

    /// <summary>Operations on documents: patches, attachments, counters, compare-exchange values.</summary>
    OperationExecutor Operations { get; }

    /// <summary>Operations on the database and, through <c>Server</c>, on the server.</summary>
    MaintenanceOperationExecutor Maintenance { get; }

    /// <summary>Exports the database as a dump, and imports dumps.</summary>
    DatabaseSmuggler Smuggler { get; }

    /// <summary>What becomes of time series: names of values, roll-ups, retention.</summary>
    TimeSeriesOperations TimeSeries { get; }

    /// <summary>Queries whose documents, and all later changes of them, are sent to workers.</summary>
    DocumentSubscriptions Subscriptions { get; }

    /// <summary>Raised when any session is about to save an entity.</summary>
    event EventHandler<BeforeStoreEventArgs> OnBeforeStore;

    /// <summary>Raised after any session has saved an entity.</summary>
    event EventHandler<AfterSaveChangesEventArgs> OnAfterSaveChanges;

    /// <summary>Raised when any session is about to delete a document.</summary>
    event EventHandler<BeforeDeleteEventArgs> OnBeforeDelete;

    /// <summary>Raised when any session is about to send a query.</summary>
    event EventHandler<BeforeQueryEventArgs> OnBeforeQuery;

    /// <summary>Raised after a document became an object in any session.</summary>
    event EventHandler<AfterConversionToEntityEventArgs> OnAfterConversionToEntity;

    /// <summary>Raised after the store was disposed.</summary>
    event EventHandler AfterDispose;

    /// <summary>Raised when a session was opened.</summary>
    event EventHandler<SessionCreatedEventArgs> OnSessionCreated;

    /// <summary>Raised when a session is about to end.</summary>
    event EventHandler<SessionDisposingEventArgs> OnSessionDisposing;

    /// <summary>Raised when a request is about to be sent.</summary>
    event EventHandler<BeforeRequestEventArgs> OnBeforeRequest;

    /// <summary>Raised after a request was answered without an error.</summary>
    event EventHandler<SucceedRequestEventArgs> OnSucceedRequest;

    /// <summary>Raised after a request was refused, or not answered.</summary>
    event EventHandler<FailedRequestEventArgs> OnFailedRequest;

    /// <summary>Raised after the topology, the list of servers of a database, was read again.</summary>
    event EventHandler<TopologyUpdatedEventArgs> OnTopologyUpdated;

    /// <summary>Freezes the conventions and makes the store ready. Sends nothing.</summary>
    IDocumentStore Initialize();

    /// <summary>Opens a session whose calls are awaited.</summary>
    IAsyncDocumentSession OpenAsyncSession();

    /// <summary>Opens a session of another database.</summary>
    IAsyncDocumentSession OpenAsyncSession(string database);

    /// <summary>Opens a session with options.</summary>
    IAsyncDocumentSession OpenAsyncSession(SessionOptions options);

    /// <summary>Opens a session whose calls block.</summary>
    IDocumentSession OpenSession();

    /// <summary>Opens a session of another database.</summary>
    IDocumentSession OpenSession(string database);

    /// <summary>Opens a session with options.</summary>
    IDocumentSession OpenSession(SessionOptions options);

    /// <summary>Begins to insert many documents through one request, in little memory.</summary>
    BulkInsertOperation BulkInsert(
        string? database = null, BulkInsertOptions? options = null, CancellationToken cancellationToken = default);

    /// <summary>The changes in a database, as they happen. One connection for all watches of the store.</summary>
    IDatabaseChanges Changes(string? database = null);

    /// <summary>The executor that sends the requests of a database.</summary>
    RequestExecutor GetRequestExecutor(string? database = null);

    /// <summary>
    /// Takes answers that are not older than this from the cache without a request, in the calls made before the
    /// result is disposed.
    /// </summary>
    /// <param name="duration">How old an answer may be.</param>
    /// <param name="mode">Whether the server reports changes: then no outdated answer is used.</param>
    /// <param name="database">The database whose changes are watched.</param>
    IDisposable AggressivelyCacheFor(
        TimeSpan duration, AggressiveCacheMode mode = AggressiveCacheMode.TrackChanges, string? database = null);

    /// <summary>Sends each request, inside of a scope that uses the cache without requests.</summary>
    IDisposable DisableAggressiveCaching();

    /// <summary>Waits this long for answers in the calls made before the result is disposed.</summary>
    IDisposable SetRequestTimeout(TimeSpan timeout);
}
