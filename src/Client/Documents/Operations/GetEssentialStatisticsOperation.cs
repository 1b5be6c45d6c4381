using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations;

/// <summary>What the database holds, in short.</summary>
public sealed class GetEssentialStatisticsOperation : IMaintenanceOperation<EssentialDatabaseStatistics>
{
    /// <inheritdoc/>
    public RavenCommand<EssentialDatabaseStatistics> GetCommand(DocumentConventions conventions) =>
        Requests.Get<EssentialDatabaseStatistics>(node => new UrlBuilder(node, "/stats/essential"));
}
