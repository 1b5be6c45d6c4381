using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Deletes the earlier versions that need not be kept.</summary>
/// <param name="collections">The collections; none for all.</param>
public sealed class EnforceRevisionsConfigurationOperation(params string[] collections)
    : IOperation<OperationIdResult>
{
    /// <inheritdoc/>
    public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/revisions/config/enforce"),
            new RequestBody { Collections = collections.Length == 0 ? null : collections },
            json => new OperationIdResult(json.GetProperty("OperationId").GetInt64()));
}
