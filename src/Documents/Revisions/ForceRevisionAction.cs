using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Revisions;

/// <summary>Keeps the version that a document has now, whatever the database is configured to keep.</summary>
public sealed class ForceRevisionAction(Arena arena) : BatchAction
{
    /// <summary>Whether there was no revision of that version before.</summary>
    public bool IsCreated { get; private set; }

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena checkArena,
        out CommandFailure failure)
    {
        failure = default;
        if (trace == OperationTrace.Written
            || (trace == OperationTrace.None && writer.Tables.Exists(operation.Key.Span)))
        {
            return true;
        }

        failure = CommandFailure.NotSaved(in operation);
        return false;
    }

    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        ReadOnlySpan<byte> key = operation.Key.Span;
        operation.IsChanged = false;
        writer.Tables.TryFind(key, out _, out NativeSlice row);
        RowHeader header = RowLayout.ReadHeader(row.Span);
        if (writer.Versions.IsOfThisBatch(operation.Key, header.Etag))
        {
            IsCreated = !writer.Versions.WillKeepRevision(operation.Key, header.CollectionId);
            if (IsCreated)
            {
                Owe(writer, ref operation, (header.Flags & DocumentFlags.HasRevisions) != 0);
            }

            return;
        }

        IsCreated = !writer.Revisions.Tables.Has(header.Etag);
        if (!IsCreated)
        {
            return;
        }

        if ((header.Flags & DocumentFlags.HasRevisions) == 0)
        {
            // The document gets the flag that it has revisions, and that is a new version of it.
            writer.Versions.TouchNow(ref operation, arena, DocumentFlags.HasRevisions);
            writer.Tables.TryFind(key, out _, out row);
            writer.Revisions.KeepOld(key, row);
            return;
        }

        NativeSlice vector = RowLayout.ChangeVector(row);
        vector.Span.CopyTo(operation.ChangeVectorBuffer.WritableSpan);
        operation.ChangeVector = operation.ChangeVectorBuffer.Slice(0, vector.Length);
        operation.LastModifiedTicks = header.LastModifiedTicks;
        operation.Flags = header.Flags;
        writer.Revisions.KeepOld(key, row);
    }

    /// <summary>The version is one that the batch itself makes: of those only the last is kept.</summary>
    private void Owe(DocumentWriter writer, ref DocumentOperation operation, bool hasFlag)
    {
        if (hasFlag)
        {
            writer.ReadVersion(ref operation);
        }
        else
        {
            writer.Versions.Touch(ref operation, arena, DocumentFlags.HasRevisions, DocumentFlags.None);
        }

        writer.Versions.DeferRevision(operation.Key);
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation) =>
        writer.NotifyPut(in operation);
}
