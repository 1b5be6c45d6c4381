using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>What the database holds.</summary>
public sealed class GetStatisticsOperation : IMaintenanceOperation<DatabaseStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<DatabaseStatistics> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<DatabaseStatistics>(
            node => new UrlBuilder(node, "/stats").ToRequest(HttpMethod.Get),
            response => WireTypes.Read<DatabaseStatistics>(response.ReadJson()), isRead: true);
}
