using Raven.Client.Http;

namespace FastTests.Client;

/// <summary>A command of a user's own: how many documents the collection Users has.</summary>
internal sealed class UserCountCommand : RavenCommand<long>
{
    public override bool IsReadRequest => true;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new(HttpMethod.Get, $"{node.BaseUrl}/collections/stats");

    protected internal override long ReadResponse(RavenResponse response) =>
        response.ReadJson().GetProperty("Collections").GetProperty("Users").GetInt64();
}
