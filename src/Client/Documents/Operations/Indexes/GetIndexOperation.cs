using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>The definition of an index; null if there is none.</summary>
/// <param name="name">Its name.</param>
public sealed class GetIndexOperation(string name) : IMaintenanceOperation<IndexDefinition>
{
    /// <inheritdoc/>
    public RavenCommand<IndexDefinition> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes").Add("name", name),
            json => WireTypes.Read<IndexDefinition>(json.GetProperty("Results")[0]));
}
