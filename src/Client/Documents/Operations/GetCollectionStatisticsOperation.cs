using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>How many documents each collection has.</summary>
public sealed class GetCollectionStatisticsOperation : IMaintenanceOperation<CollectionStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<CollectionStatistics> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<CollectionStatistics>(
            node => new UrlBuilder(node, "/collections/stats").ToRequest(HttpMethod.Get),
            response => WireTypes.Read<CollectionStatistics>(response.ReadJson()), isRead: true);
}
