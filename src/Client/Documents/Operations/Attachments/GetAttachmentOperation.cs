using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>Begins to read an attachment; null if there is none.</summary>
/// <param name="documentId">The document.</param>
/// <param name="name">The name of the attachment.</param>
/// <param name="type">Whether it is read from the current version of the document, or from a revision.</param>
/// <param name="changeVector">The change vector of the revision; not used for a current version.</param>
public sealed class GetAttachmentOperation(
    string documentId, string name, AttachmentType type, string? changeVector) : IOperation<AttachmentResult>
{
    /// <summary>Reads an attachment of the current version of a document.</summary>
    public GetAttachmentOperation(string documentId, string name)
        : this(documentId, name, AttachmentType.Document, null)
    {
    }

    /// <inheritdoc/>
    public RavenCommand<AttachmentResult> GetCommand(DocumentConventions conventions) =>
        new GetAttachmentCommand(documentId, name, type == AttachmentType.Revision ? Named(changeVector) : null);

    private static string Named(string? changeVector) => changeVector
        ?? throw new InvalidOperationException("Say of which revision: changeVector.");
}
