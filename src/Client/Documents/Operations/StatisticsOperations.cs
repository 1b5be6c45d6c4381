using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>Reads counts of what the database holds.</summary>
public sealed class GetStatisticsOperation : IMaintenanceOperation<DatabaseStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<DatabaseStatistics> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<DatabaseStatistics>(
            node => new UrlBuilder(node, "/stats").ToRequest(HttpMethod.Get),
            response => WireTypes.Read<DatabaseStatistics>(response.ReadJson()), isRead: true);
}

/// <summary>Reads counts of what the database holds, in more detail.</summary>
public sealed class GetDetailedStatisticsOperation : IMaintenanceOperation<DetailedDatabaseStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<DetailedDatabaseStatistics> GetCommand(DocumentConventions conventions) =>
        Requests.Get<DetailedDatabaseStatistics>(node => new UrlBuilder(node, "/stats/detailed"));
}

/// <summary>Reads counts of what the database holds, in short.</summary>
public sealed class GetEssentialStatisticsOperation : IMaintenanceOperation<EssentialDatabaseStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<EssentialDatabaseStatistics> GetCommand(DocumentConventions conventions) =>
        Requests.Get<EssentialDatabaseStatistics>(node => new UrlBuilder(node, "/stats/essential"));
}

/// <summary>Reads how many documents each collection has.</summary>
public sealed class GetCollectionStatisticsOperation : IMaintenanceOperation<CollectionStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<CollectionStatistics> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<CollectionStatistics>(
            node => new UrlBuilder(node, "/collections/stats").ToRequest(HttpMethod.Get),
            response => WireTypes.Read<CollectionStatistics>(response.ReadJson()), isRead: true);
}
