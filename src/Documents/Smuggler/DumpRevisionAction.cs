using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Smuggler;

/// <summary>
/// Keeps a revision of a dump. Revisions are ordered by their etags, which they get here: a document that exists gets a
/// new version behind them, with the same content, and the revision that is that version becomes its own (REV-1).
/// </summary>
/// <param name="arena">The memory of what it keeps.</param>
internal sealed class DumpRevisionAction(Arena arena) : BatchAction
{
    /// <summary>The document's bytes.</summary>
    internal required NativeSlice Body { get; init; }

    /// <summary>The collection as the document spells it, UTF-8.</summary>
    internal required NativeSlice Collection { get; init; }

    /// <summary>The folded name of the collection.</summary>
    internal required NativeSlice CollectionKey { get; init; }

    /// <summary>When the version was written, UTC ticks.</summary>
    internal required long Ticks { get; init; }

    /// <summary>Whether it stands for a deletion.</summary>
    internal required bool IsDeletion { get; init; }

    /// <summary>Whether the document had counters.</summary>
    internal required bool HasCounters { get; init; }

    /// <summary>Its attachments.</summary>
    internal required List<DumpRevisionAttachment> Attachments { get; init; }

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena checkArena,
        out CommandFailure failure)
    {
        failure = default;
        return true;
    }

    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        operation.IsChanged = false;
        ReadOnlySpan<byte> key = operation.Key.Span;
        bool exists = writer.Tables.TryFind(key, out _, out NativeSlice row);
        if (exists && IsVersionOf(row))
        {
            KeepCurrent(writer, ref operation, RowLayout.ReadHeader(row.Span).Etag);
            return;
        }

        bool isBehind = exists && !writer.Revisions.Tables.Has(RowLayout.ReadHeader(row.Span).Etag);
        Put(writer, ref operation);
        if (exists && IsDeletion)
        {
            writer.Revisions.Tables.Revive(key);
        }

        if (isBehind)
        {
            writer.Versions.Touch(ref operation, arena, DocumentFlags.HasRevisions, DocumentFlags.None);
        }
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation) =>
        writer.NotifyPut(in operation);

    private bool IsVersionOf(NativeSlice row) =>
        !IsDeletion && RowLayout.ReadHeader(row.Span).LastModifiedTicks == Ticks
        && RowLayout.Body(row).Span.SequenceEqual(Body.Span);

    /// <summary>It is the version that the document has.</summary>
    private void KeepCurrent(DocumentWriter writer, ref DocumentOperation operation, long etag)
    {
        if (writer.Revisions.Tables.Has(etag))
        {
            return;
        }

        writer.Revisions.Tables.Revive(operation.Key.Span);
        writer.Versions.Touch(ref operation, arena, DocumentFlags.HasRevisions, DocumentFlags.None);
        if (writer.Versions.IsDeferring)
        {
            writer.Versions.DeferRevision(operation.Key);
        }
        else if (writer.Tables.TryFind(operation.Key.Span, out _, out NativeSlice row))
        {
            writer.Revisions.KeepOld(operation.Key.Span, row);
        }
    }

    private void Put(DocumentWriter writer, ref DocumentOperation operation)
    {
        ReadOnlySpan<byte> key = operation.Key.Span;
        writer.Revisions.Tables.Revive(key);
        List<DumpRevisionAttachment> linked = [];
        foreach (DumpRevisionAttachment one in Attachments)
        {
            AttachmentContent content = one.Content;
            bool hasBytes = content.Size == 0 || !content.Bytes.IsEmpty || !content.UploadId.IsEmpty;
            if (writer.Attachments.Has(content.Hash.Span)
                || linked.Exists(other => other.Content.Hash.Span.SequenceEqual(content.Hash.Span))
                || (hasBytes && writer.Attachments.Keep(in content)))
            {
                linked.Add(one);
            }
        }

        var header = new RowHeader
        {
            Etag = writer.Tables.NextEtag(),
            LastModifiedTicks = Ticks,
            CollectionId = writer.Tables.CollectionId(CollectionKey.Span, Collection.Span),
            Kind = RowKind.Revision,
            Flags = (IsDeletion ? DocumentFlags.DeleteRevision : DocumentFlags.None)
                | (linked.Count > 0 ? DocumentFlags.HasAttachments : DocumentFlags.None)
                | (HasCounters ? DocumentFlags.HasCounters : DocumentFlags.None),
        };
        Span<byte> vector = stackalloc byte[ChangeVector.LocalSizeBytesMax];
        vector = vector[..writer.FormatChangeVector(vector, header.Etag)];
        writer.Revisions.Tables.Put(key, in header, operation.Id.Span, vector, Body.Span, isCurrent: false);
        foreach (DumpRevisionAttachment one in linked)
        {
            AttachmentContent content = one.Content;
            writer.Attachments.PutToRevision(in header, one.Key.Span, operation.Id.Span, vector, in content);
        }
    }
}
