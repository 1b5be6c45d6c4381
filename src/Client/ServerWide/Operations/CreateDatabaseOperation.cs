using System.Text.Json;
using Raven.Client.Documents.Conventions;
using Raven.Client.Http;

namespace Raven.Client.ServerWide.Operations;

/// <summary>Makes a database.</summary>
/// <param name="record">Its settings.</param>
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
