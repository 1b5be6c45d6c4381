using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>How far an operation is; null if the server does not know it, or has forgotten.</summary>
/// <param name="id">Its number.</param>
public sealed class GetOperationStateOperation(long id) : IMaintenanceOperation<OperationState>
{
    /// <inheritdoc/>
    public RavenCommand<OperationState> GetCommand(DocumentConventions conventions) =>
        Operation.StateCommand(id);
}
