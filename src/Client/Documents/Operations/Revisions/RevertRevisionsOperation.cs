using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Restores the version that documents had at a time.</summary>
/// <param name="time">The time, UTC.</param>
/// <param name="collections">The collections; none for all.</param>
public sealed class RevertRevisionsOperation(DateTime time, params string[] collections)
    : IOperation<OperationIdResult>
{
    /// <inheritdoc/>
    public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/revisions/revert"),
            new RequestBody { Time = time, Collections = collections.Length == 0 ? null : collections },
            json => new OperationIdResult(json.GetProperty("OperationId").GetInt64()));
}
