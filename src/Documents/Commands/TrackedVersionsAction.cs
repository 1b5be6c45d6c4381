using Raven.Blittable.Memory;

namespace Raven.Documents.Commands;

/// <summary>
/// Has a batch fail unless documents that its client has read, and that the batch need not name, still are as they
/// were: in the same transaction, so that what a session read and what it writes are one moment.
/// </summary>
public sealed class TrackedVersionsAction : BatchAction
{
    private readonly List<DocumentOperation> _tracked = [];

    /// <summary>Adds a document.</summary>
    /// <param name="id">Its id, UTF-8, in memory that lives as long as the batch.</param>
    /// <param name="key">Its folded id, in such memory.</param>
    /// <param name="expected">Its version, in such memory; empty if there must be none.</param>
    public void Add(NativeSlice id, NativeSlice key, NativeSlice expected) => _tracked.Add(new DocumentOperation
    {
        Id = id,
        Key = key,
        Check = expected.IsEmpty ? VersionCheck.MustNotExist : VersionCheck.MustEqual,
        Expected = expected,
    });

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        foreach (DocumentOperation tracked in _tracked)
        {
            if (!writer.MeetsExpectation(in tracked, OperationTrace.None, arena, out NativeSlice actual))
            {
                failure = CommandFailure.Conflict(in tracked, actual, isWithinBatch: false);
                return false;
            }
        }

        failure = default;
        return true;
    }

    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation) =>
        operation.IsChanged = false;

    internal override void Complete(DocumentWriter writer, ref DocumentOperation operation)
    {
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
    }
}
