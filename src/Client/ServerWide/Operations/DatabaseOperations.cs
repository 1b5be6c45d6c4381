using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Documents.Operations;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Creates a database.</summary>
/// <param name="record">The name and settings of the database.</param>
/// <remarks>
/// If a database of that name exists, the server answers with a <see cref="Exceptions.ConcurrencyException"/>.
/// </remarks>
public sealed class CreateDatabaseOperation(DatabaseRecord record) : IServerOperation<DatabasePutResult>
{
    /// <inheritdoc/>
    public RavenCommand<DatabasePutResult> GetCommand(DocumentConventions conventions) =>
        new SimpleCommand<DatabasePutResult>(
            node => new UrlBuilder(node, "/admin/databases").Add("name", record.DatabaseName)
                .ToRequest(HttpMethod.Put, JsonBody.Of(
                    JsonSerializer.SerializeToUtf8Bytes(record, ServerTypes.Default.DatabaseRecord))),
            response => new DatabasePutResult(response.ReadJson().GetProperty("Name").GetString()!), isRead: false);
}

/// <summary>Reads the names of the databases.</summary>
/// <param name="start">How many to skip.</param>
/// <param name="pageSize">The most to list.</param>
public sealed class GetDatabaseNamesOperation(int start, int pageSize) : IServerOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) => new SimpleCommand<string[]>(
        node => new UrlBuilder(node, "/databases").Add("start", start).Add("pageSize", pageSize)
            .Add("namesOnly", true).ToRequest(HttpMethod.Get),
        response =>
        [
            .. response.ReadJson().GetProperty("Databases").EnumerateArray().Select(name => name.GetString()!),
        ],
        isRead: true);
}

/// <summary>Frees the disk space that a database no longer needs, as an operation of that database.</summary>
/// <param name="name">The name of the database.</param>
public sealed class CompactDatabaseOperation(string name) : IServerOperation<OperationIdResult>
{
    /// <inheritdoc/>
    public RavenCommand<OperationIdResult> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/compact"),
            new RequestBody { DatabaseName = name, Documents = true },
            json => new OperationIdResult(json.GetProperty("OperationId").GetInt64()));
}

/// <summary>Sets whether databases may be deleted.</summary>
/// <param name="mode">Whether they may be deleted.</param>
/// <param name="names">The names of the databases.</param>
public sealed class SetDatabasesLockOperation(DatabaseLockMode mode, params string[] names) : IServerOperation<bool>
{
    /// <inheritdoc/>
    public RavenCommand<bool> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, "/admin/databases/set-lock"),
            new RequestBody { DatabaseNames = names, Mode = mode.ToString() });
}

/// <summary>Disables databases, or enables them again; returns which of them it changed.</summary>
/// <param name="names">The names of the databases.</param>
/// <param name="disable">Whether they are disabled.</param>
public sealed class ToggleDatabasesStateOperation(IReadOnlyList<string> names, bool disable)
    : IServerOperation<string[]>
{
    /// <inheritdoc/>
    public RavenCommand<string[]> GetCommand(DocumentConventions conventions) =>
        Requests.Send(
            HttpMethod.Post, node => new UrlBuilder(node, $"/admin/databases/{(disable ? "disable" : "enable")}"),
            new RequestBody { DatabaseNames = names },
            json => json.GetProperty("Status").EnumerateArray().Where(one => one.GetProperty("Success").GetBoolean())
                .Select(one => one.GetProperty("Name").GetString()!).ToArray());
}

/// <summary>A database that was created.</summary>
/// <param name="Name">The name of the database.</param>
public sealed record DatabasePutResult(string Name);
