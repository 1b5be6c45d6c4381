using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents.Backups;
using Raven.Documents.Catalog;
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
        using BegunFolders.Run inFile = Other().Of(place);
        await inFile.BeginAsync(Left, CancellationToken.None);
        using BegunFolders.Run behindManifest = Other().Of(place);
        await behindManifest.BeginAsync(whole, CancellationToken.None);
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
        using BegunFolders.Run begun = Other().Of(place);
        await begun.BeginAsync(Left, CancellationToken.None);
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

    [Fact]
    [Trait("Invariant", "BEGUN-1")]
    public async Task A_folder_that_is_being_removed_is_begun_behind_that_and_one_that_is_begun_is_not_removed()
    {
        using var place = new HeldPlace();
        BegunFolders folders = Other();
        using (BegunFolders.Run killed = Other().Of(place))
        {
            await killed.BeginAsync(Left, CancellationToken.None);
        }

        List<string> problems = [];
        Task removal = folders.RemoveLeftAsync(place, problems, CancellationToken.None);
        await place.Asked.Task.WaitAsync(Deadline.Hang);
        using BegunFolders.Run next = folders.Of(place);
        Task begin = next.BeginAsync(Left, CancellationToken.None).AsTask();
        Assert.False(begin.IsCompleted);
        using (var stop = new CancellationTokenSource())
        using (BegunFolders.Run stopped = folders.Of(place))
        {
            Task waits = stopped.BeginAsync(Left, stop.Token).AsTask();
            await stop.CancelAsync();
            await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waits);
        }

        // Another cleaner leaves to this one what it removes.
        await folders.RemoveLeftAsync(place, problems, CancellationToken.None);
        place.Answer.SetResult(false);
        await removal;
        await begin;
        Assert.Equal([Left], place.Deleted);
        Assert.Equal(1, folders.Count);

        // While one run has it, also if another one has left.
        using (BegunFolders.Run same = folders.Of(place))
        {
            await same.BeginAsync(Left, CancellationToken.None);
        }

        await folders.RemoveLeftAsync(place, problems, CancellationToken.None);
        Assert.Equal([Left], place.Deleted);
        Assert.Empty(problems);
        next.Complete();
        Assert.Equal(0, folders.Count);
    }

    [Fact]
    [Trait("Invariant", "BEGUN-1")]
    public async Task What_cannot_be_read_and_what_is_old_is_forgotten()
    {
        using var place = new HeldPlace();
        ServerRecords records = Backups.State.Databases.Records;
        string[] broken =
        [
            "", "{", "[1]", "null", "{\"Place\":1,\"Folder\":\"x\"}", "{\"Place\":\"x\",\"Place\":\"y\"}",
            "{\"Place\":\"elsewhere\",\"Folder\":\"x\",\"At\":\"never\"}",
            "{\"Place\":\"elsewhere\",\"Folder\":\"x\",\"At\":\"2020-01-01T00:00:00Z\"}",
        ];
        records.Write([.. broken.Select((text, i) => new KeyValuePair<string, byte[]?>(
            $"backups-begun/{i}", System.Text.Encoding.UTF8.GetBytes(text)))]);
        string now = DateTimeOffset.UtcNow.ToString("O", System.Globalization.CultureInfo.InvariantCulture);
        records.Write([new("backups-begun/new", System.Text.Encoding.UTF8.GetBytes(
            $$"""{"Place":"elsewhere","Folder":"x","At":"{{now}}"}"""))]);
        List<string> problems = [];
        await Other().RemoveLeftAsync(place, problems, CancellationToken.None);
        Assert.Empty(problems);
        Assert.Empty(place.Deleted);
        Assert.Equal("backups-begun/new", Assert.Single(records.Read("backups-begun/")).Key);
        records.Write([new("backups-begun/new", null)]);
    }

    [Fact]
    [Trait("Invariant", "BEGUN-1")]
    public async Task One_backup_without_a_task_writes_down_what_it_copies()
    {
        (string name, _) = await server.CreateAsync();
        using IBackupDestination place = Open(name, isLocal: false);
        server.S3.Fault = call => call.Kind is S3CallKind.Put or S3CallKind.Begin ? S3Fault.Skewed : S3Fault.None;
        await RunOnceAsync(name, "Faulted");
        Assert.Equal(1, Backups.State.Backups.Work.Begun.Count);

        server.S3.Fault = _ => S3Fault.None;
        await LeaveAsync(place, Left, isComplete: true);
        using BegunFolders.Run killed = Other().Of(place);
        await killed.BeginAsync(Left, CancellationToken.None);
        await RunOnceAsync(name, "Completed");
        Assert.Equal(0, Backups.State.Backups.Work.Begun.Count);
        Assert.DoesNotContain(Left, Assert.Single(await NamesAsync(place)), StringComparison.Ordinal);
    }

    [Fact]
    public void Buckets_of_one_name_are_places_of_their_own_on_each_server()
    {
        S3Settings Of(string url, string region, string bucket, string folder)
        {
            using var json = System.Text.Json.JsonDocument.Parse(
                $$"""
                {"BucketName":"{{bucket}}","RemoteFolderName":"{{folder}}","AwsAccessKey":"a","AwsSecretKey":"hidden",
                 "AwsRegionName":"{{region}}","CustomServerUrl":"{{url}}"}
                """);
            return S3Settings.Parse(json.RootElement);
        }

        string[] keys =
        [
            Of("https://one:9000", "a", "bucket", "x").Key, Of("https://two:9000", "a", "bucket", "x").Key,
            Of("https://one:9001", "a", "bucket", "x").Key, Of("", "a", "bucket", "x").Key,
            Of("", "b", "bucket", "x").Key, Of("", "a", "bucket2", "x").Key, Of("", "a", "bucket", "y").Key,
        ];
        Assert.Equal(keys.Length, keys.Distinct().Count());
        Assert.Equal(keys[0], Of("https://ONE:9000/", "a", "bucket", "/x/").Key);
        Assert.All(keys, key => Assert.DoesNotContain("hidden", key, StringComparison.Ordinal));
    }

    /// <summary>The folders as another process would see them.</summary>
    private BegunFolders Other() => new(Backups.State.Databases.Records, TimeProvider.System);

    private async Task RunOnceAsync(string name, string status)
    {
        HttpAnswer answer = await Backups.SendAsync(
            "POST", $"/databases/{name}/admin/backup",
            $$"""
            {"LocalSettings":{"FolderPath":"{{Backups.Folder(name)}}"},"S3Settings":{{server.S3.Settings(name)}}}
            """);
        await Backups.EndAsync((long)answer.Expect(System.Net.HttpStatusCode.OK).Json["OperationId"]!, status);
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

    /// <summary>A place that says only when a test lets it that a folder is not there.</summary>
    private sealed class HeldPlace : IBackupDestination
    {
        public string Description => "held";

        public string Key => "held";

        internal TaskCompletionSource Asked { get; } = new();

        internal TaskCompletionSource<bool> Answer { get; } = new();

        internal List<string> Deleted { get; } = [];

        public async ValueTask<bool> ExistsAsync(string folder, CancellationToken cancellation)
        {
            Asked.TrySetResult();
            return await Answer.Task.WaitAsync(cancellation);
        }

        public ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellation) =>
            ValueTask.FromResult<IReadOnlyList<string>>([]);

        public IBackupFiles Open(string folder) => throw new NotSupportedException();

        public ValueTask DeleteAsync(string folder, CancellationToken cancellation)
        {
            Deleted.Add(folder);
            return ValueTask.CompletedTask;
        }

        public void Dispose()
        {
        }
    }
}
