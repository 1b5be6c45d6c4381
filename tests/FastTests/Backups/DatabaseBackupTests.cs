using FastTests.Documents;
using Raven.Documents.Backups;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Shared.Storage;

namespace FastTests.Backups;

/// <summary>What a run leaves at its destination, whatever the disk does meanwhile, and what is removed.</summary>
public sealed class DatabaseBackupTests : IDisposable
{
    private static readonly DateTimeOffset Start = new(2026, 3, 1, 1, 0, 0, TimeSpan.Zero);

    private readonly TestDatabase _database = new();
    private readonly SimulatedFolders _folders = new();

    public void Dispose()
    {
        _database.Dispose();
        _folders.Dispose();
    }

    [Fact]
    [Trait("Row", "70")]
    [Trait("Invariant", "BKP-1")]
    [Trait("Invariant", "BKP-2")]
    public async Task A_power_cut_at_any_moment_of_a_run_leaves_whole_backups_alone()
    {
        _database.Put("a", """{"N":1}""");
        string folder = (await RunAsync()).Folder;
        SimulatedFileSystem disk = _folders[folder];
        int before = disk.Log.Count;
        _database.Put("b", """{"N":2}""");
        Assert.True((await RunAsync(folder)).IsMade);
        var random = new Random(5);
        HashSet<int> lengths = [];
        for (int cut = before + 1; cut <= disk.Log.Count; cut++)
        {
            using var images = new CrashImages(disk.Log);
            images.AdvanceTo(cut);
            for (int i = 0; i < 6; i++)
            {
                lengths.Add(await CheckAllAsync(folder, images.MakeNumber(i, random)));
            }
        }

        using var end = new CrashImages(disk.Log);
        end.AdvanceToEnd();
        Assert.Equal(2, await CheckAllAsync(folder, end.MakeNumber(1, random)));
        Assert.Equal([1, 2], lengths.Order());
    }

    [Theory]
    [Trait("Row", "70")]
    [Trait("Invariant", "BKP-4")]
    [InlineData(nameof(DiskFaultKind.InputOutputError))]
    [InlineData(nameof(DiskFaultKind.DiskFull))]
    [InlineData(nameof(DiskFaultKind.ShortWrite))]
    [InlineData(nameof(DiskFaultKind.LostSync))]
    [InlineData(nameof(DiskFaultKind.FlippedBit))]
    [InlineData(nameof(DiskFaultKind.ReadError))]
    public async Task A_run_that_the_destination_fails_leaves_the_last_backup_and_the_next_one_succeeds(
        string fault)
    {
        const int callsMax = 24;
        DiskFaultKind kind = Enum.Parse<DiskFaultKind>(fault);
        _database.Put("a", """{"N":1}""");
        int succeeded = 0;
        for (int at = 0; at < callsMax; at++)
        {
            string folder = (await RunAsync()).Folder;
            SimulatedFileSystem disk = _folders[folder];
            _database.Put($"b/{at}", """{"N":2}""");
            disk.Fault = new DiskFault(kind, disk.CallsOf(kind) + at, IsSticky: kind != DiskFaultKind.FlippedBit);
            Exception? failed = await Record.ExceptionAsync(() => RunAsync(folder));
            disk.Fault = null;
            Assert.True(failed is null or StorageIOException or BackupException, $"{failed}");
            succeeded += failed is null ? 1 : 0;

            // What failed at its very end may be there, whole: then nothing has changed since.
            BackupResult next = await RunAsync(folder);
            BackupFolder made = await OpenAsync(next.Folder);
            IReadOnlyList<BackupManifest> chain = await made.ReadChainAsync(null, CancellationToken.None);
            await BackupVerification.CheckFilesAsync(made, chain, CancellationToken.None);
            Assert.Equal(at + 2, chain[^1].Documents);
        }

        Assert.InRange(succeeded, 1, callsMax - 1);
    }

    [Fact]
    public async Task A_destination_that_fills_up_loses_nothing_of_what_was_there()
    {
        _database.Put("a", """{"N":1}""");
        string folder = (await RunAsync()).Folder;
        long used = new QuotaFileSystem(_folders[folder]).UsedBytes;
        _database.Put("b", $$"""{"Text":"{{Noise(200_000)}}"}""");
        _folders.Wrap = files => new QuotaFileSystem(files) { BytesMax = used + 40_000 };
        StorageIOException full = await Assert.ThrowsAsync<StorageIOException>(() => RunAsync(folder));
        Assert.True(full.IsDiskFull);
        Assert.Equal(2, _folders[folder].List().Count);
        _folders.Wrap = files => files;
        Assert.False((await RunAsync(folder)).Manifest.IsFull);
    }

    [Fact]
    public async Task A_run_that_is_cancelled_leaves_no_file_and_no_folder()
    {
        _database.Put("a", """{"N":1}""");
        using var stop = new CancellationTokenSource();
        BackupRequest request = Request() with { Copied = _ => stop.Cancel() };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => DatabaseBackup.RunAsync(_database.Database, Destination, request, stop.Token));
        Assert.Empty(_folders.List());
        string folder = (await RunAsync()).Folder;
        _database.Put("b", "{}");
        using var again = new CancellationTokenSource();
        request = Request(folder) with { Copied = _ => again.Cancel() };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(
            () => DatabaseBackup.RunAsync(_database.Database, Destination, request, again.Token));
        Assert.Equal(2, _folders[folder].List().Count);
        Assert.False((await RunAsync(folder)).Manifest.IsFull);
    }

    [Fact]
    public async Task Backups_of_one_second_have_names_of_their_own()
    {
        _database.Put("a", "{}");
        string first = (await RunAsync()).Folder;
        string second = (await RunAsync()).Folder;
        Assert.Equal("2026-03-01-01-00-00.ravendb-test-A-backup", first);
        Assert.Equal("2026-03-01-01-00-00-1.ravendb-test-A-backup", second);
        for (int i = 0; i < 3; i++)
        {
            _database.Put($"b/{i}", "{}");
            await RunAsync(first);
        }

        BackupFolder folder = await OpenAsync(first);
        Assert.Equal(4, (await folder.ReadChainAsync(null, CancellationToken.None)).Count);
    }

    [Fact]
    [Trait("Invariant", "BKP-3")]
    public async Task What_a_killed_run_left_is_removed_by_the_next()
    {
        _database.Put("a", "{}");
        string folder = (await RunAsync()).Folder;
        SimulatedFileSystem disk = _folders[folder];
        foreach (string name in (string[])
            ["x.ravendb-incremental-backup.in-progress", "y.ravendb-incremental-backup", "a stranger's file"])
        {
            disk.Open(name, FileOpenMode.Create).Dispose();
        }

        _database.Put("b", "{}");
        await RunAsync(folder);
        Assert.Equal(5, disk.List().Count);
        Assert.Contains("a stranger's file", disk.List());
    }

    [Fact]
    [Trait("Row", "80")]
    [Trait("Invariant", "BKP-6")]
    public async Task Retention_removes_whole_old_chains_of_its_task_and_never_the_newest_that_is_whole()
    {
        List<string> folders = [];
        for (int week = 0; week < 4; week++)
        {
            _database.Put($"d/{week}", "{}");
            BackupRequest request = Request() with { TaskId = 7, Now = Start.AddDays(7 * week) };
            folders.Add((await RunAsync(request)).Folder);
            _database.Put($"e/{week}", "{}");
            await RunAsync(request with { IsIncremental = true, Folder = folders[^1], Now = request.Now.AddDays(1) });
        }

        string other = (await RunAsync(Request() with { TaskId = 8 })).Folder;
        _folders.Open("stranger.ravendb-test-A-backup").Open("file", FileOpenMode.Create).Dispose();
        Assert.Equal([folders[0]], await RetainAsync(7, Start.AddDays(8)));
        Assert.Empty(await RetainAsync(7, Start.AddDays(8)));

        // The newest one is damaged: the one before it is the last that is whole.
        SimulatedFileSystem disk = _folders[folders[3]];
        using (IFile file = disk.Open(disk.List().First(IsFull), FileOpenMode.Existing))
        {
            file.WriteAt(50, [1, 2, 3]);
        }

        _folders.Deletion = StorageIOExceptionOf("denied");
        List<string> problems = [];
        Assert.Empty(await RetainAsync(7, DateTimeOffset.MaxValue, problems));
        Assert.Contains("denied", Assert.Single(problems), StringComparison.Ordinal);
        _folders.Deletion = null;
        Assert.Equal([folders[1]], await RetainAsync(7, DateTimeOffset.MaxValue));
        Assert.Equal(
            new[] { folders[2], folders[3], other, "stranger.ravendb-test-A-backup" }.Order(), _folders.List().Order());

        static bool IsFull(string name) => name.EndsWith("-full-backup", StringComparison.Ordinal);
    }

    private static StorageIOException StorageIOExceptionOf(string reason) => new("folder", "deleting", 13, reason);

    private static string Noise(int length)
    {
        var random = new Random(length);
        return string.Concat(Enumerable.Range(0, length).Select(_ => (char)('a' + random.Next(26))));
    }

    private static async Task<int> CheckAllAsync(string name, DiskImage image)
    {
        using var disk = new SimulatedFileSystem(image);
        var folder = new BackupFolder(name, new LocalFiles(() => disk));
        IReadOnlyList<BackupManifest> chain = await folder.ReadChainAsync(null, CancellationToken.None);
        await BackupVerification.CheckFilesAsync(folder, chain, CancellationToken.None);
        return chain.Count;
    }

    private LocalDestination Destination => new(_folders, "folders");

    private Task<BackupFolder> OpenAsync(string name) =>
        DatabaseRestore.OpenAsync(Destination, name, CancellationToken.None);

    private Task<IReadOnlyList<string>> RetainAsync(
        long task, DateTimeOffset since, List<string>? problems = null) => BackupRetention.RunAsync(
            Destination,
            new RetentionRequest
            {
                TaskId = task, DatabaseId = _database.Database.Id.Text, KeptSince = since,
            },
            problems ?? [], CancellationToken.None);

    private static BackupRequest Request(string? folder = null) =>
        new() { Now = Start, Folder = folder, IsIncremental = folder is not null };

    private Task<BackupResult> RunAsync(string? folder = null) => RunAsync(Request(folder));

    private Task<BackupResult> RunAsync(BackupRequest request) =>
        DatabaseBackup.RunAsync(_database.Database, Destination, request, CancellationToken.None);
}
