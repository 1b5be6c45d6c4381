using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads the change vector of a document; null if there is none.</summary>
internal sealed class HeadDocumentCommand(string id) : RavenCommand<string>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override string Kind => "check whether a document exists";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/docs").Add("id", id).ToRequest(HttpMethod.Head);

    protected internal override string? ReadResponse(RavenResponse response) =>
        response.IsNotFound ? null : response.ETag;
}
