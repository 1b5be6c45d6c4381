using System.Text.Json.Nodes;
using Raven.Documents.Backups;
using Raven.Server.Http.Backups;
using Raven.Server.Http.Backups.S3;
using Shared.S3;

namespace FastTests.Server.Backups;

/// <summary>What a run that was killed has left, in a folder and in a bucket.</summary>
public sealed class BegunFolderTests(S3Server server) : IClassFixture<S3Server>, IDisposable
{
    private const string Left = "2026-01-01-00-00-00.ravendb-x-A-backup";
    private const string Strange = "2026-01-01-00-00-01.ravendb-x-A-backup";
    private const int Bytes = 200_000;

    private BackupServer Backups => server.Backups;

    public void Dispose() => server.S3.Fault = _ => S3Fault.None;

    [Theory]
    [Trait("Row", "70")]
    [Trait("Invariant", "BEGUN-1")]
    [InlineData(true)]
    [InlineData(false)]
    public async Task What_a_killed_run_has_left_is_removed_by_the_next_one_and_nothing_else(bool isLocal)
    {
        (string name, long task) = await server.CreateAsync(isLocal: isLocal);
        using IBackupDestination place = Open(name, isLocal);
        await Backups.RunAsync(name, task, isFull: true);
        string whole = Backups.State.Backups.StatusOf(name, 1).Folder!;

        // Killed within the file, between a file and its manifest, and behind the manifest; of one folder nobody knows.
        await LeaveAsync(place, Left, isComplete: false);
        await LeaveAsync(place, Left, isComplete: true);
        await LeaveAsync(place, Strange, isComplete: true);
        using BegunFolders.Run inFile = new BegunFolders(Backups.State.Databases.Records).Of(place);
        inFile.Begin(Left);
        using BegunFolders.Run behindManifest = new BegunFolders(Backups.State.Databases.Records).Of(place);
        behindManifest.Begin(whole);
        Assert.Equal(2, Backups.State.Backups.Work.Begun.Count);
        Assert.Equal([Left, Strange, whole], await NamesAsync(place));
        HttpAnswer points = await Backups.SendAsync(
            "POST", $"/admin/restore/points?type={(isLocal ? "Local" : "S3")}",
            isLocal ? $$"""{"FolderPath":"{{Backups.Folder(name)}}"}""" : server.S3.Settings(name));
        Assert.Single(points.Json["List"]!.AsArray());

        await Backups.RunAsync(name, task, isFull: true);
        string next = Backups.State.Backups.StatusOf(name, 1).Folder!;
        Assert.Equal(
            ((string[])[Strange, whole, next]).Order(StringComparer.Ordinal), await NamesAsync(place));
        Assert.Equal(0, Backups.State.Backups.Work.Begun.Count);
        Assert.Equal(0, server.S3.Unfinished);
    }

    [Fact]
    [Trait("Invariant", "BEGUN-1")]
    public async Task What_cannot_be_removed_is_in_the_status_and_is_tried_again()
    {
        (string name, long task) = await server.CreateAsync();
        using IBackupDestination place = Open(name, isLocal: false);
        await LeaveAsync(place, Left, isComplete: true);
        using BegunFolders.Run begun = new BegunFolders(Backups.State.Databases.Records).Of(place);
        begun.Begin(Left);
        server.S3.Fault = call => call.Kind == S3CallKind.Delete ? S3Fault.Skewed : S3Fault.None;
        await Backups.RunAsync(name, task, isFull: true);
        JsonNode status = (await Backups.StatusAsync(name, task))["Status"]!;
        Assert.NotNull(status["LastFullBackup"]);
        Assert.Contains(Left, (string?)status["Error"]!["Exception"], StringComparison.Ordinal);
        Assert.Equal(1, Backups.State.Backups.Work.Begun.Count);

        server.S3.Fault = _ => S3Fault.None;
        await server.PutAsync(name, "b", 2);
        await Backups.RunAsync(name, task, isFull: false);
        Assert.Null((await Backups.StatusAsync(name, task))["Status"]!["Error"]);
        Assert.DoesNotContain(Left, await NamesAsync(place));
        Assert.Equal(0, Backups.State.Backups.Work.Begun.Count);
    }

    private IBackupDestination Open(string name, bool isLocal)
    {
        if (isLocal)
        {
            return BackupPlace.OpenLocal(Backups.State, Backups.Folder(name));
        }

        using var settings = System.Text.Json.JsonDocument.Parse(server.S3.Settings(name));
        return BackupPlace.OpenS3(Backups.State, S3Settings.Parse(settings.RootElement));
    }

    /// <summary>Writes a file without a manifest, as a run does that is killed: half of it, or all.</summary>
    private static async Task LeaveAsync(IBackupDestination place, string folder, bool isComplete)
    {
        BackupFileStream file = await place.Open(folder).CreateAsync(
            isComplete ? "b.ravendb-full-backup" : "a.ravendb-full-backup", Bytes, CancellationToken.None);
        await file.WriteAsync(new byte[Bytes], CancellationToken.None);
        if (isComplete)
        {
            await file.CompleteAsync(CancellationToken.None);
            await file.DisposeAsync();
        }
    }

    private static async Task<string[]> NamesAsync(IBackupDestination place) =>
        [.. (await place.ListAsync(CancellationToken.None)).Order(StringComparer.Ordinal)];
}
