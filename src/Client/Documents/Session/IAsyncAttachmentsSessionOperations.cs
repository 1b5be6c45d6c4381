using Raven.Client.Documents.Operations.Attachments;

namespace Raven.Client.Documents.Session;

/// <summary>The attachments of documents.</summary>
public interface IAsyncAttachmentsSessionOperations : IAttachmentsSessionOperationsBase
{
    /// <summary>Begins to read an attachment; null if there is none.</summary>
    Task<AttachmentResult?> GetAsync(string documentId, string name, CancellationToken cancellationToken = default);

    /// <summary>Begins to read an attachment of the document of an entity; null if there is none.</summary>
    Task<AttachmentResult?> GetAsync(object entity, string name, CancellationToken cancellationToken = default);

    /// <summary>Whether there is such an attachment.</summary>
    Task<bool> ExistsAsync(string documentId, string name, CancellationToken cancellationToken = default);
}
