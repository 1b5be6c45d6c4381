using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Makes indexes, or changes them.</summary>
/// <param name="definitions">Their definitions.</param>
public sealed class PutIndexesOperation(params IndexDefinition[] definitions) : IMaintenanceOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) => new SimpleCommand<string[]>(
        node => new UrlBuilder(node, "/admin/indexes").ToRequest(
            HttpMethod.Put, JsonBody.Of(WireTypes.Write(new RequestBody { Indexes = definitions }))),
        response =>
        [
            .. response.ReadJson().GetProperty("Results").EnumerateArray()
                .Select(result => result.GetProperty("Index").GetString()!),
        ],
        isRead: false);
}
