using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>Cancels an operation; false if the server does not know it.</summary>
/// <param name="id">Its number.</param>
public sealed class KillOperationOperation(long id) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/operations/kill").Add("id", id), missingIsResult: true);
}
