using System.Globalization;
using System.Text.Json;
using Raven.Documents.Catalog;
using Raven.Server.Http.Backups;

namespace FastTests.Server.Backups;

/// <summary>When a task runs next, whatever the clock does.</summary>
public sealed class BackupScheduleTests(BackupServer backups) : IClassFixture<BackupServer>
{
    private static int _count;

    private static readonly TimeZoneInfo Berlin = TimeZoneInfo.FindSystemTimeZoneById("Europe/Berlin");

    private readonly string _name = $"s{Interlocked.Increment(ref _count)}";

    private ServerRecords Records => backups.State.Databases.Records;

    [Theory]
    [Trait("Row", "74")]

    // Never run: from the creation of the task on.
    [InlineData("0 1 * * 0", "0 1 * * *", null, "2026-03-02T00:30:00Z", "2026-03-02T01:00:00Z", false)]
    [InlineData("0 1 * * *", null, null, "2026-03-02T00:30:00Z", "2026-03-02T01:00:00Z", true)]

    // Missed while the server was down: once, at once, and a full one has all of it.
    [InlineData("0 1 * * 0", "0 1 * * *", "2026-02-27T01:00:00Z", "2026-03-02T12:00:00Z", "2026-03-01T01:00:00Z", true)]
    [InlineData(
        "0 1 * * 0", "0 1 * * *", "2026-03-01T01:00:00Z", "2026-03-05T12:00:00Z", "2026-03-02T01:00:00Z", false)]

    // The clock was a year ahead at the last run.
    [InlineData("0 1 * * *", null, "2027-03-02T01:00:00Z", "2026-03-02T12:00:00Z", "2026-03-03T01:00:00Z", true)]
    public void The_next_run_is_the_one_after_the_last(
        string? full, string? incremental, string? lastFull, string now, string next, bool isFull)
    {
        BackupStatus status = StatusOf(lastFull ?? now, lastFull);
        Assert.Equal(
            (At(next), isFull),
            BackupSchedule.Next(TaskOf(full, incremental), status, At(now), TimeZoneInfo.Utc));
    }

    /// <summary>In Berlin there is no 02:30 on 29 March 2026, and there are two on 25 October.</summary>
    [Theory]
    [Trait("Row", "74")]
    [InlineData("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z")]
    [InlineData("2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z")]
    [InlineData("2026-10-24T00:30:00Z", "2026-10-25T00:30:00Z")]
    [InlineData("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z")]
    public void An_hour_that_is_skipped_or_comes_twice_runs_once(string last, string next)
    {
        DateTimeOffset at = At(last);
        Assert.Equal(
            (At(next), true),
            BackupSchedule.Next(TaskOf("30 2 * * *", null), StatusOf(last, last), at.AddMinutes(1), Berlin));
    }

    [Fact]
    public void A_disabled_task_has_no_next_run_and_a_delay_puts_it_off()
    {
        BackupStatus status = StatusOf("2026-03-02T00:30:00Z", null);
        DateTimeOffset now = new(2026, 3, 2, 0, 40, 0, TimeSpan.Zero);
        Assert.Null(BackupSchedule.Next(
            TaskOf("0 1 * * *", null) with { IsDisabled = true }, status, now, TimeZoneInfo.Utc));
        status.Delay(now.AddHours(2));
        Assert.Equal((now.AddHours(2), true), BackupSchedule.Next(
            TaskOf("0 1 * * *", null), status, now, TimeZoneInfo.Utc));
    }

    private BackupStatus StatusOf(string created, string? lastFull)
    {
        var json = new Dictionary<string, object?> { ["TaskId"] = 1, ["CreatedAt"] = created };
        if (lastFull is not null)
        {
            json["LastFullBackup"] = lastFull;
        }

        Records.Write([new($"backups/{_name}/1", JsonSerializer.SerializeToUtf8Bytes(json))]);
        return BackupStatus.Read(Records, _name, 1);
    }

    private static DateTimeOffset At(string text) => DateTimeOffset.Parse(text, CultureInfo.InvariantCulture);

    private static BackupConfiguration TaskOf(string? full, string? incremental)
    {
        string json = JsonSerializer.Serialize(new
        {
            TaskId = 1, FullBackupFrequency = full, IncrementalBackupFrequency = incremental,
            LocalSettings = new { FolderPath = "/x" },
        });
        using JsonDocument document = JsonDocument.Parse(json);
        return BackupConfiguration.Parse(document.RootElement, isPeriodic: true);
    }
}
