using System.Globalization;
using System.Text.Json;
using Raven.Client.Documents.Operations.Attachments;
using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>
/// Reads an attachment of a document, or of the revision with that change vector; null if there is none.
/// </summary>
internal sealed class GetAttachmentCommand(string id, string name, string? revision = null)
    : RavenCommand<AttachmentResult>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override bool IsStream => true;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        UrlBuilder url = new UrlBuilder(node, "/attachments").Add("id", id).Add("name", name);
        return revision is null ? url.ToRequest(HttpMethod.Get) : url.ToRequest(HttpMethod.Post, JsonBody.Write(Write));
    }

    protected internal override AttachmentResult? ReadResponse(RavenResponse response) => null;

    internal override AttachmentResult ReadStream(HttpResponseMessage response)
    {
        string? etag = HeaderOf(response, "ETag")?.Trim('"');
        string? size = HeaderOf(response, "Attachment-Size");
        return new AttachmentResult(response, new AttachmentDetails(
            id, name, response.Content.Headers.ContentType?.ToString() ?? "",
            HeaderOf(response, "Attachment-Hash") ?? "", etag,
            size is null
                ? response.Content.Headers.ContentLength ?? -1
                : long.Parse(size, CultureInfo.InvariantCulture)));
    }

    private void Write(Utf8JsonWriter writer)
    {
        writer.WriteStartObject();
        writer.WriteString("Type"u8, "Revision"u8);
        writer.WriteString("ChangeVector"u8, revision);
        writer.WriteEndObject();
    }

    private static string? HeaderOf(HttpResponseMessage response, string header) =>
        response.Headers.TryGetValues(header, out IEnumerable<string>? values) ? values.First() : null;
}
