using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;

namespace Shared.Backups;

/// <summary>
/// A random database with everything that a database has, backed up in a chain, and restored to each file: what is
/// restored is what was there.
/// </summary>
/// <param name="send">Sends a request to the server: method, path, body; gives the status and the body.</param>
/// <param name="ended">Waits for the end of an operation.</param>
/// <param name="target">Where the backups go.</param>
internal sealed class BackupHistory(
    Func<string, string, string?, Task<(int Status, byte[] Body)>> send, Func<long, Task> ended, BackupTarget target)
{
    private const string Everything =
        "DatabaseRecord,Documents,RevisionDocuments,Attachments,Tombstones,CounterGroups,Indexes,Identities,"
        + "CompareExchange,CompareExchangeTombstones,Subscriptions";

    /// <summary>Plays one.</summary>
    /// <param name="name">The name of the database, which is made.</param>
    /// <param name="seed">Gives all of it.</param>
    /// <param name="length">How many files the chain has.</param>
    internal async Task PlayAsync(string name, int seed, int length)
    {
        var random = new Random(seed);
        await ExpectAsync(201, "PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}""");
        await ConfigureAsync(name);
        string key = Convert.ToBase64String([.. Enumerable.Range(seed, 32).Select(i => (byte)i)]);
        long task = await PutTaskAsync(name, seed, key);
        List<(string File, string State)> chain = [];
        for (int i = 0; i < length; i++)
        {
            await ChangeAsync(name, random, 12);
            JsonNode result = await EndAsync(await ExpectAsync(
                200, "POST", $"/databases/{name}/admin/backup/database?isFullBackup=false&taskId={task}"));
            Assert.Equal(i == 0, (bool)result["IsFull"]!);
            chain.Add(((string)result["LocalBackup"]!["FileName"]!, await ReadAsync(name)));
        }

        await ChangeAsync(name, random, 5);
        JsonNode status = await ExpectAsync(200, "GET", $"/periodic-backup/status?name={name}&taskId={task}");
        string folder = (string)status["Status"]!["FolderName"]!;
        for (int i = 0; i < length; i++)
        {
            string copy = $"{name}-{i}";
            string secret = IsEncrypted(seed) ? $",\"EncryptionKey\":\"{key}\"" : "";
            await EndAsync(await ExpectAsync(
                200, "POST", "/admin/restore/database",
                $$"""
                {"DatabaseName":"{{copy}}","LastFileNameToRestore":"{{chain[i].File}}"
                 {{target.Source(name, folder)}}{{secret}}}
                """));
            string state = await ReadAsync(copy);
            Assert.True(chain[i].State == state, $"Seed {seed}, file {i} of {length}: another state.");
            await ExpectAsync(201, "PUT", $"/databases/{copy}/docs?id=new", "{}");
        }

        string[] names = [name, .. Enumerable.Range(0, length).Select(i => $"{name}-{i}")];
        await ExpectAsync(
            200, "DELETE", "/admin/databases",
            $$"""{"HardDelete":true,"DatabaseNames":[{{string.Join(',', names.Select(one => $"\"{one}\""))}}]}""");
    }

    private static bool IsEncrypted(int seed) => seed % 4 == 0;

    private async Task<long> PutTaskAsync(string name, int seed, string key)
    {
        string type = seed % 2 == 0 ? "Snapshot" : "Backup";
        string packed = (seed % 3) switch
        {
            0 => ",\"SnapshotSettings\":{\"CompressionAlgorithm\":\"Deflate\"}",
            1 => ",\"SnapshotSettings\":{\"CompressionLevel\":\"NoCompression\"}",
            _ => "",
        };
        string encryption = IsEncrypted(seed)
            ? $",\"BackupEncryptionSettings\":{{\"EncryptionMode\":\"UseProvidedKey\",\"Key\":\"{key}\"}}"
            : "";
        JsonNode answer = await ExpectAsync(
            200, "POST", $"/databases/{name}/admin/periodic-backup",
            $$"""
            {"Name":"random","FullBackupFrequency":"0 1 1 1 *","BackupType":"{{type}}"
             {{target.Settings(name)}}{{packed}}{{encryption}}}
            """);
        return (long)answer["TaskId"]!;
    }

    private async Task<JsonNode> ExpectAsync(int status, string method, string path, string? body = null)
    {
        (int got, byte[] bytes) = await send(method, path, body);
        Assert.True(got == status, $"{method} {path}: {got} instead of {status}: {Encoding.UTF8.GetString(bytes)}");
        return bytes.Length == 0 || bytes[0] != '{' ? new JsonObject() : JsonNode.Parse(bytes)!;
    }

    /// <summary>The result of an operation, which must end well.</summary>
    private async Task<JsonNode> EndAsync(JsonNode started)
    {
        long id = (long)started["OperationId"]!;
        await ended(id);
        JsonNode state = await ExpectAsync(200, "GET", $"/operations/state?id={id}");
        return (string?)state["Status"] == "Completed"
            ? state["Result"]!
            : throw new InvalidOperationException(state.ToJsonString());
    }

    private async Task ConfigureAsync(string name)
    {
        await ExpectAsync(
            200, "POST", $"/databases/{name}/admin/revisions/config",
            """{"Default":{"Disabled":false,"MinimumRevisionsToKeep":2}}""");
        await ExpectAsync(
            200, "POST", $"/databases/{name}/admin/expiration/config",
            """{"Disabled":false,"DeleteFrequencyInSec":86400}""");
        await ExpectAsync(
            201, "PUT", $"/databases/{name}/subscriptions", """{"Name":"news","Query":"from Users"}""");
    }

    private async Task ChangeAsync(string name, Random random, int count)
    {
        string database = $"/databases/{name}";
        List<string> commands = [];
        for (int i = 0; i < count; i++)
        {
            string id = $"d/{random.Next(8)}";
            commands.Add(random.Next(5) switch
            {
                0 => $$"""{"Id":"{{id}}","Type":"DELETE"}""",
                1 => Put(id, random) + $$"""
                    ,{"Id":"{{id}}","Type":"Counters","Counters":{"DocumentId":"{{id}}","Operations":[
                      {"Type":"Increment","CounterName":"n{{random.Next(3)}}","Delta":{{random.Next(9)}}}] } }
                    """,
                2 => Put(id, random) + $$"""
                    ,{"Id":"{{id}}","Type":"TimeSeries","TimeSeries":{"Name":"Heart","Appends":[
                      {"Timestamp":"2026-01-0{{random.Next(1, 9)}}T00:00:00.0000000Z",
                       "Values":[{{random.Next(99)}}]}] } }
                    """,
                _ => Put(id, random),
            });
        }

        foreach (string[] batch in commands.Chunk(4))
        {
            await ExpectAsync(
                201, "POST", $"{database}/bulk_docs", $$"""{"Commands":[{{string.Join(",", batch)}}]}""");
        }

        await ExpectAsync(200, "PUT", $"{database}/cmpxchg?key=k{random.Next(4)}&index=0", """{"Object":1}""");
        await send("DELETE", $"{database}/cmpxchg?key=k{random.Next(4)}&index=-1", null);
        await ExpectAsync(200, "POST", $"{database}/identity/next?name=users%7C");
        await ExpectAsync(
            201, "PUT", $"{database}/docs?id=d/0", """{"@metadata":{"@collection":"Users"}}""");
        await ExpectAsync(
            201, "PUT", $"{database}/attachments?id=d/0&name=a{random.Next(3)}",
            $"\"{new string('x', random.Next(100_000))}\"");
    }

    private static string Put(string id, Random random) => $$$"""
        {"Id":"{{{id}}}","Type":"PUT","Document":{
         "N":{{{random.Next()}}},"Text":"{{{new string('t', random.Next(900))}}}",
         "@metadata":{"@collection":"{{{(random.Next(2) == 0 ? "Users" : "Orders")}}}"} } }
        """;

    /// <summary>A dump of all there is, and what dumps do not have.</summary>
    private async Task<string> ReadAsync(string name)
    {
        (int status, byte[] dump) = await send(
            "POST", $"/databases/{name}/smuggler/export", $$"""{"OperateOnTypes":"{{Everything}}"}""");
        Assert.Equal(200, status);
        using var gzip = new GZipStream(new MemoryStream(dump), CompressionMode.Decompress);
        var text = new StringBuilder(await new StreamReader(gzip, Encoding.Latin1).ReadToEndAsync());
        for (int i = 0; i < 8; i++)
        {
            text.Append('\n').Append(await TextAsync($"/databases/{name}/timeseries?docId=d/{i}&name=Heart"));
        }

        text.Append('\n').Append(await TextAsync($"/databases/{name}/feed?deletes=true&docs=false&limit=1000"));
        return text.ToString().Replace($"\"{name}\"", "\"name\"", StringComparison.Ordinal)
            .Replace($"/{name}/", "/name/", StringComparison.Ordinal);
    }

    private async Task<string> TextAsync(string path) =>
        Encoding.UTF8.GetString((await send("GET", path, null)).Body);
}
