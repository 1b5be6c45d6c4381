namespace Raven.Client.Documents.Session;

/// <summary>The events of a session or a store; those of a store are raised for all of its sessions.</summary>
internal sealed class SessionEvents(SessionEvents? outer = null)
{
    internal event EventHandler<BeforeStoreEventArgs>? BeforeStore;

    internal event EventHandler<AfterSaveChangesEventArgs>? AfterSaveChanges;

    internal event EventHandler<BeforeDeleteEventArgs>? BeforeDelete;

    internal event EventHandler<BeforeQueryEventArgs>? BeforeQuery;

    internal event EventHandler<AfterConversionToEntityEventArgs>? AfterConversionToEntity;

    internal bool WatchesStores => BeforeStore != null || outer?.WatchesStores == true;

    private bool WatchesConversions => AfterConversionToEntity != null || outer?.WatchesConversions == true;

    internal void OnBeforeStore(object sender, BeforeStoreEventArgs args)
    {
        outer?.OnBeforeStore(sender, args);
        BeforeStore?.Invoke(sender, args);
    }

    internal void OnAfterSaveChanges(object sender, AfterSaveChangesEventArgs args)
    {
        outer?.OnAfterSaveChanges(sender, args);
        AfterSaveChanges?.Invoke(sender, args);
    }

    internal void OnBeforeDelete(object sender, BeforeDeleteEventArgs args)
    {
        outer?.OnBeforeDelete(sender, args);
        BeforeDelete?.Invoke(sender, args);
    }

    internal void OnBeforeQuery(object sender, BeforeQueryEventArgs args)
    {
        outer?.OnBeforeQuery(sender, args);
        BeforeQuery?.Invoke(sender, args);
    }

    internal void OnAfterConversion(object sender, IAdvancedSessionOperations session, string? id, object entity)
    {
        if (WatchesConversions)
        {
            OnAfterConversion(sender, new AfterConversionToEntityEventArgs(session, id ?? "", entity));
        }
    }

    private void OnAfterConversion(object sender, AfterConversionToEntityEventArgs args)
    {
        outer?.OnAfterConversion(sender, args);
        AfterConversionToEntity?.Invoke(sender, args);
    }
}
