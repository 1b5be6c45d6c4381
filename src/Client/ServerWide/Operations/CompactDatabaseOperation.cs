using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Frees the disk space that a database no longer needs, as an operation of that database.</summary>
/// <param name="name">Its name.</param>
public sealed class CompactDatabaseOperation(string name) : IServerOperation<OperationIdResult>
{
    /// <inheritdoc/>
    public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/compact"),
            new RequestBody { DatabaseName = name, Documents = true },
            json => new OperationIdResult(json.GetProperty("OperationId").GetInt64()));
}
