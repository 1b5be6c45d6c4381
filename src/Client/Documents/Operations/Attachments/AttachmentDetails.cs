namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>What is known of an attachment.</summary>
/// <param name="DocumentId">The document that it belongs to.</param>
/// <param name="Name">Its name.</param>
/// <param name="ContentType">What its bytes are.</param>
/// <param name="Hash">The hash of its bytes, as the server computes it.</param>
/// <param name="ChangeVector">Its version.</param>
/// <param name="Size">How many bytes.</param>
public sealed record AttachmentDetails(
    string DocumentId, string Name, string ContentType, string Hash, string? ChangeVector, long Size);

/// <summary>What an attachment belongs to.</summary>
public enum AttachmentType
{
    /// <summary>A document as it is.</summary>
    Document,

    /// <summary>A revision of it.</summary>
    Revision,
}
