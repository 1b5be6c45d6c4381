using Raven.Documents.Scripts;

namespace Raven.Documents.Commands;

//   SCRIPT-1  Scripts run against a snapshot, outside of the write transaction; it is recorded what they read.
//   SCRIPT-2  The write transaction applies their changes if nothing that they read has changed since. Otherwise they
//             run again.
//   SCRIPT-3  After some conflicts in a row they run inside of the write transaction, where no other change can come in
//             between.
//   SCRIPT-4  Short scripts run on the thread of their request. Scripts that take longer begin again on a few threads
//             of low priority: so other requests wait neither for a thread nor for a core because of them.

/// <summary>The part of a batch that scripts make: its operations follow from what the database holds.</summary>
internal abstract class BatchScript
{
    /// <summary>What the scripts have read.</summary>
    internal ReadSet Reads { get; } = new();

    /// <summary>True where the scripts run inside of the transaction (SCRIPT-3).</summary>
    internal bool RunsInside { get; set; }

    /// <summary>Makes the operations anew.</summary>
    /// <param name="batch">Takes them, or the failure.</param>
    /// <param name="view">What the scripts see.</param>
    /// <returns>False where the batch fails.</returns>
    internal abstract bool TryPlan(BatchCommand batch, IDatabaseView view);

    /// <summary>The transaction begins: are the operations good?</summary>
    internal bool TryBegin(BatchCommand batch, DocumentWriter writer)
    {
        var view = new WriterView(writer);
        if (RunsInside)
        {
            return TryPlan(batch, view);
        }

        if (Reads.Holds(view))
        {
            return true;
        }

        batch.Refuse(new CommandFailure { Kind = CommandFailureKind.ReadChanged });
        return false;
    }
}
