using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Lets all indexes pause, until they are started or the server is.</summary>
public sealed class StopIndexingOperation : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/stop"));
}
