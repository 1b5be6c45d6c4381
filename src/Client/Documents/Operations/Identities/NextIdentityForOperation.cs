using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Identities;

/// <summary>Takes the next number of an identity.</summary>
/// <param name="name">The identity.</param>
public sealed class NextIdentityForOperation(string name) : IMaintenanceOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) => new SimpleCommand<long>(
        node => new UrlBuilder(node, "/identity/next").Add("name", name).ToRequest(HttpMethod.Post),
        response => response.ReadJson().GetProperty("NewIdentityValue").GetInt64(), isRead: false);
}
