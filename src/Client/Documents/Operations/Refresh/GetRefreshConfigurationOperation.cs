using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Refresh;

/// <summary>Whether documents are refreshed; null if it is not configured.</summary>
public sealed class GetRefreshConfigurationOperation : IMaintenanceOperation<RefreshConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<RefreshConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<RefreshConfiguration>(node => new UrlBuilder(node, "/refresh/config"));
}
