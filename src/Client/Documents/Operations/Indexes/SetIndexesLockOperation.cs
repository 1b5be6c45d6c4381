using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Sets what happens to other definitions of indexes.</summary>
/// <param name="mode">The mode.</param>
/// <param name="names">Their names.</param>
public sealed class SetIndexesLockOperation(IndexLockMode mode, params string[] names) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/indexes/set-lock"),
            new RequestBody { IndexNames = names, Mode = mode.ToString() });
}
