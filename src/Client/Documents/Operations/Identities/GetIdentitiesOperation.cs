using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Identities;

/// <summary>All identities and their last values.</summary>
public sealed class GetIdentitiesOperation : IMaintenanceOperation<Dictionary<string, long>>
{
    /// <inheritdoc/>
    public RavenCommand<Dictionary<string, long>> GetCommand(DocumentConventions conventions) =>
        Requests.Get<Dictionary<string, long>>(node => new UrlBuilder(node, "/debug/identities"));
}
