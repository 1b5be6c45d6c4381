using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Refresh;

/// <summary>Sets whether documents are refreshed.</summary>
/// <param name="configuration">The configuration.</param>
public sealed class ConfigureRefreshOperation(RefreshConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/refresh/config"), configuration);
}
