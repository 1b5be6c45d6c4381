using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>The version of the server.</summary>
public sealed class GetBuildNumberOperation : IServerOperation<BuildNumber>
{
    /// <inheritdoc/>
    public RavenCommand<BuildNumber> GetCommand(DocumentConventions conventions) => new SimpleCommand<BuildNumber>(
        node => new UrlBuilder(node, "/build/version").ToRequest(HttpMethod.Get),
        response => response.ReadJson().Deserialize(ServerTypes.Default.BuildNumber), isRead: true);
}
