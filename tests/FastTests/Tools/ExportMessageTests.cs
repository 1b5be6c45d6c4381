using System.Net;
using System.Text;
using FastTests.Server;
using FastTests.Support;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Import.Verbs;
using Raven.CommandLine.Output;
using Raven.Documents;

namespace FastTests.Tools;

/// <summary>What an export says of what it does not write, over the real server.</summary>
public sealed class ExportMessageTests : IDisposable
{
    private readonly string _file = Path.Combine(Path.GetTempPath(), $"export-{Guid.NewGuid():N}.ndjson");
    private readonly StringWriter _log = new();

    public void Dispose()
    {
        _log.Dispose();
        File.Delete(_file);
        File.Delete(_file + ".unfinished");
    }

    [Fact]
    [Trait("Fault", "B1")]
    public async Task An_export_names_what_the_file_would_lose_and_needs_its_acceptance()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/admin/revisions/config", """{"Default":{"Disabled":false}}"""))
            .Expect(HttpStatusCode.OK);
        await server.PutAsync("a", """{"N":1,"@metadata":{"@collection":"As","own":1}}""");
        await server.PutAsync("b", """{"N":2}""");
        (await server.SendAsync("PUT", "~/attachments?id=a&name=f.txt", "hello")).Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/counters", """
            {"Documents":[{"DocumentId":"a","Operations":[{"Type":"Increment","CounterName":"c","Delta":1}]}]}
            """)).Expect(HttpStatusCode.OK);

        Assert.Equal(ExitCode.WrongUsage, await ExportAsync(server, new ExportOptions()));
        Assert.False(File.Exists(_file));
        foreach (string lost in new[]
        {
            "3 attachments", "revisions", "1 documents with counters", "the configuration of revisions",
            "--documents-only",
        })
        {
            Assert.Contains(lost, _log.ToString(), StringComparison.Ordinal);
        }

        _log.GetStringBuilder().Clear();
        Assert.Equal(0, await ExportAsync(server, new ExportOptions { DocumentsOnly = true }));
        string last = _log.ToString().TrimEnd().Split('\n')[^1];
        Assert.StartsWith("Not in the file: 3 attachments", last, StringComparison.Ordinal);
        Assert.Contains("without @attachments, @counters and @flags", last, StringComparison.Ordinal);
        string text = await File.ReadAllTextAsync(_file);
        Assert.Equal(2, text.Split('\n', StringSplitOptions.RemoveEmptyEntries).Length);
        Assert.Contains("\"own\":1", text, StringComparison.Ordinal);
        Assert.DoesNotContain("@attachments", text, StringComparison.Ordinal);
        Assert.DoesNotContain("@counters", text, StringComparison.Ordinal);
        Assert.DoesNotContain("@flags", text, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "B8")]
    public async Task An_export_of_a_damaged_database_reports_the_damage_and_can_save_the_rest()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string[] ids = [.. Enumerable.Range(0, 9).Select(i => $"d/{i}")];
        foreach (string id in ids)
        {
            await server.PutAsync(id, $$"""{"Text":"{{NoiseOf(id)}}"}""");
        }

        await DamageAsync(server, NoiseOf("d/4"));
        string damage = (string)(await server.SendAsync("GET", "~/docs?id=d/4")).ExpectError(503, "checksum")
            .Json["Message"]!;
        Assert.Equal(damage, (string?)(await server.SendAsync("GET", "/healthz")).Json["Faults"]!["db"]);

        Assert.Equal(ExitCode.ServerFailed, await ExportAsync(server, new ExportOptions()));
        Assert.Contains($"documents: {damage}", _log.ToString(), StringComparison.Ordinal);
        Assert.Contains("--skip-damaged", _log.ToString(), StringComparison.Ordinal);
        Assert.False(File.Exists(_file));

        _log.GetStringBuilder().Clear();
        Assert.Equal(ExitCode.Incomplete, await ExportAsync(server, new ExportOptions { SkipDamaged = true }));
        Assert.Contains($"Skipped changes 5 to 5: {damage}", _log.ToString(), StringComparison.Ordinal);
        string[] lines = await File.ReadAllLinesAsync(_file);
        Assert.Equal(8, lines.Length);
        Assert.All(ids.Except(["d/4"]), id => Assert.Contains(
            lines, line => line.Contains($"\"@id\":\"{id}\"", StringComparison.Ordinal)));
        (await server.SendAsync("GET", "~/streams/docs?skipDamaged=true")).ExpectError(400, "jsonl");
    }

    private async Task<int> ExportAsync(TestServer server, ExportOptions options)
    {
        using var client = new ServerClient(new Uri(server.Host.Url), "db");
        return await ExportVerb.RunAsync(client, _file, options, new VerbOutput(_log));
    }

    /// <summary>Flips a bit of a text in the data file of the closed database.</summary>
    private static async Task DamageAsync(TestServer server, string text)
    {
        Assert.True(server.Host.State.Databases.TryGet("db", out Database? database));
        await Deadline.UntilAsync(database.TryClose);
        string file = Path.Combine(server.Host.State.DataFolder, "db", "data.voron");
        byte[] bytes = await File.ReadAllBytesAsync(file);
        bytes[bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(text[..100]))] ^= 1;
        await File.WriteAllBytesAsync(file, bytes);
    }

    private static string NoiseOf(string id)
    {
        byte[] noise = new byte[30_000];
        new Random(id[^1]).NextBytes(noise);
        return Convert.ToBase64String(noise);
    }
}
