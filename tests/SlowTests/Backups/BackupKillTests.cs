using System.IO.Compression;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using SlowTests.Support;

namespace SlowTests.Backups;

/// <summary>The server is killed within backups, restores, verifications, imports and exports: whatever a manifest
/// names is whole, no half of a database or document is seen, and the next run succeeds.</summary>
public sealed class BackupKillTests : IDisposable
{
    private const int MillisecondsMax = 250;

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-backup-kill-").FullName;
    private ServerProcess? _server;
    private HttpClient? _client;

    private string Backups => Path.Combine(_folder, "backups");

    public void Dispose()
    {
        _client?.Dispose();
        _server?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Row", "70")]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "backups")]
    public Task Five_kills_leave_whole_backups_and_whole_databases() => RunAsync(5, seed: 1);

    [Fact]
    [Trait("Row", "70")]
    [Trait(Category.Shard, "backups-kill")]
    public Task A_hundred_kills_leave_whole_backups_and_whole_databases() => RunAsync(100, seed: 2);

    [Fact]
    [Trait("Row", "70")]
    [Trait(Category.Shard, "backups-kill-more")]
    public Task A_hundred_more_kills_leave_whole_backups_and_whole_databases() => RunAsync(100, seed: 3);

    private async Task RunAsync(int kills, int seed)
    {
        var random = new Random(seed);
        Start();
        await SendAsync("PUT", "/admin/databases?name=db", """{"DatabaseName":"db"}""");
        await SendAsync(
            "POST", "/databases/db/admin/periodic-backup",
            $$"""
            {"FullBackupFrequency":"0 1 1 1 *","LocalSettings":{"FolderPath":"{{Backups}}"},
             "RetentionPolicy":{"MinimumBackupAgeToKeep":"00:00:00"} }
            """);
        int documents = 0;
        for (int i = 0; i < kills; i++)
        {
            await AddAsync(documents += 40);
            await EndAsync(await SendAsync(
                "POST", $"/databases/db/admin/backup/database?taskId=1&isFullBackup={i % 5 == 0}"));
            await AddAsync(documents += 40);
            string whole = await LastAsync();
            Task going = await BeginAsync(i, whole);
            await Task.Delay(random.Next(MillisecondsMax));
            Kill();
            await going;
            Start();
            await CheckAsync(i, documents);
        }
    }

    /// <summary>Begins what the server is killed in: a backup, a restore, a verification, an import or an export.
    /// </summary>
    /// <returns>What completes when the server has gone, or before.</returns>
    private async Task<Task> BeginAsync(int round, string whole)
    {
        switch (round % 5)
        {
            case 0:
                await SendAsync("POST", $"/databases/db/admin/backup/database?taskId=1&isFullBackup={round % 2 == 0}");
                return Task.CompletedTask;
            case 1:
                await SendAsync(
                    "POST", "/admin/restore/database",
                    $$"""{"DatabaseName":"copy{{round}}","BackupLocation":"{{whole}}"}""");
                return Task.CompletedTask;
            case 2:
                await SendAsync(
                    "POST", "/admin/backup/verify", $$"""{"Mode":"Restore","BackupLocation":"{{whole}}"}""");
                return Task.CompletedTask;
            case 3:
                byte[] dump = (await ExportAsync())!;
                await SendAsync("PUT", $"/admin/databases?name=copy{round}", $$"""{"DatabaseName":"copy{{round}}"}""");
                return ImportAsync($"copy{round}", dump);
            default:
                return ExportAsync();
        }
    }

    /// <summary>A dump; null if the server went before its end. One that ends is whole.</summary>
    private async Task<byte[]?> ExportAsync()
    {
        try
        {
            using var options = new StringContent("{}", Encoding.UTF8, "application/json");
            using HttpResponseMessage answer = await _client!.PostAsync("/databases/db/smuggler/export", options);
            byte[] dump = await answer.Content.ReadAsByteArrayAsync();
            using var source = new GZipStream(new MemoryStream(dump), CompressionMode.Decompress);
            using JsonDocument read = await JsonDocument.ParseAsync(source);
            Assert.True(read.RootElement.TryGetProperty("Docs", out _));
            return dump;
        }
        catch (Exception e) when (e is HttpRequestException or IOException or TaskCanceledException)
        {
            return null;
        }
    }

    private async Task ImportAsync(string database, byte[] dump)
    {
        try
        {
            using var content = new ByteArrayContent(dump);
            using HttpResponseMessage answer = await _client!.PostAsync(
                $"/databases/{database}/smuggler/import", content);
        }
        catch (Exception e) when (e is HttpRequestException or IOException or TaskCanceledException)
        {
            // The server was killed.
        }
    }

    /// <summary>What a manifest names is whole; a copy is a whole database or none; the next run succeeds.</summary>
    private async Task CheckAsync(int round, int documents)
    {
        foreach (string folder in Directory.GetDirectories(Backups)
            .Where(one => Directory.GetFiles(one, "*-full-backup.manifest.json").Length > 0
                && Directory.GetFiles(one, "*-full-backup").Length > 0))
        {
            await EndAsync(await SendAsync("POST", "/admin/backup/verify", $$"""{"BackupLocation":"{{folder}}"}"""));
        }

        JsonNode listed = await SendAsync("GET", "/databases");
        string[] names = [.. listed["Databases"]!.AsArray().Select(one => (string)one!["Name"]!)];
        Assert.Subset(new HashSet<string> { "db", $"copy{round}" }, new HashSet<string>(names));
        if (names.Contains($"copy{round}"))
        {
            JsonNode stats = await SendAsync("GET", $"/databases/copy{round}/stats");
            int count = (int)stats["CountOfDocuments"]!;
            if (round % 5 == 3)
            {
                // Of an import the batches before the end are there, each of them and each document whole.
                Assert.InRange(count, 0, documents);
                JsonNode all = await SendAsync("GET", $"/databases/copy{round}/streams/docs");
                Assert.All(
                    all["Results"]!.AsArray(),
                    one => Assert.True(((string)one!["Text"]!).Length > 20_000, one.ToJsonString()));
                Assert.Equal(count, all["Results"]!.AsArray().Count);
            }
            else
            {
                Assert.Equal(documents - 40, count);
            }

            await SendAsync(
                "DELETE", "/admin/databases", $$"""{"HardDelete":true,"DatabaseNames":["copy{{round}}"]}""");
        }

        await EndAsync(await SendAsync(
            "POST", "/databases/db/admin/backup/database?taskId=1&isFullBackup=false"));
        foreach (string folder in Directory.GetDirectories(Backups))
        {
            Assert.True(
                Directory.GetFiles(folder, "*.manifest.json").Length > 0,
                $"'{folder}' is left of a run that was killed: {string.Join(", ", Directory.GetFiles(folder))}");
            Assert.Empty(Directory.GetFiles(folder, "*.in-progress"));
        }

        string location = await LastAsync();
        await EndAsync(await SendAsync(
            "POST", "/admin/backup/verify", $$"""{"Mode":"Restore","BackupLocation":"{{location}}"}"""));
        JsonNode db = await SendAsync("GET", "/databases/db/stats");
        Assert.Equal(documents, (int)db["CountOfDocuments"]!);
    }

    private async Task<string> LastAsync()
    {
        JsonNode status = await SendAsync("GET", "/periodic-backup/status?name=db&taskId=1");
        return Path.Combine(Backups, (string)status["Status"]!["FolderName"]!);
    }

    private async Task AddAsync(int upTo)
    {
        string text = new('x', 20_000);
        IEnumerable<string> commands = Enumerable.Range(upTo - 40, 40).Select(i =>
            $$"""{"Id":"d/{{i}}","Type":"PUT","Document":{"N":{{i}},"Text":"{{text}}{{i}}"} }""");
        await SendAsync("POST", "/databases/db/bulk_docs", $$"""{"Commands":[{{string.Join(',', commands)}}]}""");
    }

    private void Start()
    {
        _client?.Dispose();
        _server = ServerProcess.Start(Path.Combine(_folder, "data"));
        _client = new HttpClient { BaseAddress = new Uri(_server.Url) };
    }

    private void Kill()
    {
        _server!.Kill();
        _server.Dispose();
    }

    private async Task<JsonNode> SendAsync(string method, string path, string body = "")
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path)
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        };
        using HttpResponseMessage answer = await _client!.SendAsync(request);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, $"{method} {path}: {(int)answer.StatusCode} {text}");
        return text.StartsWith('{') ? JsonNode.Parse(text)! : new JsonObject();
    }

    private async Task EndAsync(JsonNode started)
    {
        long id = (long)started["OperationId"]!;
        while (true)
        {
            JsonNode state = await SendAsync("GET", $"/operations/state?id={id}");
            string? status = (string?)state["Status"];
            if (status != "InProgress")
            {
                Assert.True(status == "Completed", state.ToJsonString());
                return;
            }

            await Task.Delay(5);
        }
    }
}
