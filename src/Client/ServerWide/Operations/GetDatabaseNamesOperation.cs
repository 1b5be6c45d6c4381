using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>The names of the databases.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to list.</param>
public sealed class GetDatabaseNamesOperation(int start, int pageSize) : IServerOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) => new SimpleCommand<string[]>(
        node => new UrlBuilder(node, "/databases").Add("start", start).Add("pageSize", pageSize)
            .Add("namesOnly", true).ToRequest(HttpMethod.Get),
        response =>
        [
            .. response.ReadJson().GetProperty("Databases").EnumerateArray().Select(name => name.GetString()!),
        ],
        isRead: true);
}
