using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>Links the bytes of an attachment to another document or name; a move takes the first link away.</summary>
public sealed class AttachmentCopyAction : AttachmentAction
{
    private DocumentOperation _target;
    private DocumentOperation _source;

    public AttachmentCopyAction(Arena arena)
        : base(arena)
    {
    }

    /// <summary>True if the first link is removed.</summary>
    public required bool IsMove { get; init; }

    /// <summary>The key of the attachment that is copied.</summary>
    public required NativeSlice Key { get; init; }

    public required NativeSlice Name { get; init; }

    /// <summary>The document that takes it, UTF-8.</summary>
    public required NativeSlice TargetId { get; init; }

    /// <summary>The folded id of that document.</summary>
    public required NativeSlice TargetDocumentKey { get; init; }

    /// <summary>The key of the new attachment.</summary>
    public required NativeSlice TargetKey { get; init; }

    public required NativeSlice TargetName { get; init; }

    /// <summary>The new attachment, after it was made.</summary>
    public AttachmentContent Content { get; private set; }

    /// <summary>The change vector of the attachment, UTF-8.</summary>
    public NativeSlice ChangeVector { get; private set; }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        CheckVersion(writer, in operation, Key, Name, Arena);
        if (!writer.Attachments.TryFind(Key.Span, out NativeSlice row))
        {
            throw Missing(operation.Id, Name);
        }

        if (!writer.Tables.Exists(TargetDocumentKey.Span))
        {
            throw new CommandRefusedException(
                new CommandFailure { Kind = CommandFailureKind.DocumentMissing, Id = TargetId });
        }

        bool isSamePlace = Key.Span.SequenceEqual(TargetKey.Span);
        if (!isSamePlace)
        {
            CheckFree(writer);
        }

        var content = new AttachmentContent
        {
            Name = TargetName,
            ContentType = Copy(AttachmentLayout.ContentType(row)),
            Hash = Copy(AttachmentLayout.Hash(row)),
            Size = AttachmentLayout.Size(row),
        };
        Content = content;
        ChangeVector = Link(writer, TargetDocumentKey.Span, TargetKey, in content);
        DocumentFlags lost = IsMove && !isSamePlace
            ? Unlink(writer, operation.Key.Span, operation.Id.Span, Key)
            : DocumentFlags.None;

        bool isSameDocument = operation.Key.Span.SequenceEqual(TargetDocumentKey.Span);
        _source = default;
        if (IsMove && !isSameDocument)
        {
            _source = operation;
            _source.ChangeVectorBuffer = Arena.Allocate(Rows.ChangeVector.LocalSizeBytesMax);
            writer.Versions.Touch(ref _source, Arena, DocumentFlags.None, lost);
        }

        _target = operation;
        _target.Key = TargetDocumentKey;
        writer.Versions.Touch(ref _target, Arena, DocumentFlags.HasAttachments, DocumentFlags.None);
        TakeResult(ref operation);
    }

    internal override void Complete(DocumentWriter writer, ref DocumentOperation operation)
    {
        writer.Versions.Complete(ref _source);
        writer.Versions.Complete(ref _target);
        TakeResult(ref operation);
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
        if (_source.IsChanged)
        {
            writer.NotifyPut(in _source);
        }

        writer.NotifyPut(in _target);
    }

    /// <summary>The client never saw what is stored under the new name, so the copy does not write over it.</summary>
    private void CheckFree(DocumentWriter writer)
    {
        if (writer.Attachments.TryFind(TargetKey.Span, out NativeSlice row))
        {
            throw new CommandRefusedException(new CommandFailure
            {
                Kind = CommandFailureKind.Conflict,
                Id = TargetId,
                ActualChangeVector = Copy(RowLayout.ChangeVector(row)),
                Detail = $"Document '{Text(TargetId)}' has an attachment '{Text(TargetName)}' already.",
            });
        }
    }

    private void TakeResult(ref DocumentOperation operation)
    {
        operation.IsChanged = true;
        operation.Etag = _target.Etag;
        operation.ChangeVector = _target.ChangeVector;
        operation.DeferredVersion = _target.DeferredVersion;
    }

    private NativeSlice Copy(NativeSlice source)
    {
        if (source.IsEmpty)
        {
            return default;
        }

        NativeSlice copy = Arena.Allocate(source.Length);
        source.Span.CopyTo(copy.WritableSpan);
        return copy;
    }
}
