using System.IO.Compression;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server.Backups;

/// <summary>
/// Secrets that an administrator gives for backups: whatever he reads afterwards has asterisks in their places, and so
/// has whatever fails because of them.
/// </summary>
[Trait("Row", "56")]
public sealed class BackupSecretTests(S3Server server) : IClassFixture<S3Server>
{
    private const string Canary = "canary-7f3a9c";

    private static readonly string Key = Convert.ToBase64String(Encoding.ASCII.GetBytes(Canary.PadRight(32, 'k')));

    private readonly List<(string What, byte[] Bytes)> _answers = [];

    private BackupServer Backups => server.Backups;

    /// <summary>A bucket that refuses what these sign.</summary>
    private string Bucket => server.S3.Settings("secrets", Canary + "+key").Replace(
        "\"AwsRegionName\"", $"\"AwsSessionToken\":\"{Canary}+token\",\"AwsRegionName\"", StringComparison.Ordinal);

    private string Members =>
        $$"""
        "S3Settings":{{Bucket}},"BackupEncryptionSettings":{"EncryptionMode":"UseProvidedKey","Key":"{{Key}}"}
        """;

    [Fact]
    public async Task No_answer_and_no_failure_has_a_secret_of_a_backup()
    {
        await Backups.CreateAsync("red");
        JsonNode made = await SendAsync(
            200, "POST", "/databases/red/admin/periodic-backup",
            $$"""{"Name":"s3","FullBackupFrequency":"0 1 * * 0",{{Members}}}""");
        await SendAsync(
            200, "PUT", "/admin/configuration/server-wide/backup",
            $$"""{"Name":"all","FullBackupFrequency":"0 2 * * 0",{{Members}}}""");
        await SendAsync(
            204, "PUT", "/databases/red/admin/configuration/settings", $$"""{"ETL.Some.Password":"{{Canary}}"}""");
        await FailAsync();
        await RefuseAsync();
        foreach (string path in new[]
        {
            "/admin/databases?name=red", "/databases/red/admin/record", "/databases/red/tasks",
            $"/databases/red/task?key={made["TaskId"]}&type=Backup",
            $"/periodic-backup?name=red&taskId={made["TaskId"]}",
            $"/periodic-backup/status?name=red&taskId={made["TaskId"]}",
            "/admin/configuration/server-wide/tasks?type=Backup&name=all", "/admin/configuration/settings",
            "/databases/red/admin/configuration/settings", "/databases/red/admin/periodic-backup/config",
            "/admin/debug/info-package", "/databases/red/debug/info-package", "/admin/logs/download", "/metrics",
            "/admin/monitoring/v1/databases",
        })
        {
            await SendAsync(200, "GET", path, null);
        }

        HttpAnswer dump = await Backups.SendAsync("POST", "/databases/red/smuggler/export", "{}");
        Keep("the dump", dump.Bytes);
        Assert.Contains(_answers, one => one.Bytes.AsSpan().IndexOf("*****"u8) >= 0);
        Assert.Contains(_answers, one => one.Bytes.AsSpan().IndexOf("SignatureDoesNotMatch"u8) >= 0);
        Assert.All(
            _answers,
            one => Assert.All(new[] { Canary, Key }, secret => Assert.True(
                one.Bytes.AsSpan().IndexOf(Encoding.UTF8.GetBytes(secret)) < 0,
                $"{one.What} has a secret: {Encoding.UTF8.GetString(one.Bytes)}")));
    }

    /// <summary>What the bucket refuses, as it does not know the key.</summary>
    private async Task FailAsync()
    {
        string restore = Bucket.Replace("\"secrets\"", "\"secrets/none\"", StringComparison.Ordinal);
        foreach ((string path, string body) in new[]
        {
            ("/databases/red/admin/backup/database?isFullBackup=true&taskId=1", ""),
            ("/databases/red/admin/backup", $$"""{{{Members}}}"""),
            ("/admin/restore/database",
                $$"""{"DatabaseName":"copy","Type":"S3","Settings":{{restore}},"EncryptionKey":"{{Key}}"}"""),
            ("/admin/backup/verify",
                $$"""{"Mode":"Hashes","Type":"S3","Settings":{{restore}},"EncryptionKey":"{{Key}}"}"""),
        })
        {
            JsonNode begun = await SendAsync(200, "POST", path, body);
            JsonNode state = await Backups.EndAsync((long)begun["OperationId"]!, "Faulted");
            Keep($"the operation of {path}", Encoding.UTF8.GetBytes(state.ToJsonString()));
        }

        await SendAsync(null, "POST", "/admin/restore/points?type=S3", Bucket);
        await SendAsync(null, "POST", "/studio-tasks/periodic-backup/test-credentials?type=S3", Bucket);
    }

    /// <summary>Requests that are wrong beside their secrets, or whose secrets are wrong.</summary>
    private async Task RefuseAsync()
    {
        foreach (string body in new[]
        {
            $$"""{"Name":"s3","FullBackupFrequency":"nonsense",{{Members}}}""",
            $$"""{"Name":"s3","FullBackupFrequency":"0 1 * * 0",{{Members}},}""",
            $$"""
            {"Name":"s3","FullBackupFrequency":"0 1 * * 0","S3Settings":{{Bucket}},
             "BackupEncryptionSettings":{"EncryptionMode":"UseProvidedKey","Key":"{{Canary}}"} }
            """,
            $$"""
            {"Name":"s3","FullBackupFrequency":"0 1 * * 0",
             "S3Settings":{"BucketName":"b","AwsAccessKey":"a","AwsSecretKey":["{{Canary}}"],"AwsRegionName":"r"} }
            """,
            $$"""
            {"Name":"s3","FullBackupFrequency":"0 1 * * 0",
             "S3Settings":{"BucketName":"b","AwsAccessKey":"a","AwsSecretKey":"s","AwsRegionName":"r",
               "CustomServerUrl":"https://user:{{Canary}}@127.0.0.1:1/"} }
            """,
        })
        {
            await SendAsync(400, "POST", "/databases/red/admin/periodic-backup", body);
        }

        await SendAsync(
            400, "POST", "/admin/restore/database",
            $$"""{"DatabaseName":"copy","BackupLocation":"/none","EncryptionKey":"{{Canary}}"}""");
    }

    private async Task<JsonNode> SendAsync(int? status, string method, string path, string? body)
    {
        HttpAnswer answer = await Backups.SendAsync(method, path, body);
        string text = Encoding.UTF8.GetString(answer.Bytes);
        Assert.True(status is null || answer.Status == status, $"{method} {path}: {answer.Status} {text}");
        Keep($"{method} {path}", answer.Bytes);
        return text.StartsWith('{') ? JsonNode.Parse(text)! : new JsonObject();
    }

    /// <summary>An answer, or what is in it if it is packed.</summary>
    private void Keep(string what, byte[] bytes)
    {
        if (bytes.AsSpan().StartsWith("PK"u8))
        {
            using var zip = new ZipArchive(new MemoryStream(bytes));
            foreach (ZipArchiveEntry entry in zip.Entries)
            {
                using Stream source = entry.Open();
                Keep($"{what} {entry.FullName}", ReadAll(source));
            }
        }
        else if (bytes.AsSpan().StartsWith((ReadOnlySpan<byte>)[0x1F, 0x8B]))
        {
            using var source = new GZipStream(new MemoryStream(bytes), CompressionMode.Decompress);
            Keep(what, ReadAll(source));
        }
        else
        {
            _answers.Add((what, bytes));
        }
    }

    private static byte[] ReadAll(Stream source)
    {
        using var all = new MemoryStream();
        source.CopyTo(all);
        return all.ToArray();
    }
}
