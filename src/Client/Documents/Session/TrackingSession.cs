using System.Linq.Expressions;
using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Commands.Batches;

namespace Raven.Client.Documents.Session;

/// <summary>The calls of a session that need no request.</summary>
internal abstract class TrackingSession(DocumentStore store, Http.RequestExecutor executor, SessionOptions options)
    : SessionCore(store, executor, options), IAdvancedSessionOperations
{
    public event EventHandler<BeforeStoreEventArgs> OnBeforeStore
    {
        add => Events.BeforeStore += value;
        remove => Events.BeforeStore -= value;
    }

    public event EventHandler<AfterSaveChangesEventArgs> OnAfterSaveChanges
    {
        add => Events.AfterSaveChanges += value;
        remove => Events.AfterSaveChanges -= value;
    }

    public event EventHandler<BeforeDeleteEventArgs> OnBeforeDelete
    {
        add => Events.BeforeDelete += value;
        remove => Events.BeforeDelete -= value;
    }

    public event EventHandler<BeforeQueryEventArgs> OnBeforeQuery
    {
        add => Events.BeforeQuery += value;
        remove => Events.BeforeQuery -= value;
    }

    public event EventHandler<AfterConversionToEntityEventArgs> OnAfterConversionToEntity
    {
        add => Events.AfterConversionToEntity += value;
        remove => Events.AfterConversionToEntity -= value;
    }

    public IDocumentStore DocumentStore => Owner;

    public bool HasChanges => Deferred.Count > 0 || Documents.DeletedIds.Count > 0
        || Documents.All.Any(info => info.IsDeleted || (!info.IgnoresChanges && Writer.TryGetChanged(info, out _)));

    internal override IAdvancedSessionOperations Self => this;

    private SessionPatches Patches => field ??= new(Conventions.Serializer);

    public bool HasChanged(object entity) => InfoOf(entity) is var info
        && (info.IsDeleted || Writer.TryGetChanged(info, out _));

    public IDictionary<string, DocumentsChanges[]> WhatChanged()
    {
        Dictionary<string, DocumentsChanges[]> all = new(StringComparer.OrdinalIgnoreCase);
        foreach (DocumentInfo info in Documents.All)
        {
            if (info.IsDeleted)
            {
                all[info.Id] = [new(ChangeType.DocumentDeleted, "", "", null, null)];
            }
            else if (info.IsNew)
            {
                all[info.Id] = [new(ChangeType.DocumentAdded, "", "", null, null)];
            }
            else if (!info.IgnoresChanges && Writer.Compare(info) is { Count: > 0 } changes)
            {
                all[info.Id] = [.. changes];
            }
        }

        foreach (string id in Documents.DeletedIds.Keys)
        {
            all[id] = [new(ChangeType.DocumentDeleted, "", "", null, null)];
        }

        return all;
    }

    public void IgnoreChangesFor(object entity) => InfoOf(entity).IgnoresChanges = true;

    public bool IsLoaded(string id) =>
        Documents.TryFind(id, out DocumentInfo? info) ? !info.IsDeleted : Documents.TryGetIncluded(id, out _);

    public void Evict<T>(T entity) where T : notnull
    {
        if (Documents.Find((object)entity) is { } info)
        {
            Documents.Remove(info);
            Counters.Forget(info.Id);
            Series.Forget(info.Id);
        }
    }

    public void Clear()
    {
        Documents.Clear();
        Deferred.Clear();
        Counters.Clear();
        Series.Clear();
        CompareExchange.Clear();
    }

    public IMetadataDictionary GetMetadataFor<T>(T instance) where T : notnull => InfoOf(instance).Metadata;

    public string? GetChangeVectorFor<T>(T instance) where T : notnull => InfoOf(instance).ChangeVector;

    public DateTime? GetLastModifiedFor<T>(T instance) where T : notnull =>
        InfoOf(instance).Metadata.GetString("@last-modified") is { } text
            ? DateTime.Parse(
                text, System.Globalization.CultureInfo.InvariantCulture,
                System.Globalization.DateTimeStyles.RoundtripKind)
            : null;

    public string? GetDocumentId(object entity) => Documents.Find(entity)?.Id;

    public void Defer(params ICommandData[] commands) => Deferred.AddRange(commands);

    public void Patch<T, TValue>(string id, Expression<Func<T, TValue>> path, TValue value) =>
        SessionPatches.Defer(Deferred, id, Patches.Set(path, value));

    public void Patch<T, TValue>(T entity, Expression<Func<T, TValue>> path, TValue value) where T : notnull =>
        Patch(InfoOf(entity).Id, path, value);

    public void Patch<T, TValue>(
        string id, Expression<Func<T, IEnumerable<TValue>>> path, Action<JavaScriptArray<TValue>> change) =>
        SessionPatches.Defer(Deferred, id, Patches.Change(path, change));

    public void Patch<T, TValue>(
        T entity, Expression<Func<T, IEnumerable<TValue>>> path, Action<JavaScriptArray<TValue>> change)
        where T : notnull => Patch(InfoOf(entity).Id, path, change);

    public void Increment<T, TValue>(string id, Expression<Func<T, TValue>> path, TValue value) =>
        SessionPatches.Defer(Deferred, id, Patches.Add(path, value));

    public void Increment<T, TValue>(T entity, Expression<Func<T, TValue>> path, TValue value) where T : notnull =>
        Increment(InfoOf(entity).Id, path, value);

    public void AddOrPatch<T, TValue>(string id, T entity, Expression<Func<T, TValue>> path, TValue value)
        where T : notnull =>
        SessionPatches.Defer(Deferred, id, Patches.Set(path, value), Writer.ToDocument(entity));

    public void AddOrPatch<T, TValue>(
        string id, T entity, Expression<Func<T, IEnumerable<TValue>>> path, Action<JavaScriptArray<TValue>> change)
        where T : notnull =>
        SessionPatches.Defer(Deferred, id, Patches.Change(path, change), Writer.ToDocument(entity));

    public void AddOrIncrement<T, TValue>(string id, T entity, Expression<Func<T, TValue>> path, TValue value)
        where T : notnull =>
        SessionPatches.Defer(Deferred, id, Patches.Add(path, value), Writer.ToDocument(entity));

    public void WaitForIndexesAfterSaveChanges(
        TimeSpan? timeout = null, bool throwOnTimeout = true, params string[] indexes) =>
        IndexWait = new BatchWait(timeout ?? TimeSpan.FromSeconds(15), throwOnTimeout, indexes);

    public void SetTransactionMode(TransactionMode mode) => Mode = mode;

    public void Delete<T>(T entity) where T : notnull => InfoOf(entity).IsDeleted = true;

    public void Delete(string id) => Delete(id, null);

    public void Delete(string id, string? expectedChangeVector)
    {
        ArgumentException.ThrowIfNullOrEmpty(id);
        if (Documents.TryFind(id, out DocumentInfo? info))
        {
            info.IsDeleted = true;
            info.ExpectedChangeVector = expectedChangeVector ?? info.ExpectedChangeVector;
        }
        else
        {
            Documents.DeletedIds[id] = expectedChangeVector;
        }
    }
}
