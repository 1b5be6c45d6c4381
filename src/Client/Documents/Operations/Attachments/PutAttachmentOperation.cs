using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Attachments;

/// <summary>Stores an attachment.</summary>
/// <param name="documentId">The document.</param>
/// <param name="name">The name of the attachment.</param>
/// <param name="stream">Its bytes, from its position to its end; the caller closes it.</param>
/// <param name="contentType">The content type of its bytes.</param>
/// <param name="changeVector">The change vector that the attachment must have; null for any.</param>
public sealed class PutAttachmentOperation(
    string documentId, string name, Stream stream, string? contentType = null, string? changeVector = null)
    : IOperation<AttachmentDetails>
{
    /// <inheritdoc/>
    public RavenCommand<AttachmentDetails> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<AttachmentDetails>(Request, Read, isRead: false) { CanSendAgain = () => false };

    private static AttachmentDetails Read(RavenResponse response)
    {
        JsonElement json = response.ReadJson();
        return new AttachmentDetails(
            json.GetProperty("DocumentId").GetString()!, json.GetProperty("Name").GetString()!,
            json.GetProperty("ContentType").GetString() ?? "", json.GetProperty("Hash").GetString()!,
            json.GetProperty("ChangeVector").GetString(), json.GetProperty("Size").GetInt64());
    }

    private HttpRequestMessage Request(ServerNode node)
    {
        HttpRequestMessage request = new UrlBuilder(node, "/attachments").Add("id", documentId).Add("name", name)
            .Add("contentType", contentType).ToRequest(HttpMethod.Put, new BorrowedStreamContent(stream));
        if (changeVector != null)
        {
            request.Headers.TryAddWithoutValidation("If-Match", $"\"{changeVector}\"");
        }

        return request;
    }
}
