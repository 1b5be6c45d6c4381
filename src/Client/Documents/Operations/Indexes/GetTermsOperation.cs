using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>
/// The terms of a field of an index, in their order; fails with IndexDoesNotExistException if there is no such index.
/// </summary>
/// <param name="indexName">The index.</param>
/// <param name="field">The field.</param>
/// <param name="fromValue">The term behind which to begin.</param>
/// <param name="pageSize">The most to read.</param>
public sealed class GetTermsOperation(string indexName, string field, string? fromValue = null, int? pageSize = null)
    : IMaintenanceOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/terms").Add("name", indexName).Add("field", field)
                .Add("fromValue", fromValue).Add("pageSize", pageSize),
            json => WireTypes.Read<string[]>(json.GetProperty("Terms")));
}
