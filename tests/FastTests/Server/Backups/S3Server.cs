using System.Text.Json.Nodes;
using Shared.S3;

namespace FastTests.Server.Backups;

/// <summary>A server whose backups go to a small server of S3 in this process.</summary>
public sealed class S3Server : IAsyncLifetime
{
    private int _databases;

    internal S3StandIn S3 { get; private set; } = null!;

    internal BackupServer Backups { get; private set; } = null!;

    public async ValueTask InitializeAsync()
    {
        S3 = await S3StandIn.StartAsync();
        Backups = new BackupServer(options => options with
        {
            BackupHosts = [new Uri(S3.Url).Authority],
            BackupRetryPause = TimeSpan.FromMilliseconds(1),
            BackupPartBytes = 64 << 10,
        });
    }

    public async ValueTask DisposeAsync()
    {
        Backups.Dispose();
        await S3.DisposeAsync();
    }

    /// <summary>Makes a database with a task that backs it up into a folder of its own in the bucket.</summary>
    internal async Task<(string Name, long Task)> CreateAsync(string members = "", bool isLocal = false)
    {
        string name = $"s{Interlocked.Increment(ref _databases)}";
        await Backups.CreateAsync(name);
        await PutAsync(name, "a", 1);
        string local = isLocal ? $$"""{"FolderPath":"{{Backups.Folder(name)}}"}""" : """{"Disabled":true}""";
        HttpAnswer answer = await Backups.SendAsync(
            "POST", $"/databases/{name}/admin/periodic-backup",
            $$"""
            {"TaskId":0,"Name":"s3","FullBackupFrequency":"0 1 * * 0","IncrementalBackupFrequency":"0 1 * * *",
             "LocalSettings":{{local}},"S3Settings":{{S3.Settings(name)}}{{members}}}
            """);
        return (name, (long)answer.Expect(System.Net.HttpStatusCode.OK).Json["TaskId"]!);
    }

    internal async Task PutAsync(string database, string id, int number) =>
        (await Backups.SendAsync("PUT", $"/databases/{database}/docs?id={id}", $$"""{"N":{{number}}}"""))
            .Expect(System.Net.HttpStatusCode.Created);

    /// <summary>Restores the last backup of a database from the bucket.</summary>
    internal async Task<JsonNode> RestoreAsync(
        string database, string name, string members = "", string status = "Completed")
    {
        HttpAnswer answer = await Backups.SendAsync(
            "POST", "/admin/restore/database",
            $$"""
            {"DatabaseName":"{{name}}","Type":"S3","Settings":{{S3.Settings(LastFolder(database))}}{{members}}}
            """);
        return await Backups.EndAsync((long)answer.Expect(System.Net.HttpStatusCode.OK).Json["OperationId"]!, status);
    }

    /// <summary>The folder of the last full backup of a database in the bucket.</summary>
    internal string LastFolder(string database) =>
        $"{database}/{Backups.State.Backups.StatusOf(database, 1).Folder}";

    internal string[] Keys(string database) =>
        [.. S3.Objects.Keys.Where(key => key.StartsWith(database + "/", StringComparison.Ordinal)).Order()];
}
