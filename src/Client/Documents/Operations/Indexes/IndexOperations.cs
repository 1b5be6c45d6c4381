using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Indexes;
using Raven.Client.Http;

namespace Raven.Client.Documents.Operations.Indexes;

/// <summary>Creates or changes indexes.</summary>
/// <param name="definitions">The definitions of the indexes.</param>
public sealed class PutIndexesOperation(params IndexDefinition[] definitions) : IMaintenanceOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) => new SimpleCommand<string[]>(
        node => new UrlBuilder(node, "/admin/indexes").ToRequest(
            HttpMethod.Put, JsonBody.Of(WireTypes.Write(new RequestBody { Indexes = definitions }))),
        response =>
        [
            .. response.ReadJson().GetProperty("Results").EnumerateArray()
                .Select(result => result.GetProperty("Index").GetString()!),
        ],
        isRead: false);
}

/// <summary>Reads the definition of an index; null if there is none.</summary>
/// <param name="name">The name of the index.</param>
public sealed class GetIndexOperation(string name) : IMaintenanceOperation<IndexDefinition>
{
    /// <inheritdoc/>
    public RavenCommand<IndexDefinition> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes").Add("name", name),
            json => WireTypes.Read<IndexDefinition>(json.GetProperty("Results")[0]));
}

/// <summary>Reads the definitions of indexes.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to read.</param>
public sealed class GetIndexesOperation(int start, int pageSize) : IMaintenanceOperation<IndexDefinition[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexDefinition[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes").Add("start", start).Add("pageSize", pageSize),
            json => WireTypes.Read<IndexDefinition[]>(json.GetProperty("Results")));
}

/// <summary>Reads the names of the indexes.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to list.</param>
public sealed class GetIndexNamesOperation(int start, int pageSize) : IMaintenanceOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) => new SimpleCommand<string[]>(
        node => new UrlBuilder(node, "/indexes").Add("start", start).Add("pageSize", pageSize)
            .Add("namesOnly", true).ToRequest(HttpMethod.Get),
        response =>
        [
            .. response.ReadJson().GetProperty("Results").EnumerateArray().Select(name => name.GetString()!),
        ],
        isRead: true);
}

/// <summary>Asks whether a definition differs from that on the server.</summary>
/// <param name="definition">The definition.</param>
public sealed class IndexHasChangedOperation(IndexDefinition definition) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/indexes/has-changed"), definition,
            json => json.GetProperty("Changed").GetBoolean());
}

/// <summary>Deletes an index; does nothing if there is none.</summary>
/// <param name="name">The name of the index.</param>
public sealed class DeleteIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) => new SimpleCommand<bool>(
        node => new UrlBuilder(node, "/indexes").Add("name", name).ToRequest(HttpMethod.Delete),
        response => !response.IsNotFound, isRead: false)
    { NotFoundIsResult = true };
}

/// <summary>
/// Deletes the content of an index, and indexes all documents again; fails with IndexDoesNotExistException if there
/// is none.
/// </summary>
/// <param name="name">The name of the index.</param>
public sealed class ResetIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            new HttpMethod("RESET"), node => new UrlBuilder(node, "/indexes").Add("name", name),
            missingIsResult: true);
}

/// <summary>Sets what the server does with different definitions of indexes.</summary>
/// <param name="mode">What the server does with them.</param>
/// <param name="names">The names of the indexes.</param>
public sealed class SetIndexesLockOperation(IndexLockMode mode, params string[] names) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/indexes/set-lock"),
            new RequestBody { IndexNames = names, Mode = mode.ToString() });
}

/// <summary>Sets which indexes run first.</summary>
/// <param name="priority">Their priority.</param>
/// <param name="names">The names of the indexes.</param>
public sealed class SetIndexesPriorityOperation(IndexPriority priority, params string[] names)
    : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/indexes/set-priority"),
            new RequestBody { IndexNames = names, Priority = priority });
}

/// <summary>Ends the pause of an index.</summary>
/// <param name="name">The name of the index.</param>
public sealed class StartIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/start").Add("name", name));
}

/// <summary>Pauses an index, until it is started or the server restarts.</summary>
/// <param name="name">The name of the index.</param>
public sealed class StopIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/stop").Add("name", name));
}

/// <summary>Ends the pause of all indexes.</summary>
public sealed class StartIndexingOperation : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/start"));
}

/// <summary>Pauses all indexes, until they are started or the server restarts.</summary>
public sealed class StopIndexingOperation : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/stop"));
}

/// <summary>Enables an index that was disabled.</summary>
/// <param name="name">The name of the index.</param>
public sealed class EnableIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/enable").Add("name", name));
}

/// <summary>Disables an index, also after a restart.</summary>
/// <param name="name">The name of the index.</param>
public sealed class DisableIndexOperation(string name) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/indexes/disable").Add("name", name));
}

/// <summary>Reads which indexes run.</summary>
public sealed class GetIndexingStatusOperation : IMaintenanceOperation<IndexingStatus>
{
    /// <inheritdoc/>
    public RavenCommand<IndexingStatus> GetCommand(DocumentConventions conventions) =>
        Requests.Get<IndexingStatus>(node => new UrlBuilder(node, "/indexes/status"));
}

/// <summary>Reads the state and counts of an index; fails with IndexDoesNotExistException if there is none.</summary>
/// <param name="name">The name of the index.</param>
public sealed class GetIndexStatisticsOperation(string name) : IMaintenanceOperation<IndexStats>
{
    /// <inheritdoc/>
    public RavenCommand<IndexStats> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/stats").Add("name", name),
            json => WireTypes.Read<IndexStats>(json.GetProperty("Results")[0]));
}

/// <summary>Reads the state and counts of all indexes.</summary>
public sealed class GetIndexesStatisticsOperation : IMaintenanceOperation<IndexStats[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexStats[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/stats"),
            json => WireTypes.Read<IndexStats[]>(json.GetProperty("Results")));
}

/// <summary>Asks whether an index is stale, and why; fails with IndexDoesNotExistException if there is none.</summary>
/// <param name="name">The name of the index.</param>
public sealed class GetIndexStalenessOperation(string name) : IMaintenanceOperation<IndexStaleness>
{
    /// <inheritdoc/>
    public RavenCommand<IndexStaleness> GetCommand(DocumentConventions conventions) =>
        Requests.Get<IndexStaleness>(
            node => new UrlBuilder(node, "/indexes/staleness").Add("name", name));
}

/// <summary>Reads how long the batches of indexes took.</summary>
/// <param name="names">The indexes; none for all.</param>
public sealed class GetIndexPerformanceStatisticsOperation(params string[] names)
    : IMaintenanceOperation<IndexPerformanceStats[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexPerformanceStats[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/performance").AddAll("name", names),
            json => WireTypes.Read<IndexPerformanceStats[]>(json.GetProperty("Results")));
}

/// <summary>Reads the errors of indexes: the documents that could not be indexed.</summary>
/// <param name="names">The indexes; none for all.</param>
public sealed class GetIndexErrorsOperation(params string[] names) : IMaintenanceOperation<IndexErrors[]>
{
    /// <inheritdoc/>
    public RavenCommand<IndexErrors[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/errors").AddAll("name", names),
            json => WireTypes.Read<IndexErrors[]>(json.GetProperty("Results")));
}

/// <summary>Deletes the errors of indexes.</summary>
/// <param name="names">The indexes; none for all.</param>
public sealed class DeleteIndexErrorsOperation(params string[] names) : IMaintenanceOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(HttpMethod.Delete, node => new UrlBuilder(node, "/indexes/errors").AddAll("name", names));
}

/// <summary>
/// Reads the terms of a field of an index, in their order; fails with IndexDoesNotExistException if there is
/// no such index.
/// </summary>
/// <param name="indexName">The index.</param>
/// <param name="field">The field.</param>
/// <param name="fromValue">The term after which to begin; null begins with the first.</param>
/// <param name="pageSize">The most to read.</param>
public sealed class GetTermsOperation(string indexName, string field, string? fromValue = null, int? pageSize = null)
    : IMaintenanceOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) =>
        Requests.Get(
            node => new UrlBuilder(node, "/indexes/terms").Add("name", indexName).Add("field", field)
                .Add("fromValue", fromValue).Add("pageSize", pageSize),
            json => WireTypes.Read<string[]>(json.GetProperty("Terms")));
}
