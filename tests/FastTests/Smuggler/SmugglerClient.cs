using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>The requests of an official client for exports and imports.</summary>
internal static class SmugglerClient
{
    /// <summary>All kinds of data, deletions too.</summary>
    internal const string Everything =
        "DatabaseRecord,Documents,RevisionDocuments,Attachments,Tombstones,CounterGroups,Indexes,Identities,"
        + "CompareExchange,CompareExchangeTombstones,Subscriptions";

    /// <summary>Exports a database.</summary>
    internal static async Task<byte[]> ExportAsync(
        this TestServer server, string database = TestServer.Database, string options = "{}")
    {
        HttpAnswer answer = await server.SendAsync("POST", $"/databases/{database}/smuggler/export", options);
        Assert.Empty(answer.Message.Content.Headers.ContentEncoding);
        return answer.Expect(HttpStatusCode.OK).Bytes;
    }

    /// <summary>Imports a dump as a client does, and gives the result of its operation.</summary>
    internal static async Task<JsonNode> ImportAsync(
        this TestServer server, byte[] dump, string database = TestServer.Database, string options = "{}")
    {
        long id = await server.NextOperationAsync(database);
        (await server.SendImportAsync(dump, database, options, id)).Expect(HttpStatusCode.OK);
        JsonNode state = await server.StateAsync(id, database);
        Assert.Equal("Completed", (string?)state["Status"]);
        return state["Result"]!;
    }

    /// <summary>Sends an import.</summary>
    internal static async Task<HttpAnswer> SendImportAsync(
        this TestServer server, byte[] dump, string database = TestServer.Database, string options = "{}",
        long? operation = null)
    {
        using var body = new MultipartFormDataContent
        {
            { new StringContent(options, Encoding.UTF8), "importOptions" },
            { new ByteArrayContent(dump), "name", "blob" },
        };
        string id = operation is null ? "" : $"?operationId={operation}";
        return await server.SendAsync("POST", $"/databases/{database}/smuggler/import{id}", body);
    }

    internal static async Task<long> NextOperationAsync(this TestServer server, string database) =>
        (long)(await server.SendAsync("GET", $"/databases/{database}/operations/next-operation-id"))
            .Expect(HttpStatusCode.OK).Json["Id"]!;

    internal static async Task<JsonNode> StateAsync(
        this TestServer server, long operation, string database = TestServer.Database) =>
        (await server.SendAsync("GET", $"/databases/{database}/operations/state?id={operation}"))
            .Expect(HttpStatusCode.OK).Json;

    internal static async Task CreateAsync(this TestServer server, string database) =>
        (await server.SendAsync("PUT", $"/admin/databases?name={database}", $"{{\"DatabaseName\":\"{database}\"}}"))
            .Expect(HttpStatusCode.Created);
}
