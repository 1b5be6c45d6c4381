using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Reads the version of the server.</summary>
public sealed class GetBuildNumberOperation : IServerOperation<BuildNumber>
{
    /// <inheritdoc/>
    public RavenCommand<BuildNumber> GetCommand(DocumentConventions conventions) => new SimpleCommand<BuildNumber>(
        node => new UrlBuilder(node, "/build/version").ToRequest(HttpMethod.Get),
        response => response.ReadJson().Deserialize(ServerTypes.Default.BuildNumber), isRead: true);
}

/// <summary>Reads the settings for clients of all databases; null if none are set.</summary>
public sealed class GetServerWideClientConfigurationOperation : IServerOperation<ClientConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ClientConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<ClientConfiguration>(node => new UrlBuilder(node, "/configuration/client"));
}

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
