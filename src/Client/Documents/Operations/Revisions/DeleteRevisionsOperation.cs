using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Deletes the earlier versions of documents.</summary>
/// <param name="documentIds">The documents.</param>
public sealed class DeleteRevisionsOperation(params string[] documentIds) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Delete, node => new UrlBuilder(node, "/admin/revisions"),
            new RequestBody { DocumentIds = documentIds });
}
