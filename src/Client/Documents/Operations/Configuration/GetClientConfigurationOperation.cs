using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>The settings for clients of the database; null if none are set.</summary>
public sealed class GetClientConfigurationOperation : IMaintenanceOperation<ClientConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ClientConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/configuration/client"),
            json => WireTypes.Read<ClientConfiguration>(json.GetProperty("Configuration")));
}
