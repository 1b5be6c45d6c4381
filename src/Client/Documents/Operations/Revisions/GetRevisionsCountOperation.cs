using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>How many earlier versions of a document are kept.</summary>
/// <param name="id">The document.</param>
public sealed class GetRevisionsCountOperation(string id) : IOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) =>
        new CountRevisionsCommand(id);
}
