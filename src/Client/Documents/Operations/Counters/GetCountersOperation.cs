using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Counters;

/// <summary>Reads the values of counters of a document; all of them if none is named.</summary>
/// <param name="documentId">The document.</param>
/// <param name="names">The counters.</param>
public sealed class GetCountersOperation(string documentId, params string[] names)
    : IOperation<Dictionary<string, long?>>
{
    /// <inheritdoc/>
    public RavenCommand<Dictionary<string, long?>> GetCommand(DocumentConventions conventions) =>
        new GetCountersCommand(documentId, names);
}
