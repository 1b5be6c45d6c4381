using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>Begins to read an attachment; null if there is none.</summary>
/// <param name="documentId">The document.</param>
/// <param name="name">The name of the attachment.</param>
/// <param name="type">Whether it is read from the document as it is, or from a revision.</param>
/// <param name="changeVector">The revision; not used otherwise.</param>
public sealed class GetAttachmentOperation(
    string documentId, string name, AttachmentType type, string? changeVector) : IOperation<AttachmentResult>
{
    /// <summary>Of the document as it is.</summary>
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
