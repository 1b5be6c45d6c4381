using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Configuration;

/// <summary>Says what clients of the database are to do.</summary>
/// <param name="configuration">What.</param>
public sealed class PutClientConfigurationOperation(ClientConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Put, node => new UrlBuilder(node, "/admin/configuration/client"), configuration);
}
