using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Pauses all indexes, until they are started or the server restarts.</summary>
public sealed class StopIndexingOperation : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/stop"));
}
