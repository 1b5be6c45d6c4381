using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Queries;

/// <summary>Sends a query whose results are read as they arrive.</summary>
internal sealed class QueryStreamCommand(DocumentConventions conventions, IndexQuery query)
    : RavenCommand<DocumentLines>
{
    public override bool IsReadRequest => true;

    public override bool CanCache => false;

    internal override bool IsStream => true;

    internal override string Kind => "stream";

    internal override TimeSpan ServerWaitMax => query.WaitForNonStaleResultsTimeout ?? TimeSpan.Zero;

    internal override bool AcceptsNotFound(HttpResponseMessage response) => false;

    protected internal override HttpRequestMessage CreateRequest(ServerNode node) =>
        new UrlBuilder(node, "/streams/queries").Add("format", "jsonl")
            .ToRequest(HttpMethod.Post, JsonBody.Of(query.ToJson(conventions)));

    protected internal override DocumentLines? ReadResponse(RavenResponse response) =>
        throw new InvalidOperationException("A stream is read as it comes.");

    internal override DocumentLines ReadStream(HttpResponseMessage response) => new(response, AnswerTimeMax, StoreEnd);
}
