using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Disables databases, or enables them again; returns which of them it changed.</summary>
/// <param name="names">Their names.</param>
/// <param name="disable">Whether they are disabled.</param>
public sealed class ToggleDatabasesStateOperation(IReadOnlyList<string> names, bool disable)
    : IServerOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, $"/admin/databases/{(disable ? "disable" : "enable")}"),
            new RequestBody { DatabaseNames = names },
            json => json.GetProperty("Status").EnumerateArray().Where(one => one.GetProperty("Success").GetBoolean())
                .Select(one => one.GetProperty("Name").GetString()!).ToArray());
}
