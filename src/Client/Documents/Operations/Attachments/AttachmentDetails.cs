namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>The name, content type and hash of an attachment, without its bytes.</summary>
/// <param name="DocumentId">The document that it belongs to.</param>
/// <param name="Name">Its name.</param>
/// <param name="ContentType">The content type of its bytes.</param>
/// <param name="Hash">The hash of its bytes, as the server computes it.</param>
/// <param name="ChangeVector">The change vector of the attachment.</param>
/// <param name="Size">The number of its bytes.</param>
public sealed record AttachmentDetails(
    string DocumentId, string Name, string ContentType, string Hash, string? ChangeVector, long Size);

/// <summary>What an attachment belongs to.</summary>
public enum AttachmentType
{
    /// <summary>The current version of a document.</summary>
    Document,

    /// <summary>A revision of a document.</summary>
    Revision,
}
