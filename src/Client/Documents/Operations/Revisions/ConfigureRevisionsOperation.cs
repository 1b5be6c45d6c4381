using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Sets which versions of documents are kept.</summary>
/// <param name="configuration">The configuration.</param>
public sealed class ConfigureRevisionsOperation(RevisionsConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/revisions/config").ToRequest(
            HttpMethod.Post, JsonBody.Of(WireTypes.Write(configuration))),
        _ => true, isRead: false);
}
