using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Queries;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>Changes the documents that a query finds, by the script in its <c>update</c>.</summary>
/// <param name="query">The query: <c>from Users where ... update { this.Name = ... }</c>.</param>
public sealed class PatchByQueryOperation(IndexQuery query) : IOperation<OperationIdResult>
{
    /// <summary>Changes the documents that a query finds.</summary>
    /// <param name="rql">The query, RQL.</param>
    public PatchByQueryOperation(string rql)
        : this(new IndexQuery { Query = rql })
    {
    }

    /// <inheritdoc/>
    public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<OperationIdResult>(
            node => new UrlBuilder(node, "/queries").ToRequest(HttpMethod.Patch, JsonBody.Write(writer =>
            {
                writer.WriteStartObject();
                writer.WritePropertyName("Query"u8);
                query.Write(writer, conventions);
                writer.WriteEndObject();
            })),
            DeleteByQueryOperation.ReadId, isRead: false);
}
