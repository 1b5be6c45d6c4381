using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>The definitions of indexes.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to read.</param>
public sealed class GetIndexesOperation(int start, int pageSize) : IMaintenanceOperation<IndexDefinition[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexDefinition[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes").Add("start", start).Add("pageSize", pageSize),
            json => WireTypes.Read<IndexDefinition[]>(json.GetProperty("Results")));
}
