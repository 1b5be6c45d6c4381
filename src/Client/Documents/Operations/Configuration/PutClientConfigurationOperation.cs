using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>Sets the settings for clients of the database.</summary>
/// <param name="configuration">The settings.</param>
public sealed class PutClientConfigurationOperation(ClientConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Put, node => new UrlBuilder(node, "/admin/configuration/client"), configuration);
}
