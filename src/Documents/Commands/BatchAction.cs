using Raven.Blittable.Memory;

namespace Raven.Documents.Commands;

/// <summary>
/// An operation of a batch that is neither a put nor a deletion: its check, its execution and its result. One object
/// for one operation; its memory is in the batch's context. Like its batch, it may be executed more than once (CMD-2).
/// </summary>
public abstract class BatchAction
{
    /// <summary>True while it lacks bytes that come apart from the commands.</summary>
    internal virtual bool NeedsBytes => false;

    /// <summary>True if it gives the database something to do at a later time.</summary>
    internal virtual bool MakesDue => false;

    /// <summary>
    /// Checks, before the first operation of the batch is executed, whether the action can be executed. Changes
    /// nothing. This implementation checks that the document has the expected version.
    /// </summary>
    /// <param name="writer">Reads what is stored.</param>
    /// <param name="operation">The operation.</param>
    /// <param name="trace">What the batch will have done to the document by then.</param>
    /// <param name="arena">The memory of texts of the failure.</param>
    /// <param name="failure">Why not; its index is set by the batch.</param>
    internal virtual bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        failure = default;
        if (operation.Check == VersionCheck.None
            || writer.MeetsExpectation(in operation, trace, arena, out NativeSlice actual))
        {
            return true;
        }

        failure = CommandFailure.Conflict(in operation, actual, isWithinBatch: trace == OperationTrace.Written);
        return false;
    }

    /// <summary>What the batch has done to the document after this, given what it had done before.</summary>
    internal virtual OperationTrace TraceAfter(OperationTrace before) => OperationTrace.Written;

    /// <summary>Does it, and fills the operation's result.</summary>
    /// <exception cref="CommandRefusedException">It cannot be done, which could not be checked earlier.</exception>
    internal abstract void Execute(DocumentWriter writer, ref DocumentOperation operation);

    /// <summary>Called after the operations of the batch are done and the deferred versions are written: fills the rest
    /// of the result.</summary>
    internal virtual void Complete(DocumentWriter writer, ref DocumentOperation operation) =>
        writer.Versions.Complete(ref operation);

    /// <summary>Reports what was done to the listeners, in the order of the etags.</summary>
    internal abstract void Notify(DocumentWriter writer, in DocumentOperation operation);
}
