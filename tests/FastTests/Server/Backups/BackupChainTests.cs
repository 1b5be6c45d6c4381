using System.IO.Compression;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server.Backups;

/// <summary>Random databases with everything that a database has, backed up in chains, and restored to each file.
/// </summary>
public sealed class BackupChainTests(BackupServer backups) : IClassFixture<BackupServer>
{
    private const int ChainLength = 3;

    private const string Everything =
        "DatabaseRecord,Documents,RevisionDocuments,Attachments,Tombstones,CounterGroups,Indexes,Identities,"
        + "CompareExchange,CompareExchangeTombstones,Subscriptions";

    public static TheoryData<int> Seeds => [.. Enumerable.Range(1, 20)];

    [Theory]
    [Trait("Row", "71")]
    [MemberData(nameof(Seeds))]
    public async Task Each_file_of_a_chain_restores_the_state_of_its_time(int seed)
    {
        var random = new Random(seed);
        string name = $"r{seed}";
        await backups.CreateAsync(name);
        await ConfigureAsync(name);
        string type = seed % 2 == 0 ? "Snapshot" : "Backup";
        string packed = seed % 3 == 0 ? ",\"SnapshotSettings\":{\"CompressionAlgorithm\":\"Deflate\"}" : "";
        string key = Convert.ToBase64String(Enumerable.Range(seed, 32).Select(i => (byte)i).ToArray());
        string encryption = seed % 4 == 0
            ? $",\"BackupEncryptionSettings\":{{\"EncryptionMode\":\"UseProvidedKey\",\"Key\":\"{key}\"}}"
            : "";
        long task = await backups.PutTaskAsync(name, $",\"BackupType\":\"{type}\"{packed}{encryption}");
        List<(string File, string State)> chain = [];
        for (int i = 0; i < ChainLength; i++)
        {
            await ChangeAsync(name, random, 12);
            JsonNode state = await backups.RunAsync(name, task, isFull: false);
            Assert.Equal(i == 0, (bool)state["Result"]!["IsFull"]!);
            chain.Add(((string)state["Result"]!["LocalBackup"]!["FileName"]!, await ReadAsync(name)));
        }

        await ChangeAsync(name, random, 5);
        for (int i = 0; i < ChainLength; i++)
        {
            string copy = $"{name}-{i}";
            string secret = encryption.Length > 0 ? $",\"EncryptionKey\":\"{key}\"" : "";
            await backups.RestoreAsync(
                copy, backups.LastFolder(name), $",\"LastFileNameToRestore\":\"{chain[i].File}\"{secret}");
            Assert.Equal(chain[i].State, await ReadAsync(copy));
            (await backups.SendAsync("PUT", $"/databases/{copy}/docs?id=new", "{}")).Expect(HttpStatusCode.Created);
        }
    }

    private async Task ConfigureAsync(string name)
    {
        foreach ((string path, string body) in ((string, string)[])
            [
                ("admin/revisions/config", """{"Default":{"Disabled":false,"MinimumRevisionsToKeep":2}}"""),
                ("admin/expiration/config", """{"Disabled":false,"DeleteFrequencyInSec":86400}"""),
            ])
        {
            (await backups.SendAsync("POST", $"/databases/{name}/{path}", body)).Expect(HttpStatusCode.OK);
        }

        (await backups.SendAsync(
            "PUT", $"/databases/{name}/subscriptions", """{"Name":"news","Query":"from Users"}"""))
            .Expect(HttpStatusCode.Created);
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
            string body = $$"""{"Commands":[{{string.Join(",", batch)}}]}""";
            (await backups.SendAsync("POST", $"{database}/bulk_docs", body)).Expect(HttpStatusCode.Created);
        }

        string key = $"k{random.Next(4)}";
        (await backups.SendAsync("PUT", $"{database}/cmpxchg?key={key}&index=0", """{"Object":1}"""))
            .Expect(HttpStatusCode.OK);
        await backups.SendAsync("DELETE", $"{database}/cmpxchg?key=k{random.Next(4)}&index=-1");
        (await backups.SendAsync("POST", $"{database}/identity/next?name=users%7C")).Expect(HttpStatusCode.OK);
        (await backups.SendAsync("PUT", $"{database}/docs?id=d/0", """{"@metadata":{"@collection":"Users"}}"""))
            .Expect(HttpStatusCode.Created);
        (await backups.SendAsync(
            "PUT", $"{database}/attachments?id=d/0&name=a{random.Next(3)}",
            $"\"{new string('x', random.Next(100_000))}\"")).Expect(HttpStatusCode.Created);
    }

    private static string Put(string id, Random random) => $$$"""
        {"Id":"{{{id}}}","Type":"PUT","Document":{
         "N":{{{random.Next()}}},"Text":"{{{new string('t', random.Next(900))}}}",
         "@metadata":{"@collection":"{{{(random.Next(2) == 0 ? "Users" : "Orders")}}}"} } }
        """;

    /// <summary>A dump of all there is, and what dumps do not have.</summary>
    private async Task<string> ReadAsync(string name)
    {
        HttpAnswer dump = await backups.SendAsync(
            "POST", $"/databases/{name}/smuggler/export", $$"""{"OperateOnTypes":"{{Everything}}"}""");
        using var gzip = new GZipStream(
            new MemoryStream(dump.Expect(HttpStatusCode.OK).Bytes), CompressionMode.Decompress);
        var text = new StringBuilder(await new StreamReader(gzip, Encoding.Latin1).ReadToEndAsync());
        for (int i = 0; i < 8; i++)
        {
            text.Append('\n').Append((await backups.SendAsync(
                "GET", $"/databases/{name}/timeseries?docId=d/{i}&name=Heart")).Text);
        }

        text.Append('\n').Append((await backups.SendAsync(
            "GET", $"/databases/{name}/feed?deletes=true&docs=false&limit=1000")).Expect(HttpStatusCode.OK).Text);
        return text.ToString().Replace($"\"{name}\"", "\"name\"", StringComparison.Ordinal)
            .Replace($"/{name}/", "/name/", StringComparison.Ordinal);
    }
}
