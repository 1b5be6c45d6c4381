using System.Net.Http.Headers;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;
using Raven.Client.ServerWide.Operations;

namespace SlowTests.NodeClient;

/// <summary>What our client has no operation for, to a path of the database or the server.</summary>
internal sealed class OptionPost(string path, string body) : IOperation<string>, IServerOperation<string>
{
    public RavenCommand<string> GetCommand(DocumentConventions conventions) => new Command(path, body);

    private sealed class Command(string path, string body) : RavenCommand<string>
    {
        protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
            new(HttpMethod.Post, node.BaseUrl + path)
            {
                Content = new StringContent(body, new MediaTypeHeaderValue("application/json")),
            };

        protected internal override string? ReadResponse(RavenResponse response) => null;
    }
}
