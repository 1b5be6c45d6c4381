using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>Reserves an id for an operation.</summary>
public sealed class GetNextOperationIdOperation : IMaintenanceOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/operations/next-operation-id"), json => json.GetProperty("Id").GetInt64());
}

/// <summary>Reads the state of an operation; null if the server does not know it, or no longer.</summary>
/// <param name="id">The id of the operation.</param>
public sealed class GetOperationStateOperation(long id) : IMaintenanceOperation<OperationState>
{
    /// <inheritdoc/>
    public RavenCommand<OperationState> GetCommand(DocumentConventions conventions) =>
        Operation.StateCommand(id);
}

/// <summary>Cancels an operation; false if the server does not know it.</summary>
/// <param name="id">The id of the operation.</param>
public sealed class KillOperationOperation(long id) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/operations/kill").Add("id", id), missingIsResult: true);
}
