using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Closes databases to everybody, or opens them again; says which of them it did.</summary>
/// <param name="names">Their names.</param>
/// <param name="disable">Whether they are closed.</param>
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
