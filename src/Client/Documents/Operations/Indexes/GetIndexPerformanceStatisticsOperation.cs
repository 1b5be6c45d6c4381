using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>How long the batches of indexes took.</summary>
/// <param name="names">The indexes; none for all.</param>
public sealed class GetIndexPerformanceStatisticsOperation(params string[] names)
    : IMaintenanceOperation<IndexPerformanceStats[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexPerformanceStats[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/performance").AddAll("name", names),
            json => WireTypes.Read<IndexPerformanceStats[]>(json.GetProperty("Results")));
}
