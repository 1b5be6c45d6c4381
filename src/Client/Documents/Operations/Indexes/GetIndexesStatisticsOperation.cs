using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>The state and counts of all indexes.</summary>
public sealed class GetIndexesStatisticsOperation : IMaintenanceOperation<IndexStats[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexStats[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/stats"),
            json => WireTypes.Read<IndexStats[]>(json.GetProperty("Results")));
}
