using System.Globalization;
using System.Text.Json.Nodes;
using FastTests.Documents;
using FastTests.Support;
using Raven.Documents.Operations;
using Raven.Server.Http.Backups;

namespace FastTests.Server.Backups;

/// <summary>A task that archives the journal, and restores to a time over HTTP.</summary>
public sealed class RestoreToTimeTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-times-").FullName;
    private readonly TestClock _clock = new();
    private readonly InMemoryServer _server;

    public RestoreToTimeTests() => _server = new InMemoryServer(
        _clock, configure: options => options with { BackupRootPath = _folder, BackupsUseUtc = true });

    private BackupService Backups => _server.State.Backups;

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Invariant", "ARCHIVE-1")]
    [Trait("Invariant", "ARCHIVE-2")]
    public async Task A_database_is_restored_to_a_time_and_a_failing_archive_is_in_the_status()
    {
        Put("a");
        PutTask("one", 200);
        PutTask("two", 400);
        await RunAsync();
        DateTimeOffset before = _clock.Now;
        _clock.Now += TimeSpan.FromMinutes(2);
        Put("b");
        await LookAsync();
        JsonNode archive = Backups.StatusOf("db", 1).ToJson()["JournalArchive"]!;
        Assert.Null(archive["Error"]);
        Assert.Equal(Text(_clock.Now), (string?)archive["LastCommittedAt"]);

        // The folder is away: it is said once, nothing else happens, and it goes on.
        string backup = Directory.GetDirectories(Path.Combine(_folder, "x")).Single();
        Directory.Move(backup, backup + "-away");
        _clock.Now += TimeSpan.FromMinutes(2);
        Put("c");
        await LookAsync();
        Assert.Contains(
            "There is no folder", Backups.StatusOf("db", 1).ToJson()["JournalArchive"]!["Error"]!.ToJsonString(),
            StringComparison.Ordinal);
        Directory.Move(backup + "-away", backup);
        DateTimeOffset end = _clock.Now;
        _clock.Now += TimeSpan.FromMinutes(2);
        await LookAsync();
        Assert.Null(Backups.StatusOf("db", 1).ToJson()["JournalArchive"]!["Error"]);

        Assert.Equal(2, await RestoreAsync(backup, "early", end.AddSeconds(-1)));
        Assert.Equal(1, await RestoreAsync(backup, "first", before.AddSeconds(1)));
        Assert.Equal(3, await RestoreAsync(backup, "late", end));
        Assert.Contains("until", Restore(backup, "none", Text(end.AddSeconds(1)), "", 400), StringComparison.Ordinal);
        Assert.Contains("is no time", Restore(backup, "none", "noon", "", 400), StringComparison.Ordinal);
        Assert.Contains(
            "two things", Restore(backup, "none", Text(end), ",\"LastFileNameToRestore\":\"x\"", 400),
            StringComparison.Ordinal);
    }

    private void PutTask(string name, int status)
    {
        var request = new InMemoryRequest(
            "POST", "/databases/db/admin/periodic-backup", "",
            $$"""
            {"Name":"{{name}}","FullBackupFrequency":"0 1 * * *","ArchiveJournal":true,
             "LocalSettings":{"FolderPath":"{{_folder}}/x"} }
            """);
        Assert.Equal(status, _server.Send(request));
    }

    private async Task RunAsync()
    {
        var request = new InMemoryRequest("POST", "/databases/db/admin/backup/database", "?taskId=1");
        Assert.Equal(200, _server.Send(request));
        await EndAsync(request);
    }

    /// <summary>Archives what is due.</summary>
    private async Task LookAsync()
    {
        Backups.Tick();
        await Task.WhenAll(Backups.Archiver.Work).WaitAsync(Deadline.Hang);
    }

    private string Restore(string folder, string name, string time, string members, int status)
    {
        var request = new InMemoryRequest(
            "POST", "/admin/restore/database", "",
            $$"""{"DatabaseName":"{{name}}","BackupLocation":"{{folder}}","RestoreTo":"{{time}}"{{members}}}""");
        Assert.Equal(status, _server.Send(request));
        return request.Answer;
    }

    private async Task<long> RestoreAsync(string folder, string name, DateTimeOffset time)
    {
        long id = (long)JsonNode.Parse(Restore(folder, name, Text(time), "", 200))!["OperationId"]!;
        RunningOperation operation = _server.State.Operations.Find(null, id)!;
        await operation.Ended.WaitAsync(Deadline.Hang);
        var state = new InMemoryRequest("GET", "/operations/state", $"?id={id}");
        Assert.Equal(200, _server.Send(state));
        JsonNode json = JsonNode.Parse(state.Answer)!;
        Assert.True((string?)json["Status"] == "Completed", state.Answer);
        return (long)json["Result"]!["Documents"]!;
    }

    private async Task EndAsync(InMemoryRequest request)
    {
        long id = (long)JsonNode.Parse(request.Answer)!["OperationId"]!;
        await _server.State.Operations.Find(null, id)!.Ended.WaitAsync(Deadline.Hang);
    }

    private void Put(string id) =>
        Assert.Equal(201, _server.Send(new InMemoryRequest("PUT", "/databases/db/docs", $"?id={id}", "{}")));

    private static string Text(DateTimeOffset time) =>
        time.UtcDateTime.ToString("yyyy-MM-ddTHH:mm:ss.fffffff", CultureInfo.InvariantCulture) + "Z";
}
