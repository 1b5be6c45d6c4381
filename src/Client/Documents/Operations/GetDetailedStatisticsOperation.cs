using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>What the database holds, in more detail.</summary>
public sealed class GetDetailedStatisticsOperation : IMaintenanceOperation<DetailedDatabaseStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<DetailedDatabaseStatistics> GetCommand(DocumentConventions conventions) =>
        Requests.Get<DetailedDatabaseStatistics>(node => new UrlBuilder(node, "/stats/detailed"));
}
