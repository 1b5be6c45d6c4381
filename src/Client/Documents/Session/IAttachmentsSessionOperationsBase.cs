using Raven.Client.Documents.Operations.Attachments;

namespace Raven.Client.Documents.Session;

/// <summary>What a session does to attachments with its next save.</summary>
public interface IAttachmentsSessionOperationsBase
{
    /// <summary>Stores an attachment with the next save, in the same transaction as the documents.</summary>
    /// <param name="documentId">The document.</param>
    /// <param name="name">The name of the attachment.</param>
    /// <param name="stream">Its bytes, read when the save is sent; the caller closes it.</param>
    /// <param name="contentType">The content type of its bytes.</param>
    void Store(string documentId, string name, Stream stream, string? contentType = null);

    /// <summary>Stores an attachment of the document of an entity with the next save.</summary>
    void Store(object entity, string name, Stream stream, string? contentType = null);

    /// <summary>Deletes an attachment with the next save.</summary>
    void Delete(string documentId, string name);

    /// <summary>Deletes an attachment of the document of an entity with the next save.</summary>
    void Delete(object entity, string name);

    /// <summary>Gives an attachment another name with the next save.</summary>
    void Rename(string documentId, string name, string newName);

    /// <summary>Copies an attachment with the next save; the bytes are not sent.</summary>
    void Copy(string sourceDocumentId, string sourceName, string destinationDocumentId, string destinationName);

    /// <summary>Moves an attachment with the next save.</summary>
    void Move(string sourceDocumentId, string sourceName, string destinationDocumentId, string destinationName);

    /// <summary>The attachments of a loaded document, as they were when it was read.</summary>
    AttachmentDetails[] GetNames(object entity);
}
