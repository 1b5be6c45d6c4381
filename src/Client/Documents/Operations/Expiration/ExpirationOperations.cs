using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Expiration;

/// <summary>Sets whether documents expire.</summary>
/// <param name="configuration">The configuration.</param>
public sealed class ConfigureExpirationOperation(ExpirationConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/expiration/config").ToRequest(
            HttpMethod.Post, JsonBody.Of(WireTypes.Write(configuration))),
        _ => true, isRead: false);
}

/// <summary>Reads whether documents expire; null if it is not configured.</summary>
public sealed class GetExpirationConfigurationOperation : IMaintenanceOperation<ExpirationConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ExpirationConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<ExpirationConfiguration>(node => new UrlBuilder(node, "/expiration/config"));
}

/// <summary>Whether documents are deleted at the time in their <c>@expires</c>.</summary>
public sealed record ExpirationConfiguration
{
    /// <summary>Whether expiration is off.</summary>
    public bool Disabled { get; init; }

    /// <summary>
    /// How often the server searches for expired documents, in seconds; null takes the server's default.
    /// </summary>
    public long? DeleteFrequencyInSec { get; init; }
}
