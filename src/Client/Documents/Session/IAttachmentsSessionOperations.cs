using Raven.Client.Documents.Operations.Attachments;

namespace Raven.Client.Documents.Session;

/// <summary>The attachments of documents.</summary>
public interface IAttachmentsSessionOperations : IAttachmentsSessionOperationsBase
{
    /// <summary>Begins to read an attachment; null if there is none.</summary>
    AttachmentResult? Get(string documentId, string name);

    /// <summary>Begins to read an attachment of the document of an entity; null if there is none.</summary>
    AttachmentResult? Get(object entity, string name);

    /// <summary>Whether there is such an attachment.</summary>
    bool Exists(string documentId, string name);
}
