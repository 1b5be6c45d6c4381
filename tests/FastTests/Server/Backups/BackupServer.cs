using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents.Operations;
using Raven.Server.Http;
using Raven.Server.Options;

namespace FastTests.Server.Backups;

/// <summary>A server, and a folder for backups that goes with it.</summary>
public sealed class BackupServer : IDisposable
{
    private readonly string _root;

    public BackupServer()
        : this(null)
    {
    }

    internal BackupServer(Func<ServerOptions, ServerOptions>? configure)
    {
        const string sharedMemory = "/dev/shm";
        _root = Path.Combine(
            Directory.Exists(sharedMemory) ? sharedMemory : Path.GetTempPath(), $"raven-backups-{Guid.NewGuid():N}");
        Directory.CreateDirectory(_root);
        Server = new TestServer(options => (configure ?? (one => one))(options with { BackupRootPath = _root }));
    }

    internal TestServer Server { get; }

    internal ServerState State => Server.Host.State;

    /// <summary>A folder for the backups of one test.</summary>
    internal string Folder(string name) => Path.Combine(_root, name);

    internal async Task CreateAsync(string name) =>
        (await Server.SendAsync("PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}"""))
            .Expect(HttpStatusCode.Created);

    internal async Task<HttpAnswer> SendAsync(string method, string path, string? body = null) =>
        await Server.SendAsync(method, path, body);

    /// <summary>Makes a task, and gives its number.</summary>
    internal async Task<long> PutTaskAsync(string database, string members = "")
    {
        string body = $$"""
            {"TaskId":0,"Name":"nightly","FullBackupFrequency":"{{In(days: 200)}}",
             "IncrementalBackupFrequency":"{{In(days: 100)}}",
             "LocalSettings":{"FolderPath":"{{Folder(database)}}"}{{members}}}
            """;
        HttpAnswer answer = await SendAsync("POST", $"/databases/{database}/admin/periodic-backup", body);
        return (long)answer.Expect(HttpStatusCode.OK).Json["TaskId"]!;
    }

    /// <summary>A day of each year: on whatever day and at whatever hour tests run, nothing begins by itself, and the
    /// next backup is the one that comes first in the year from then on.</summary>
    private static string In(int days)
    {
        DateTime day = DateTime.UtcNow.AddDays(days);
        return string.Create(CultureInfo.InvariantCulture, $"0 1 {day.Day} {day.Month} *");
    }

    /// <summary>Runs a task to its end, which must be this status.</summary>
    internal async Task<JsonNode> RunAsync(string database, long task, bool isFull, string status = "Completed")
    {
        HttpAnswer answer = await SendAsync(
            "POST", $"/databases/{database}/admin/backup/database?isFullBackup={isFull}&taskId={task}");
        return await EndAsync((long)answer.Expect(HttpStatusCode.OK).Json["OperationId"]!, status);
    }

    /// <summary>Restores, to its end.</summary>
    internal async Task<JsonNode> RestoreAsync(
        string name, string location, string members = "", string status = "Completed")
    {
        HttpAnswer answer = await SendAsync(
            "POST", "/admin/restore/database",
            $$"""{"DatabaseName":"{{name}}","BackupLocation":"{{location}}"{{members}}}""");
        return await EndAsync((long)answer.Expect(HttpStatusCode.OK).Json["OperationId"]!, status);
    }

    internal async Task<JsonNode> VerifyAsync(string location, string mode, string status = "Completed")
    {
        HttpAnswer answer = await SendAsync(
            "POST", "/admin/backup/verify", $$"""{"BackupLocation":"{{location}}","Mode":"{{mode}}"}""");
        return await EndAsync((long)answer.Expect(HttpStatusCode.OK).Json["OperationId"]!, status);
    }

    internal async Task<JsonNode> StatusAsync(string database, long task)
    {
        HttpAnswer answer = await SendAsync("GET", $"/periodic-backup/status?name={database}&taskId={task}");
        return answer.Expect(HttpStatusCode.OK).Json;
    }

    /// <summary>The folder of the last full backup of a database.</summary>
    internal string LastFolder(string database) =>
        Path.Combine(Folder(database), State.Backups.StatusOf(database, 1).Folder!);

    /// <summary>The state of an operation after its end.</summary>
    internal async Task<JsonNode> EndAsync(long id, string status)
    {
        RunningOperation operation = State.Operations.Find(null, id)!;
        await operation.Ended.WaitAsync(Deadline.Hang);
        JsonNode state = (await SendAsync("GET", $"/operations/state?id={id}")).Expect(HttpStatusCode.OK).Json;
        Assert.True((string?)state["Status"] == status, state.ToJsonString());
        return state;
    }

    public void Dispose()
    {
        Server.Dispose();
        Directory.Delete(_root, recursive: true);
    }
}
