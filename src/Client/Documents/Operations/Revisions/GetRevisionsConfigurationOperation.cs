using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Which versions of documents are kept; null if it is not configured.</summary>
public sealed class GetRevisionsConfigurationOperation : IMaintenanceOperation<RevisionsConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<RevisionsConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<RevisionsConfiguration>(node => new UrlBuilder(node, "/revisions/config"));
}
