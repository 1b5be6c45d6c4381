using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>Deletes an attachment.</summary>
/// <param name="documentId">The document.</param>
/// <param name="name">The name of the attachment.</param>
/// <param name="changeVector">The version that it must have; null for whatever is there.</param>
public sealed class DeleteAttachmentOperation(string documentId, string name, string? changeVector = null)
    : IOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node =>
        {
            HttpRequestMessage request = new UrlBuilder(node, "/attachments").Add("id", documentId).Add("name", name)
                .ToRequest(HttpMethod.Delete);
            if (changeVector != null)
            {
                request.Headers.TryAddWithoutValidation("If-Match", $"\"{changeVector}\"");
            }

            return request;
        },
        response => !response.IsNotFound, isRead: false)
    { NotFoundIsResult = true };
}
