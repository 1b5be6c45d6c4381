using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Counts the revisions of a document.</summary>
internal sealed class CountRevisionsCommand(string id) : RavenCommand<long>
{
    public override bool IsReadRequest => true;

    internal override string Kind => "revisions";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/revisions/count").Add("id", id).ToRequest(HttpMethod.Get);

    protected internal override long ReadResponse(RavenResponse response) =>
        response.IsNotFound ? 0 : response.ReadJson().GetProperty("RevisionsCount").GetInt64();
}
