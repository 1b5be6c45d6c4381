using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>
/// Whether an index is behind the documents, and why; fails with IndexDoesNotExistException if there is none.
/// </summary>
/// <param name="name">Its name.</param>
public sealed class GetIndexStalenessOperation(string name) : IMaintenanceOperation<IndexStaleness>
{
    /// <inheritdoc/>
    public RavenCommand<IndexStaleness> GetCommand(DocumentConventions conventions) =>
        Requests.Get<IndexStaleness>(
            node => new UrlBuilder(node, "/indexes/staleness").Add("name", name));
}
