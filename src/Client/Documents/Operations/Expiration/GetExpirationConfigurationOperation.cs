using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Expiration;

/// <summary>Whether documents expire; null if it is not configured.</summary>
public sealed class GetExpirationConfigurationOperation : IMaintenanceOperation<ExpirationConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ExpirationConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<ExpirationConfiguration>(node => new UrlBuilder(node, "/expiration/config"));
}
