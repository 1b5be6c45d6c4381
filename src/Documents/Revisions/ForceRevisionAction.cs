using Raven.Blittable.Json;
using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Json;
using Raven.Documents.Rows;

namespace Raven.Documents.Revisions;

/// <summary>Keeps the version that a document has now, whatever the database is configured to keep.</summary>
public sealed class ForceRevisionAction(Arena arena) : BatchAction
{
    private bool _isCreated;

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
            _isCreated = !writer.Versions.WillKeepRevision(operation.Key, header.CollectionId);
            if (_isCreated)
            {
                Owe(writer, ref operation, (header.Flags & DocumentFlags.HasRevisions) != 0);
            }

            return;
        }

        _isCreated = !writer.Revisions.Tables.Has(header.Etag);
        if (!_isCreated)
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

    public override void WriteResult(ref JsonOutput json, in DocumentOperation operation)
    {
        json.Name("Type"u8);
        json.String("ForceRevisionCreation"u8);
        json.Name("RevisionCreated"u8);
        json.Boolean(_isCreated);
        if (_isCreated)
        {
            json.Name("@id"u8);
            json.String(operation.Id.Span);
            json.Name("@change-vector"u8);
            json.String(operation.ChangeVector.Span);
            json.Name("@last-modified"u8);
            DocumentJson.WriteDate(ref json, operation.LastModifiedTicks);
            DocumentJson.WriteFlags(ref json, operation.Flags);
        }
    }
}
