using Raven.Blittable.Memory;
using Raven.Documents.Rows;

namespace Raven.Documents.Attachments;

/// <summary>
/// The link from a document to an attachment's bytes, as it lies in storage: valid as long as the snapshot that it
/// came from.
/// </summary>
public readonly struct StoredAttachment(NativeSlice row)
{
    /// <summary>The name, UTF-8, as the last put spelled it.</summary>
    public NativeSlice Name => AttachmentLayout.Name(row);

    /// <summary>The id of its document, UTF-8.</summary>
    public NativeSlice DocumentId => RowLayout.Id(row);

    /// <summary>The change vector of the attachment itself, UTF-8.</summary>
    public NativeSlice ChangeVector => RowLayout.ChangeVector(row);

    /// <summary>The content type, UTF-8; may be empty.</summary>
    public NativeSlice ContentType => AttachmentLayout.ContentType(row);

    /// <summary>The SHA-256 of its bytes.</summary>
    public NativeSlice Hash => AttachmentLayout.Hash(row);

    /// <summary>How many bytes the attachment has.</summary>
    public long Size => AttachmentLayout.Size(row);
}
