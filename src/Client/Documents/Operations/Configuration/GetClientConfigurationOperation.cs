using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>What clients of the database are told to do; null where nobody said.</summary>
public sealed class GetClientConfigurationOperation : IMaintenanceOperation<ClientConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ClientConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/configuration/client"),
            json => WireTypes.Read<ClientConfiguration>(json.GetProperty("Configuration")));
}
