using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Disables an index, also after a restart.</summary>
/// <param name="name">Its name.</param>
public sealed class DisableIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/disable").Add("name", name));
}
