using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Sets whether databases may be deleted.</summary>
/// <param name="mode">The mode.</param>
/// <param name="names">Their names.</param>
public sealed class SetDatabasesLockOperation(DatabaseLockMode mode, params string[] names) : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/databases/set-lock"),
            new RequestBody { DatabaseNames = names, Mode = mode.ToString() });
}
