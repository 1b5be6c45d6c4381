using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Pauses an index, until it is started or the server restarts.</summary>
/// <param name="name">Its name.</param>
public sealed class StopIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/stop").Add("name", name));
}
