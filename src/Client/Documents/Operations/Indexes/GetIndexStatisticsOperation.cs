using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>The state and counts of an index; fails with IndexDoesNotExistException if there is none.</summary>
/// <param name="name">Its name.</param>
public sealed class GetIndexStatisticsOperation(string name) : IMaintenanceOperation<IndexStats>
{
    /// <inheritdoc/>
    public RavenCommand<IndexStats> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/stats").Add("name", name),
            json => WireTypes.Read<IndexStats>(json.GetProperty("Results")[0]));
}
