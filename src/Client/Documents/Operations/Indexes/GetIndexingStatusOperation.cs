using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Which indexes run.</summary>
public sealed class GetIndexingStatusOperation : IMaintenanceOperation<IndexingStatus>
{
    /// <inheritdoc/>
    public RavenCommand<IndexingStatus> GetCommand(DocumentConventions conventions) =>
        Requests.Get<IndexingStatus>(node => new UrlBuilder(node, "/indexes/status"));
}
