using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Sets the settings for clients of all databases.</summary>
/// <param name="configuration">The settings.</param>
public sealed class PutServerWideClientConfigurationOperation(ClientConfiguration configuration)
    : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Put, node => new UrlBuilder(node, "/admin/configuration/client"), configuration);
}
