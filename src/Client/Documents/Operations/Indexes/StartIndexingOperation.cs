using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Ends the pause of all indexes.</summary>
public sealed class StartIndexingOperation : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/start"));
}
