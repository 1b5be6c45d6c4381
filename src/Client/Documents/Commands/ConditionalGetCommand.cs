using Raven.Client.Http;

namespace Raven.Client.Documents.Commands;

/// <summary>Reads a document if its change vector differs from a known one.</summary>
internal sealed class ConditionalGetCommand(string id, string changeVector) : RavenCommand<ConditionalGetResult>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override string Kind => "conditional load";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        HttpRequestMessage request = new UrlBuilder(node, "/docs").Add("id", id).ToRequest(HttpMethod.Get);
        request.Headers.TryAddWithoutValidation("If-None-Match", $"\"{changeVector}\"");
        return request;
    }

    protected internal override ConditionalGetResult ReadResponse(RavenResponse response)
    {
        if (response.IsNotFound || response.StatusCode == 304)
        {
            return new ConditionalGetResult(default, response.StatusCode == 304);
        }

        return new ConditionalGetResult(GetDocumentsResult.Parse(response.Body).Results[0], false);
    }
}
