using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Refresh;

/// <summary>Sets whether documents are refreshed: get a new version at a given time.</summary>
/// <param name="configuration">The configuration.</param>
public sealed class ConfigureRefreshOperation(RefreshConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/refresh/config"), configuration);
}

/// <summary>Reads whether documents are refreshed; null if it is not configured.</summary>
public sealed class GetRefreshConfigurationOperation : IMaintenanceOperation<RefreshConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<RefreshConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<RefreshConfiguration>(node => new UrlBuilder(node, "/refresh/config"));
}

/// <summary>Whether documents get a new version at the time in their <c>@refresh</c>.</summary>
public sealed record RefreshConfiguration
{
    /// <summary>Whether refreshing is off.</summary>
    public bool Disabled { get; init; }

    /// <summary>
    /// How often the server searches for documents that are due, in seconds; null takes the server's default.
    /// </summary>
    public long? RefreshFrequencyInSec { get; init; }
}
