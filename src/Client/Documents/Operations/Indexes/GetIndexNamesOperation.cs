using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>The names of the indexes.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to list.</param>
public sealed class GetIndexNamesOperation(int start, int pageSize) : IMaintenanceOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) => new SimpleCommand<string[]>(
        node => new UrlBuilder(node, "/indexes").Add("start", start).Add("pageSize", pageSize)
            .Add("namesOnly", true).ToRequest(HttpMethod.Get),
        response =>
        [
            .. response.ReadJson().GetProperty("Results").EnumerateArray().Select(name => name.GetString()!),
        ],
        isRead: true);
}
