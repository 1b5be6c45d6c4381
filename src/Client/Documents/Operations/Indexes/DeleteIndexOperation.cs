using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Deletes an index; does nothing if there is none.</summary>
/// <param name="name">Its name.</param>
public sealed class DeleteIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/indexes").Add("name", name).ToRequest(HttpMethod.Delete),
        response => !response.IsNotFound, isRead: false) { NotFoundIsResult = true };
}
