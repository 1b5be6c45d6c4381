using System.Linq.Expressions;
using Raven.Client.Documents.Commands.Batches;
using Raven.Client.Http;

namespace Raven.Client.Documents.Session;

/// <summary>What a session can do beyond the common calls, without a request. One thread at a time.</summary>
public interface IAdvancedSessionOperations
{
    /// <summary>The store that opened the session.</summary>
    IDocumentStore DocumentStore { get; }

    /// <summary>The executor that sends the requests of the session.</summary>
    RequestExecutor RequestExecutor { get; }

    /// <summary>How many requests the session has sent.</summary>
    int NumberOfRequests { get; }

    /// <summary>The most requests that the session may send.</summary>
    int MaxNumberOfRequestsPerSession { get; set; }

    /// <summary>Whether a save fails if a document was changed in between.</summary>
    bool UseOptimisticConcurrency { get; set; }

    /// <summary>What a save checks; <see cref="UseOptimisticConcurrency"/> is whether it checks anything.</summary>
    OptimisticConcurrencyMode OptimisticConcurrencyMode { get; set; }

    /// <summary>Data that the application keeps with the session.</summary>
    IDictionary<string, object?> ExternalState { get; }

    /// <summary>Whether a save would send anything.</summary>
    bool HasChanges { get; }

    /// <summary>Raised when an entity is about to be saved.</summary>
    event EventHandler<BeforeStoreEventArgs> OnBeforeStore;

    /// <summary>Raised after an entity was saved.</summary>
    event EventHandler<AfterSaveChangesEventArgs> OnAfterSaveChanges;

    /// <summary>Raised when a document is about to be deleted.</summary>
    event EventHandler<BeforeDeleteEventArgs> OnBeforeDelete;

    /// <summary>Raised when a query is about to be sent.</summary>
    event EventHandler<BeforeQueryEventArgs> OnBeforeQuery;

    /// <summary>Raised after a document became an object.</summary>
    event EventHandler<AfterConversionToEntityEventArgs> OnAfterConversionToEntity;

    /// <summary>Whether an entity differs from what was read or saved.</summary>
    bool HasChanged(object entity);

    /// <summary>What a save would change, by document.</summary>
    IDictionary<string, DocumentsChanges[]> WhatChanged();

    /// <summary>Leaves the changes of an entity out of all saves.</summary>
    void IgnoreChangesFor(object entity);

    /// <summary>Whether the document of an id is in the session.</summary>
    bool IsLoaded(string id);

    /// <summary>Forgets an entity: its changes are not saved, and the next load reads it again.</summary>
    void Evict<T>(T entity) where T : notnull;

    /// <summary>Forgets everything: entities, deletions, deferred commands.</summary>
    void Clear();

    /// <summary>The metadata of an entity, which can be changed.</summary>
    IMetadataDictionary GetMetadataFor<T>(T instance) where T : notnull;

    /// <summary>The change vector of the document as it was read or saved; null for a new document.</summary>
    string? GetChangeVectorFor<T>(T instance) where T : notnull;

    /// <summary>When the document was changed last; null for a new document.</summary>
    DateTime? GetLastModifiedFor<T>(T instance) where T : notnull;

    /// <summary>The id of the document of an entity; null if the session does not track the entity.</summary>
    string? GetDocumentId(object entity);

    /// <summary>Adds commands to the next save.</summary>
    void Defer(params ICommandData[] commands);

    /// <summary>Sets one property on the server, with the next save and without loading the document.</summary>
    void Patch<T, TValue>(string id, Expression<Func<T, TValue>> path, TValue value);

    /// <summary>Sets one property on the server, with the next save.</summary>
    void Patch<T, TValue>(T entity, Expression<Func<T, TValue>> path, TValue value) where T : notnull;

    /// <summary>Changes a list on the server, with the next save and without loading the document.</summary>
    void Patch<T, TValue>(
        string id, Expression<Func<T, IEnumerable<TValue>>> path, Action<JavaScriptArray<TValue>> change);

    /// <summary>Changes a list on the server, with the next save.</summary>
    void Patch<T, TValue>(
        T entity, Expression<Func<T, IEnumerable<TValue>>> path, Action<JavaScriptArray<TValue>> change)
        where T : notnull;

    /// <summary>Adds to a number on the server, with the next save and without loading the document.</summary>
    void Increment<T, TValue>(string id, Expression<Func<T, TValue>> path, TValue value);

    /// <summary>Adds to a number on the server, with the next save.</summary>
    void Increment<T, TValue>(T entity, Expression<Func<T, TValue>> path, TValue value) where T : notnull;

    /// <summary>Sets one property, or makes the document if there is none.</summary>
    void AddOrPatch<T, TValue>(string id, T entity, Expression<Func<T, TValue>> path, TValue value) where T : notnull;

    /// <summary>Changes a list, or makes the document if there is none.</summary>
    void AddOrPatch<T, TValue>(
        string id, T entity, Expression<Func<T, IEnumerable<TValue>>> path, Action<JavaScriptArray<TValue>> change)
        where T : notnull;

    /// <summary>Adds to a number, or makes the document if there is none.</summary>
    void AddOrIncrement<T, TValue>(string id, T entity, Expression<Func<T, TValue>> path, TValue value)
        where T : notnull;

    /// <summary>Makes the next save wait until the indexes of its documents cover them.</summary>
    /// <param name="timeout">How long to wait; null waits 15 seconds.</param>
    /// <param name="throwOnTimeout">
    /// Whether the save fails then; the documents are saved in any case, and not again by a later save.
    /// </param>
    /// <param name="indexes">The indexes to wait for; all that cover the documents if none is named.</param>
    void WaitForIndexesAfterSaveChanges(
        TimeSpan? timeout = null, bool throwOnTimeout = true, params string[] indexes);

    /// <summary>Whether the next saves are transactions of one server or of the cluster.</summary>
    void SetTransactionMode(TransactionMode mode);
}
