using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Forgets the errors of indexes.</summary>
/// <param name="names">The indexes; none for all.</param>
public sealed class DeleteIndexErrorsOperation(params string[] names) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(HttpMethod.Delete, node => new UrlBuilder(node, "/indexes/errors").AddAll("name", names));
}
