using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// One step of a subscription's workers: a batch is sent, acknowledged or given back, or the position moves. Nothing is
/// done if the definition was changed meanwhile.
/// </summary>
/// <param name="id">The subscription.</param>
/// <param name="generation">Its generation when the worker connected.</param>
internal sealed class SubscriptionStepCommand(long id, long generation) : DocumentCommand
{
    /// <summary>The new position; null to leave it.</summary>
    internal long? Etag { get; init; }

    /// <summary>The number of the batch that is sent; null if none is.</summary>
    internal long? LastBatch { get; init; }

    /// <summary>Whether it is an acknowledgement.</summary>
    internal bool IsAcknowledgement { get; init; }

    /// <summary>When a worker connected last; null if that is known already.</summary>
    internal long? ConnectedTicks { get; init; }

    /// <summary>The documents that are owed from now on, by their folded ids.</summary>
    internal IReadOnlyList<(byte[] Key, OwedDocument Owed)> Put { get; init; } = [];

    /// <summary>The documents that are not owed any more.</summary>
    internal IReadOnlyList<byte[]> Delete { get; init; } = [];

    /// <summary>The documents that are to be sent again. One that a worker has stays with it, and is sent again after
    /// its acknowledgement.</summary>
    internal IReadOnlyList<byte[]> Again { get; init; } = [];

    /// <summary>A batch of Concurrent workers that is acknowledged (SUB-4); 0 for none.</summary>
    internal long AcknowledgedBatch { get; init; }

    /// <summary>The documents of that batch.</summary>
    internal IReadOnlyList<byte[]> AcknowledgedKeys { get; init; } = [];

    /// <summary>The change up to which the documents were looked at.</summary>
    internal long PassedEtag { get; init; }

    /// <summary>Whether the subscription was deleted.</summary>
    internal bool IsDeleted { get; private set; }

    /// <summary>Whether its definition was changed.</summary>
    internal bool IsChanged { get; private set; }

    /// <summary>How many documents of the batch are owed again.</summary>
    internal int OwedAgain { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        WriteTransaction transaction = writer.Tables.Transaction;
        OwedAgain = 0;
        IsDeleted = !SubscriptionTables.TryReadPosition(transaction, id, out SubscriptionPosition position);
        IsChanged = !IsDeleted && position.Generation != generation;
        if (IsDeleted || IsChanged)
        {
            return;
        }

        if (Put.Count + Delete.Count + Again.Count + AcknowledgedKeys.Count > 0)
        {
            ChangeOwed(writer, transaction.OpenOrCreateTree(SubscriptionTables.Owed));
        }

        SubscriptionTables.WritePosition(transaction, id, position with
        {
            Etag = Etag ?? position.Etag,
            LastBatch = LastBatch ?? position.LastBatch,
            AcknowledgedTicks = IsAcknowledgement ? writer.Now.Ticks : position.AcknowledgedTicks,
            ConnectedTicks = ConnectedTicks ?? position.ConnectedTicks,
        });
    }

    private void ChangeOwed(DocumentWriter writer, Tree tree)
    {
        foreach (byte[] key in Delete)
        {
            SubscriptionTables.DeleteOwed(tree, id, key);
        }

        foreach ((byte[] key, OwedDocument owed) in Put)
        {
            SubscriptionTables.PutOwed(tree, id, key, owed);
        }

        foreach (byte[] key in Again)
        {
            bool isThere = SubscriptionTables.TryFindOwed(writer.Tables.Transaction, id, key, out OwedDocument owed);
            SubscriptionTables.PutOwed(tree, id, key, isThere && owed.Batch > 0 ? owed with { Etag = 0 } : default);
        }

        foreach (byte[] key in AcknowledgedKeys)
        {
            Settle(writer, tree, key);
        }
    }

    private void Settle(DocumentWriter writer, Tree tree, byte[] key)
    {
        if (!SubscriptionTables.TryFindOwed(writer.Tables.Transaction, id, key, out OwedDocument owed)
            || owed.Batch != AcknowledgedBatch)
        {
            return;
        }

        long etag = writer.Tables.TryFind(key, out _, out NativeSlice row) ? RowLayout.ReadHeader(row.Span).Etag : 0;
        if (etag != 0 && etag != owed.Etag && etag <= PassedEtag)
        {
            OwedAgain++;
            SubscriptionTables.PutOwed(tree, id, key, default);
        }
        else
        {
            SubscriptionTables.DeleteOwed(tree, id, key);
        }
    }
}
