using Raven.Documents.Changes;

namespace Raven.Documents.Commands;

/// <summary>Reports what a command committed to the listeners of the database's changes.</summary>
internal static class CommandNotices
{
    /// <summary>Reports the operations that changed something, in the order of their etags.</summary>
    internal static void Notify(DocumentWriter writer, ReadOnlySpan<DocumentOperation> operations)
    {
        int[]? order = DeferredVersions.OrderOf(operations);
        long lastEtag = 0;
        for (int i = 0; i < operations.Length; i++)
        {
            ref readonly DocumentOperation operation = ref operations[order is null ? i : order[i]];
            if (operation.IsChanged)
            {
                lastEtag = Math.Max(lastEtag, operation.Etag);
                Notify(writer, in operation);
            }
        }

        if (lastEtag != 0)
        {
            writer.Changes.NotifyCommitted(lastEtag);
        }
    }

    private static void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
        if (operation.Kind == DocumentOperationKind.Action)
        {
            operation.Action!.Notify(writer, in operation);
            return;
        }

        bool isPut = operation.Kind == DocumentOperationKind.Put;
        writer.Changes.Notify(new DocumentChange
        {
            Type = isPut ? DocumentChangeType.Put : DocumentChangeType.Delete,
            Id = operation.Id.Span,
            Collection = isPut ? operation.Collection.Span : writer.CollectionNameOf(operation.CollectionId),
            ChangeVector = operation.ChangeVector.Span,
            Etag = operation.Etag,
        });
    }
}
