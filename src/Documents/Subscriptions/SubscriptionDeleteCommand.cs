using Raven.Documents.Commands;
using Raven.Storage.Transactions;

namespace Raven.Documents.Subscriptions;

/// <summary>Deletes a subscription with its position and all that it owes.</summary>
internal sealed class SubscriptionDeleteCommand(string name) : DocumentCommand
{
    /// <summary>What was deleted; null if there was nothing.</summary>
    internal SubscriptionDefinition? Deleted { get; private set; }

    private protected override void Execute(DocumentWriter writer)
    {
        WriteTransaction transaction = writer.Tables.Transaction;
        Deleted = SubscriptionTables.Find(transaction, name);
        if (Deleted is not null && SubscriptionTables.TryKeyOf(name, out byte[]? key))
        {
            transaction.OpenOrCreateTree(SubscriptionTables.Definitions).Delete(key);
            transaction.OpenOrCreateTree(SubscriptionTables.Positions).Delete(SubscriptionTables.KeyOf(Deleted.Id));
            SubscriptionTables.DeleteAllOwed(transaction, Deleted.Id);
        }
    }
}
