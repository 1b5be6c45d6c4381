using Raven.Client.Documents.Conventions;
using Raven.Client.Exceptions.Documents.Indexes;
using Raven.Client.Http;
using Raven.Client.Json;

namespace Raven.Client.Documents.Queries;

/// <summary>Sends a query and gives the body of its answer.</summary>
internal sealed class QueryCommand(DocumentConventions conventions, IndexQuery query)
    : RavenCommand<ReadOnlyMemory<byte>>
{
    public override bool IsReadRequest => true;

    internal override string Kind => "query";

    internal override TimeSpan ServerWaitMax => query.WaitForNonStaleResultsTimeout ?? TimeSpan.Zero;

    /// <summary>
    /// A stale answer is requested again: its index may catch up by changes that have no effect on it, which are not
    /// reported, nor are changes of compare-exchange values and of time series.
    /// </summary>
    internal override bool IsTracked(ReadOnlyMemory<byte> answer) =>
        answer.Span.IndexOf("\"IsStale\":true"u8) < 0
        && !query.Query.Contains("cmpxchg", StringComparison.OrdinalIgnoreCase)
        && !query.Query.Contains("timeseries", StringComparison.OrdinalIgnoreCase);

    protected internal override HttpRequestMessage CreateRequest(ServerNode node)
    {
        ReadOnlyMemory<byte> json = query.ToJson(conventions);
        bool isKept = CanCache && !DisableCaching;
        return new UrlBuilder(node, "/queries").Add("queryHash", isKept ? IndexQuery.HashOf(json) : null)
            .ToRequest(HttpMethod.Post, JsonBody.Of(json));
    }

    protected internal override ReadOnlyMemory<byte> ReadResponse(RavenResponse response)
    {
        if (response.IsNotFound)
        {
            throw new IndexDoesNotExistException($"There is no index for the query: {query.Query}");
        }

        AnswerBody.RequireObject(response.Body.Span);
        return response.Body;
    }
}
