using Raven.Client.Documents.Conventions;
using Raven.Client.Exceptions.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Queries;

/// <summary>Sends a query and gives the body of its answer.</summary>
internal sealed class QueryCommand(DocumentConventions conventions, IndexQuery query)
    : RavenCommand<ReadOnlyMemory<byte>>
{
    public override bool IsReadRequest => true;

    internal override string Kind => "query";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        ReadOnlyMemory<byte> json = query.ToJson(conventions);
        bool isKept = CanCache && !DisableCaching;
        return new UrlBuilder(node, "/queries").Add("queryHash", isKept ? IndexQuery.HashOf(json) : null)
            .ToRequest(HttpMethod.Post, JsonBody.Of(json));
    }

    protected internal override ReadOnlyMemory<byte> ReadResponse(RavenResponse response) => response.IsNotFound
        ? throw new IndexDoesNotExistException($"There is no index for the query: {query.Query}")
        : response.Body;
}
