using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Identities;

/// <summary>Reads all identities and their last values.</summary>
public sealed class GetIdentitiesOperation : IMaintenanceOperation<Dictionary<string, long>>
{
    /// <inheritdoc/>
    public RavenCommand<Dictionary<string, long>> GetCommand(DocumentConventions conventions) =>
        Requests.Get<Dictionary<string, long>>(node => new UrlBuilder(node, "/debug/identities"));
}

/// <summary>
/// Takes the next number of an identity. The server remembers the answer for ten minutes, so that a request that was
/// perhaps done is sent again, and takes no second number.
/// </summary>
/// <param name="name">The identity.</param>
public sealed class NextIdentityForOperation(string name) : IMaintenanceOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) => Requests.SendRemembered(
        (node, id) => new UrlBuilder(node, "/identity/next").Add("name", name).Add("raft-request-id", id),
        json => json.GetProperty("NewIdentityValue").GetInt64());
}

/// <summary>Sets an identity to a number, if that is larger.</summary>
/// <param name="name">The identity.</param>
/// <param name="value">The number.</param>
/// <param name="forceUpdate">Whether the identity is also set to a smaller number.</param>
public sealed class SeedIdentityForOperation(string name, long value, bool forceUpdate = false)
    : IMaintenanceOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) => new SimpleCommand<long>(
        node => new UrlBuilder(node, "/identity/seed").Add("name", name).Add("value", value).Add("force", forceUpdate)
            .ToRequest(HttpMethod.Post),
        response => response.ReadJson().GetProperty("NewSeedValue").GetInt64(), isRead: false);
}
