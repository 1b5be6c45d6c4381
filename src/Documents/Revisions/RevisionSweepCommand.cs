using System.Diagnostics;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Attachments;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Revisions;

/// <summary>
/// Does the same to some of the documents that have revisions, in one transaction; submitted again, it goes on after
/// the last of them, until <see cref="IsDone"/>.
/// </summary>
public sealed class RevisionSweepCommand(RevisionSweepKind kind, OperationContext context) : DocumentCommand
{
    private const int DocumentsMax = 128;

    private readonly byte[] _startKey = new byte[DocumentId.SizeBytesMax];
    private readonly byte[] _endKey = new byte[DocumentId.SizeBytesMax];
    private readonly DocumentOperation[] _changed = new DocumentOperation[DocumentsMax];
    private int _startLength;
    private int _endLength;
    private int _changedCount;

    /// <summary>The time whose versions documents get back.</summary>
    public long RevertToTicks { get; init; }

    /// <summary>The folded names of the collections to sweep; empty for all.</summary>
    public HashSet<string> Collections { get; init; } = [];

    /// <summary>True if there are no more.</summary>
    public bool IsDone { get; private set; }

    /// <summary>The documents that the last transaction read.</summary>
    public int Count { get; private set; }

    /// <summary>Makes the next submit go on after the documents of the last one.</summary>
    public void MoveOn()
    {
        _endKey.CopyTo(_startKey, 0);
        _startLength = _endLength;
        context.Reset();
    }

    private protected override void Execute(DocumentWriter writer)
    {
        Count = 0;
        _changedCount = 0;
        IsDone = false;
        _startKey.CopyTo(_endKey, 0);
        _endLength = _startLength;
        writer.Versions.BeginBatch(context.Arena);
        Sweep(writer);

        // Attachments are restored after their document: both together are one new version of it (VER-1).
        writer.Versions.Flush();
        foreach (ref DocumentOperation operation in _changed.AsSpan(0, _changedCount))
        {
            writer.Versions.Complete(ref operation);
        }
    }

    private void Sweep(DocumentWriter writer)
    {
        Span<byte> next = stackalloc byte[DocumentId.SizeBytesMax];
        while (Count < DocumentsMax)
        {
            if (!writer.Revisions.Tables.TryFindDocumentAfter(
                _endKey.AsSpan(0, _endLength), next, out int length))
            {
                IsDone = true;
                return;
            }

            next[..length].CopyTo(_endKey);
            _endLength = length;
            Count++;
            int collectionId = CollectionOf(writer, next[..length]);
            if (Collections.Count > 0
                && !Collections.Contains(DocumentId.FoldedText(writer.Tables.CollectionName(collectionId))))
            {
                continue;
            }

            if (kind == RevisionSweepKind.Enforce)
            {
                Enforce(writer, next[..length], collectionId);
            }
            else
            {
                Revert(writer, next[..length]);
            }
        }
    }

    private protected override void Committed(DocumentWriter writer) =>
        CommandNotices.Notify(writer, _changed.AsSpan(0, _changedCount));

    /// <summary>The collection that a document is in, or was in last: its revisions may be of others.</summary>
    private static int CollectionOf(DocumentWriter writer, ReadOnlySpan<byte> key)
    {
        bool isThere = writer.Tables.TryFind(key, out _, out NativeSlice row)
            || writer.Revisions.Tables.TryFindAt(key, long.MaxValue, out row);
        Debug.Assert(isThere, "It has revisions.");
        return RowLayout.ReadHeader(row.Span).CollectionId;
    }

    private static void Enforce(DocumentWriter writer, ReadOnlySpan<byte> key, int collectionId)
    {
        long deleted = writer.Revisions.Of(collectionId) is { } configuration
            ? writer.Revisions.Tables.Enforce(
                key, configuration with { DeletedAtOnceMax = long.MaxValue }, writer.Now.Ticks)
            : writer.Revisions.Tables.DeleteAll(key);
        if (deleted > 0)
        {
            // As after a purge: cached answers with these revisions must not be used any more.
            writer.Tables.NextEtag();
        }
    }

    private void Revert(DocumentWriter writer, ReadOnlySpan<byte> key)
    {
        bool exists = writer.Tables.TryFind(key, out _, out NativeSlice current);
        if (exists && RowLayout.ReadHeader(current.Span).LastModifiedTicks <= RevertToTicks)
        {
            return;
        }

        bool wasThere = writer.Revisions.Tables.TryFindAt(key, RevertToTicks, out NativeSlice row)
            && (RowLayout.ReadHeader(row.Span).Flags & DocumentFlags.DeleteRevision) == 0;
        if (!wasThere && !exists)
        {
            return;
        }

        ref DocumentOperation operation = ref _changed[_changedCount++];
        operation = default;
        NativeSlice source = Copy(wasThere ? row.Span : current.Span);
        operation.Id = RowLayout.Id(source);
        operation.Key = Copy(key);
        operation.ChangeVectorBuffer = context.Arena.Allocate(ChangeVector.LocalSizeBytesMax);
        if (!wasThere)
        {
            operation.Kind = DocumentOperationKind.Delete;
            writer.Delete(ref operation);
            return;
        }

        List<NativeSlice> attachments =
            writer.Attachments.OfRevision(RowLayout.ReadHeader(source.Span).Etag, context.Arena);
        operation.Kind = DocumentOperationKind.Put;
        operation.Document = RowLayout.Body(source);
        ReadDueTimes(ref operation);
        operation.Collection = Copy(writer.Tables.CollectionName(RowLayout.ReadHeader(source.Span).CollectionId));
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        DocumentId.TryFold(operation.Collection.Span, folded, out int length, out _);
        operation.CollectionKey = Copy(folded[..length]);
        if (writer.Settings.Schemas is { } schemas
            && !BatchRules.TryCheckSchema(schemas, in operation, out CommandFailure failure))
        {
            throw new CommandRefusedException(failure);
        }

        writer.Put(ref operation, named: null);
        new AttachmentRevert(context.Arena).Execute(writer, ref operation, attachments);
    }

    /// <summary>The restored version may have times in its metadata whose keys were removed (DUE-1).</summary>
    private static void ReadDueTimes(ref DocumentOperation operation)
    {
        if (BlittableObject.Open(operation.Document).TryGet(StoredMetadata.PropertyName, out BlittableValue value)
            && value.TryGetObject(out BlittableObject metadata))
        {
            DueTimes.TryRead(metadata, SweepKind.Expiration, out operation.ExpiresTicks);
            DueTimes.TryRead(metadata, SweepKind.Refresh, out operation.RefreshTicks);
            DueTimes.TryRead(metadata, SweepKind.Archival, out operation.ArchiveTicks);
        }
    }

    private NativeSlice Copy(ReadOnlySpan<byte> bytes)
    {
        NativeSlice copy = context.Arena.Allocate(bytes.Length);
        bytes.CopyTo(copy.WritableSpan);
        return copy;
    }
}
