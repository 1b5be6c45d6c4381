using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads the change vector of an attachment; null if there is none.</summary>
internal sealed class HeadAttachmentCommand(string id, string name) : RavenCommand<string>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/attachments").Add("id", id).Add("name", name).ToRequest(HttpMethod.Head);

    protected internal override string? ReadResponse(RavenResponse response) =>
        response.IsNotFound ? null : response.ETag;
}
