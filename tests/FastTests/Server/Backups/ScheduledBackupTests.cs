using System.Text.Json.Nodes;
using FastTests.Documents;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Server.Http.Backups;

namespace FastTests.Server.Backups;

/// <summary>Tasks run by themselves, and again after a failure.</summary>
public sealed class ScheduledBackupTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-scheduled-").FullName;
    private readonly TestClock _clock = new();
    private readonly InMemoryServer _server;

    public ScheduledBackupTests() => _server = new InMemoryServer(_clock, configure: options => options with
    {
        BackupRootPath = _folder,
        BackupsAreRestored = true,
        BackupsUseUtc = true,
        BackupsMax = 1,
    });

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Invariant", "TASK-1")]
    public async Task A_task_has_one_run_at_a_time_which_can_be_ended_and_put_off()
    {
        PutTask();
        BackupService backups = _server.State.Backups;
        Database database = FindDatabase();
        BackupConfiguration task = backups.Tasks.Find("db", 1);
        await backups.Places.WaitAsync();
        RunningOperation first = backups.Start(database, task, isFull: true, starter: null);
        Assert.Same(first, backups.Start(database, task, isFull: false, starter: null));
        Assert.Same(first, backups.RunOf("DB", 1)!.Value.Operation);
        var delay = new InMemoryRequest(
            "POST", "/admin/backup-task/delay", "?database=db&taskId=1&duration=02:00:00");
        Assert.Equal(204, _server.Send(delay));
        Assert.Equal(OperationStatus.Canceled, first.State.Status);
        Assert.Null(backups.RunOf("db", 1));
        Assert.False(Directory.Exists(Path.Combine(_folder, "x")));
        backups.Places.Release();
        Assert.Equal(_clock.Now.AddHours(2), backups.StatusOf("db", 1).DelayUntil);
        _clock.Now += TimeSpan.FromMinutes(100);
        backups.Tick();
        Assert.Null(backups.RunOf("db", 1));
        _clock.Now += TimeSpan.FromMinutes(30);
        await RunAsync();
        Assert.NotNull(backups.StatusOf("db", 1).LastFull);
    }

    [Fact]
    [Trait("Row", "76")]
    [Trait("Invariant", "PLACE-2")]
    public void No_backup_goes_into_a_folder_of_the_servers_own_or_around_one()
    {
        using var server = new InMemoryServer();
        string data = server.State.DataFolder;
        foreach (string folder in (string[])[data, Path.Combine(data, "db"), Path.GetDirectoryName(data)!])
        {
            var request = new InMemoryRequest(
                "POST", "/databases/db/admin/backup", "", $$"""{"LocalSettings":{"FolderPath":"{{folder}}"} }""");
            Assert.Equal(400, server.Send(request));
            Assert.Contains("own", request.Answer, StringComparison.Ordinal);
        }
    }

    [Fact]
    [Trait("Row", "74")]
    [Trait("Invariant", "TASK-2")]
    public async Task A_task_runs_at_its_time_once_and_again_after_a_failure()
    {
        PutTask();
        BackupService backups = _server.State.Backups;
        backups.Tick();
        Assert.Null(backups.RunOf("db", 1));
        _clock.Now += TimeSpan.FromMinutes(61);
        await RunAsync();
        JsonNode status = backups.StatusOf("db", 1).ToJson();
        Assert.Null(status["Error"]);
        Assert.Equal("Restore", (string?)status["LastVerified"]!["Mode"]);
        Assert.Single(Directory.GetDirectories(Path.Combine(_folder, "x")));
        backups.Tick();
        Assert.Null(backups.RunOf("db", 1));

        // The destination is gone: it is tried again after a minute, and not before.
        Directory.Delete(Path.Combine(_folder, "x"), recursive: true);
        await File.WriteAllTextAsync(Path.Combine(_folder, "x"), "");
        _clock.Now += TimeSpan.FromMinutes(60);
        await RunAsync();
        Assert.NotNull(backups.StatusOf("db", 1).Error);
        backups.Tick();
        Assert.Null(backups.RunOf("db", 1));
        File.Delete(Path.Combine(_folder, "x"));
        _clock.Now += TimeSpan.FromSeconds(61);
        await RunAsync();
        Assert.Null(backups.StatusOf("db", 1).Error);
        Assert.Equal(3, (long)backups.StatusOf("db", 1).ToJson()["Version"]!);
        _clock.Now += TimeSpan.FromSeconds(30);
        var metrics = new InMemoryRequest("GET", "/metrics");
        Assert.Equal(200, _server.Send(metrics));
        string text = metrics.Answer;
        Assert.Contains("raven_backup_age_seconds{database=\"db\",task=\"hourly\"} 30", text, StringComparison.Ordinal);
        Assert.Contains("raven_backup_failed{database=\"db\",task=\"hourly\"} 0", text, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "TASK-3")]
    public async Task A_scheduled_run_is_put_off_while_as_many_run_as_may()
    {
        PutTask();
        BackupService backups = _server.State.Backups;
        backups.Tick();
        _clock.Now += TimeSpan.FromMinutes(61);
        await backups.Places.WaitAsync();
        backups.Tick();
        Assert.Null(backups.RunOf("db", 1));
        backups.Places.Release();
        _clock.Now += TimeSpan.FromSeconds(29);
        backups.Tick();
        Assert.Null(backups.RunOf("db", 1));
        _clock.Now += TimeSpan.FromSeconds(2);
        await RunAsync();
        Assert.NotNull(backups.StatusOf("db", 1).LastFull);
    }

    private void PutTask()
    {
        Send("PUT", "/databases/db/docs", "?id=a", "{}");
        Send(
            "POST", "/databases/db/admin/periodic-backup", "",
            $$"""
            {"Name":"hourly","FullBackupFrequency":"0 * * * *","LocalSettings":{"FolderPath":"{{_folder}}/x"} }
            """);
    }

    private Database FindDatabase()
    {
        Assert.True(_server.State.Databases.TryGet("db", out Database? database));
        return database;
    }

    /// <summary>Starts what is due, and waits for its end.</summary>
    private async Task RunAsync()
    {
        BackupService backups = _server.State.Backups;
        backups.Tick();
        Task ended = backups.RunOf("db", 1)?.Operation.Ended ?? Task.CompletedTask;
        await ended.WaitAsync(Deadline.Hang);
    }

    private void Send(string method, string path, string query, string body) =>
        Assert.InRange(_server.Send(new InMemoryRequest(method, path, query, body)), 200, 201);
}
