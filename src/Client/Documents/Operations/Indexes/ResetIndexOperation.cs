using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>
/// Deletes the content of an index, and indexes all documents again; fails with IndexDoesNotExistException if there
/// is none.
/// </summary>
/// <param name="name">Its name.</param>
public sealed class ResetIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            new HttpMethod("RESET"), node => new UrlBuilder(node, "/indexes").Add("name", name),
            missingIsResult: true);
}
