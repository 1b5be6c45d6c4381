using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Identities;

/// <summary>Sets an identity to a number, if that is larger.</summary>
/// <param name="name">The identity.</param>
/// <param name="value">The number.</param>
/// <param name="forceUpdate">Whether also to a smaller one.</param>
public sealed class SeedIdentityForOperation(string name, long value, bool forceUpdate = false)
    : IMaintenanceOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) => new SimpleCommand<long>(
        node => new UrlBuilder(node, "/identity/seed").Add("name", name).Add("value", value).Add("force", forceUpdate)
            .ToRequest(HttpMethod.Post),
        response => response.ReadJson().GetProperty("NewSeedValue").GetInt64(), isRead: false);
}
