using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Documents.Operations.Configuration;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>What clients of all databases are told to do; null where nobody said.</summary>
public sealed class GetServerWideClientConfigurationOperation : IServerOperation<ClientConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<ClientConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<ClientConfiguration>(node => new UrlBuilder(node, "/configuration/client"));
}
