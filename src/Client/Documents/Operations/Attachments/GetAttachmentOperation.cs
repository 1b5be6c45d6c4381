using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>Begins to read an attachment; null where there is none.</summary>
/// <param name="documentId">The document.</param>
/// <param name="name">The name of the attachment.</param>
public sealed class GetAttachmentOperation(string documentId, string name) : IOperation<AttachmentResult>
{
    /// <inheritdoc/>
    public RavenCommand<AttachmentResult> GetCommand(DocumentConventions conventions) =>
        new GetAttachmentCommand(documentId, name);
}
