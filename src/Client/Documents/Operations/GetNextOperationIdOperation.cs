using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>A number for an operation.</summary>
public sealed class GetNextOperationIdOperation : IMaintenanceOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/operations/next-operation-id"), json => json.GetProperty("Id").GetInt64());
}
