using Raven.Client.Documents.Commands;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Revisions;

/// <summary>Sets which revisions of documents are kept.</summary>
/// <param name="configuration">The configuration.</param>
public sealed class ConfigureRevisionsOperation(RevisionsConfiguration configuration) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/admin/revisions/config").ToRequest(
            HttpMethod.Post, JsonBody.Of(WireTypes.Write(configuration))),
        _ => true, isRead: false);
}

/// <summary>Reads which revisions of documents are kept; null if it is not configured.</summary>
public sealed class GetRevisionsConfigurationOperation : IMaintenanceOperation<RevisionsConfiguration>
{
    /// <inheritdoc/>
    public RavenCommand<RevisionsConfiguration> GetCommand(DocumentConventions conventions) =>
        Requests.Get<RevisionsConfiguration>(node => new UrlBuilder(node, "/revisions/config"));
}

/// <summary>Deletes the revisions that need not be kept.</summary>
/// <param name="collections">The collections; none for all.</param>
public sealed class EnforceRevisionsConfigurationOperation(params string[] collections)
    : IOperation<OperationIdResult>
{
    /// <inheritdoc/>
    public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/revisions/config/enforce"),
            new RequestBody { Collections = collections.Length == 0 ? null : collections },
            json => new OperationIdResult(json.GetProperty("OperationId").GetInt64()));
}

/// <summary>Counts the revisions of a document.</summary>
/// <param name="id">The document.</param>
public sealed class GetRevisionsCountOperation(string id) : IOperation<long>
{
    /// <inheritdoc/>
    public RavenCommand<long> GetCommand(DocumentConventions conventions) =>
        new CountRevisionsCommand(id);
}

/// <summary>Deletes the revisions of documents.</summary>
/// <param name="documentIds">The documents.</param>
public sealed class DeleteRevisionsOperation(params string[] documentIds) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Delete, node => new UrlBuilder(node, "/admin/revisions"),
            new RequestBody { DocumentIds = documentIds });
}

/// <summary>Restores the versions that documents had at a given time.</summary>
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
