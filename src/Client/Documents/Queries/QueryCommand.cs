using Raven.Client.Documents.Conventions;
using Raven.Client.Exceptions.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Queries;

/// <summary>Sends a query.</summary>
internal sealed class QueryCommand(DocumentConventions conventions, IndexQuery query) : RavenCommand<QueryAnswer>
{
    public override bool IsReadRequest => true;

    internal override string Kind => "query";

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        ReadOnlyMemory<byte> json = query.ToJson(conventions);
        return new UrlBuilder(node, "/queries").Add("queryHash", IndexQuery.HashOf(json))
            .ToRequest(HttpMethod.Post, JsonBody.Of(json));
    }

    protected internal override QueryAnswer ReadResponse(RavenResponse response) => response.IsNotFound
        ? throw new IndexDoesNotExistException($"There is no index for the query: {query.Query}")
        : QueryAnswer.Parse(response.ReadJson());
}
