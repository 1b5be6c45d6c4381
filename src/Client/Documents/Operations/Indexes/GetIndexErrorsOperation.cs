using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Documents that indexes failed to index.</summary>
/// <param name="names">The indexes; none for all.</param>
public sealed class GetIndexErrorsOperation(params string[] names) : IMaintenanceOperation<IndexErrors[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexErrors[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/errors").AddAll("name", names),
            json => WireTypes.Read<IndexErrors[]>(json.GetProperty("Results")));
}
