using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Whether a definition differs from that on the server.</summary>
/// <param name="definition">The definition.</param>
public sealed class IndexHasChangedOperation(IndexDefinition definition) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/indexes/has-changed"), definition,
            json => json.GetProperty("Changed").GetBoolean());
}
