using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>Links bytes to a document under a name.</summary>
public sealed class AttachmentPutAction : AttachmentAction
{
    private readonly NativeSlice _key;
    private NativeSlice _changeVector;

    /// <summary>Makes the operation of a batch.</summary>
    /// <param name="arena">The memory of what it keeps.</param>
    /// <param name="key">Its key (<see cref="AttachmentKey.TryMake"/>).</param>
    /// <param name="content">What it is, as far as it is known; <see cref="Content"/> takes the rest.</param>
    public AttachmentPutAction(Arena arena, NativeSlice key, AttachmentContent content)
        : base(arena)
    {
        _key = key;
        Content = content;
    }

    /// <summary>What it is; complete before the batch is submitted.</summary>
    public AttachmentContent Content { get; set; }

    internal override bool NeedsBytes => Content.Hash.IsEmpty;

    /// <summary>The new change vector of the attachment, UTF-8.</summary>
    public NativeSlice ChangeVector => _changeVector;

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        AttachmentContent content = Content;
        CheckVersion(writer, in operation, _key, content.Name, Arena);
        if (!writer.Attachments.Keep(in content))
        {
            throw new CommandRefusedException(new CommandFailure
            {
                Kind = CommandFailureKind.Refused,
                Id = operation.Id,
                Detail = $"The upload of attachment '{Text(content.Name)}' was interrupted.",
            });
        }

        _changeVector = Link(writer, operation.Key.Span, _key, in content);
        writer.Versions.Touch(ref operation, Arena, DocumentFlags.HasAttachments, DocumentFlags.None);
    }
}
