using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>The settings for clients of all databases; null if none are set.</summary>
public sealed class GetServerWideClientConfigurationOperation : IServerOperation<ClientConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ClientConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<ClientConfiguration>(node => new UrlBuilder(node, "/configuration/client"));
}
