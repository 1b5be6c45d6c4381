namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>What an attachment belongs to.</summary>
public enum AttachmentType
{
    /// <summary>A document as it is.</summary>
    Document,

    /// <summary>A revision of it.</summary>
    Revision,
}
