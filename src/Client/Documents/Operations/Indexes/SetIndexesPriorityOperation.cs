using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Sets which indexes run first.</summary>
/// <param name="priority">Their priority.</param>
/// <param name="names">Their names.</param>
public sealed class SetIndexesPriorityOperation(IndexPriority priority, params string[] names)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/indexes/set-priority"),
            new RequestBody { IndexNames = names, Priority = priority });
}
