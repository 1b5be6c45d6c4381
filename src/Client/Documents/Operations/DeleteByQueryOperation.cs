using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Queries;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>Deletes the documents that a query finds.</summary>
/// <param name="query">The query.</param>
public sealed class DeleteByQueryOperation(IndexQuery query) : IOperation<OperationIdResult>
{
    /// <summary>Deletes the documents that a query finds.</summary>
    /// <param name="rql">The query, RQL.</param>
    public DeleteByQueryOperation(string rql)
        : this(new IndexQuery { Query = rql })
    {
    }

    /// <inheritdoc/>
    public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<OperationIdResult>(
            node => new UrlBuilder(node, "/queries").ToRequest(
                HttpMethod.Delete, JsonBody.Of(query.ToJson(conventions))),
            ReadId, isRead: false);

    internal static OperationIdResult ReadId(RavenResponse response)
    {
        JsonElement json = response.ReadJson();
        return new OperationIdResult(json.GetProperty("OperationId").GetInt64());
    }
}
