using System.Net;
using System.Text.Json.Nodes;
using Raven.Documents.Backups;

namespace FastTests.Server.Backups;

/// <summary>Tasks of backups over HTTP: what is refused, what their status says, and what restores refuse.</summary>
public sealed class BackupHttpTests(BackupServer backups) : IClassFixture<BackupServer>
{
    private static int _count;

    private readonly string _name = $"b{Interlocked.Increment(ref _count)}";

    [Fact]
    public async Task A_task_is_shown_changed_run_switched_and_deleted()
    {
        await CreateAsync();
        long task = await backups.PutTaskAsync(
            _name, ",\"RetentionPolicy\":{\"MinimumBackupAgeToKeep\":\"1.00:00:00\"}");
        Assert.Null((await backups.StatusAsync(_name, task))["Status"]);
        JsonNode shown = await TaskAsync(task);
        Assert.Equal("nightly", (string?)shown["TaskName"]);
        Assert.Equal("A", (string?)shown["ResponsibleNode"]!["NodeTag"]);
        Assert.False((bool)shown["NextBackup"]!["IsFull"]!);
        Assert.Equal("1.00:00:00", (string?)shown["RetentionPolicy"]!["MinimumBackupAgeToKeep"]);

        await backups.RunAsync(_name, task, isFull: true);
        JsonNode status = (await backups.StatusAsync(_name, task))["Status"]!;
        Assert.True((bool)status["IsFull"]!);
        Assert.False((bool)status["IsEncrypted"]!);
        Assert.Null(status["Error"]);
        Assert.Equal(status["LastFullBackup"]!.ToString(), status["LocalBackup"]!["LastFullBackup"]!.ToString());
        Assert.Equal("Hashes", (string?)status["LastVerified"]!["Mode"]);
        Assert.Single(status["History"]!.AsArray());
        Assert.NotNull((await TaskAsync(task))["LastFullBackup"]);

        (await backups.SendAsync(
            "POST", $"/databases/{_name}/admin/tasks/state?key={task}&type=Backup&disable=true"))
            .Expect(HttpStatusCode.OK);
        shown = await TaskAsync(task);
        Assert.Equal("Disabled", (string?)shown["TaskState"]);
        Assert.Null(shown["NextBackup"]);
        (await backups.SendAsync("DELETE", $"/databases/{_name}/admin/tasks?id={task}&type=Backup"))
            .Expect(HttpStatusCode.OK);
        (await backups.SendAsync("GET", $"/databases/{_name}/task?key={task}&type=Backup"))
            .ExpectError(404, $"backup task {task}");
    }

    [Fact]
    public async Task A_run_without_changes_makes_no_file_and_says_so()
    {
        await CreateAsync();
        long task = await backups.PutTaskAsync(_name);
        JsonNode first = await backups.RunAsync(_name, task, isFull: false);
        Assert.Contains("There is no full backup yet", first.ToJsonString(), StringComparison.Ordinal);
        JsonNode second = await backups.RunAsync(_name, task, isFull: false);
        Assert.Contains("Nothing has changed", second.ToJsonString(), StringComparison.Ordinal);
        Assert.Equal(2, Directory.GetFiles(backups.LastFolder(_name)).Length);
        JsonNode status = (await backups.StatusAsync(_name, task))["Status"]!;
        Assert.Equal(2, status["History"]!.AsArray().Count);
        Assert.NotNull(status["LastIncrementalBackup"]);
    }

    [Theory]
    [InlineData("""{"FullBackupFrequency":"0 1 * * *"}""", 400, "FolderPath")]
    [InlineData("""{"LocalSettings":{"FolderPath":"~"}}""", 400, "FullBackupFrequency or")]
    [InlineData("""{"FullBackupFrequency":"0 0 30 2 *","LocalSettings":{"FolderPath":"~"}}""", 400, "no schedule")]
    [InlineData("""{"FullBackupFrequency":"* * * * * *","LocalSettings":{"FolderPath":"~"}}""", 400, "no schedule")]
    [InlineData("""{"FullBackupFrequency":"@reboot","LocalSettings":{"FolderPath":"~"}}""", 400, "no schedule")]
    [InlineData("""{"FullBackupFrequency":"*/0 * * * *","LocalSettings":{"FolderPath":"~"}}""", 400, "no schedule")]
    [InlineData("""{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"relative"}}""", 400, "full path")]
    [InlineData("""{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~/../../x"}}""", 400, "not below")]
    [InlineData("""{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"/dev/shm"}}""", 400, "not below")]
    [InlineData(
        """{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~","GetBackupConfigurationScript":{}}}""",
        400, "program")]
    [InlineData(
        """{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"},"S3Settings":{"BucketName":"b"}}""",
        400, "AwsRegionName")]
    [InlineData(
        """{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"},"AzureSettings":{"Name":"b"}}""",
        501, "AzureSettings")]
    [InlineData(
        """{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"},"MaxReadOpsPerSecond":0}""",
        400, "MaxReadOpsPerSecond")]
    [InlineData(
        """
        {"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"},
         "BackupEncryptionSettings":{"EncryptionMode":"UseProvidedKey","Key":"c2hvcnQ="}}
        """,
        400, "32 bytes")]
    [InlineData(
        """
        {"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"},
         "BackupEncryptionSettings":{"EncryptionMode":"UseDatabaseKey"}}
        """,
        400, "UseProvidedKey")]
    [InlineData(
        """
        {"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"},
         "RetentionPolicy":{"MinimumBackupAgeToKeep":"soon"}}
        """,
        400, "MinimumBackupAgeToKeep")]
    [InlineData(
        """{"TaskId":99,"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"}}""", 404,
        "no backup task")]
    [Trait("Row", "75")]
    [Trait("Row", "76")]
    [Trait("Row", "81")]
    [Trait("Invariant", "PLACE-1")]
    public async Task A_task_that_is_not_valid_is_refused_and_nothing_is_stored(string body, int status, string says)
    {
        await CreateAsync();
        (await backups.SendAsync(
            "POST", $"/databases/{_name}/admin/periodic-backup",
            body.Replace("~", backups.Folder(_name), StringComparison.Ordinal))).ExpectError(status, says);
        Assert.Empty(backups.State.Backups.Tasks.Of(_name));
    }

    [Fact]
    [Trait("Row", "76")]
    [Trait("Invariant", "PLACE-1")]
    public async Task A_link_out_of_the_root_is_followed_before_it_is_decided()
    {
        await CreateAsync();
        string link = backups.Folder("link-" + _name);
        string outside = Directory.CreateTempSubdirectory("raven-outside-").FullName;
        try
        {
            Directory.CreateSymbolicLink(link, outside);
            (await backups.SendAsync(
                "POST", $"/databases/{_name}/admin/backup",
                $$"""{"LocalSettings":{"FolderPath":"{{link}}/deep"} }""")).ExpectError(400, "not below");
        }
        finally
        {
            Directory.Delete(outside, recursive: true);
        }
    }

    [Fact]
    public async Task A_key_is_stored_sealed_shown_as_asterisks_and_kept_when_they_come_back()
    {
        await CreateAsync();
        string key = Convert.ToBase64String(new byte[32]);
        string settings =
            $",\"BackupEncryptionSettings\":{{\"EncryptionMode\":\"UseProvidedKey\",\"Key\":\"{key}\"}}";
        long task = await backups.PutTaskAsync(_name, settings);
        string record = (await backups.SendAsync("GET", $"/databases/{_name}/admin/record")).Text;
        Assert.DoesNotContain(key, record, StringComparison.Ordinal);
        await backups.SendAsync("POST", $"/databases/{_name}/admin/tasks/state?key={task}&type=Backup&disable=true");
        Assert.Equal(key, Assert.Single(backups.State.Backups.Tasks.Of(_name)).Key);
        await backups.RunAsync(_name, task, isFull: true);
        string folder = backups.LastFolder(_name);
        Assert.EndsWith(
            ".ravendb-encrypted-full-backup", Directory.GetFiles(folder).Order().First(), StringComparison.Ordinal);
        Assert.DoesNotContain(
            key, await File.ReadAllTextAsync(Directory.GetFiles(folder, "*.json").Single()), StringComparison.Ordinal);
        string restore = $$"""{"DatabaseName":"{{_name}}-x","BackupLocation":"{{folder}}"}""";
        (await backups.SendAsync("POST", "/admin/restore/database", restore)).ExpectError(400, "its key is needed");
        string other = Convert.ToBase64String(Enumerable.Repeat((byte)1, 32).ToArray());
        (await backups.SendAsync(
            "POST", "/admin/restore/database", restore[..^1] + $",\"EncryptionKey\":\"{other}\"}}"))
            .ExpectError(400, "another key");
        JsonNode state = await backups.RestoreAsync($"{_name}-x", folder, $",\"EncryptionKey\":\"{key}\"");
        Assert.Contains(
            "PeriodicBackups", Assert.Single(state["Result"]!["SecretsToEnter"]!.AsArray())!.ToString(),
            StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Row", "83")]
    public async Task A_restore_over_a_name_that_is_taken_is_refused_before_it_begins()
    {
        await CreateAsync();
        long task = await backups.PutTaskAsync(_name);
        await backups.RunAsync(_name, task, isFull: true);
        string folder = backups.LastFolder(_name);
        foreach (string name in (string[])[_name, _name.ToUpperInvariant()])
        {
            (await backups.SendAsync(
                "POST", "/admin/restore/database", $$"""{"DatabaseName":"{{name}}","BackupLocation":"{{folder}}"}"""))
                .ExpectError(400, "already");
        }

        await backups.CreateAsync($"{_name}-soft");
        await backups.SendAsync("DELETE", $"/admin/databases?name={_name}-soft");
        (await backups.SendAsync(
            "POST", "/admin/restore/database",
            $$"""{"DatabaseName":"{{_name}}-soft","BackupLocation":"{{folder}}"}""")).ExpectError(400, "are kept");
        (await backups.SendAsync(
            "POST", "/admin/restore/database", $$"""{"DatabaseName":"a/b","BackupLocation":"{{folder}}"}"""))
            .ExpectError(400, "DatabaseName");
        (await backups.SendAsync(
            "POST", "/admin/restore/database",
            $$"""{"DatabaseName":"q","BackupLocation":"{{folder}}","DataDirectory":"/tmp/x"}"""))
            .ExpectError(400, "DataDirectory");
        (await backups.SendAsync(
            "POST", "/admin/restore/database", $$"""{"DatabaseName":"q","BackupLocation":"{{folder}}x"}"""))
            .ExpectError(400, "There is no folder");
        (await backups.SendAsync(
            "POST", "/admin/restore/database", """{"DatabaseName":"q","Type":"S3","BackupLocation":"x"}"""))
            .ExpectError(400, "Settings");
    }

    [Fact]
    public async Task A_restore_that_has_no_room_is_refused_before_it_begins()
    {
        await CreateAsync();
        long task = await backups.PutTaskAsync(_name);
        await backups.RunAsync(_name, task, isFull: true);
        string folder = backups.LastFolder(_name);
        string path = Directory.GetFiles(folder, "*" + BackupManifest.Suffix).Single();
        BackupManifest manifest = BackupManifest.Parse(Path.GetFileName(path), await File.ReadAllBytesAsync(path));
        Assert.InRange(manifest.StorageBytes, 8192, 1 << 24);
        await File.WriteAllBytesAsync(path, (manifest with { StorageBytes = 1L << 60 }).ToBytes());
        foreach (string body in (string[])
            [
                $$"""{"DatabaseName":"q","BackupLocation":"{{folder}}"}""",
                $$"""{"Mode":"Restore","BackupLocation":"{{folder}}"}""",
            ])
        {
            string route = body.Contains("Mode", StringComparison.Ordinal) ? "backup/verify" : "restore/database";
            (await backups.SendAsync("POST", $"/admin/{route}", body)).ExpectError(507, "bytes when it is restored");
        }
    }

    [Fact]
    [Trait("Row", "73")]
    [Trait("Invariant", "BKP-5")]
    public async Task A_damaged_file_is_named_by_verification_and_restore_and_nothing_becomes_visible()
    {
        (string folder, _) = await ChainAsync();
        await backups.VerifyAsync(folder, "Hashes");
        await backups.VerifyAsync(folder, "Restore");
        string file = Directory.GetFiles(folder, "*-incremental-backup").Order().Last();
        byte[] bytes = await File.ReadAllBytesAsync(file);
        bytes[bytes.Length / 2] ^= 4;
        await File.WriteAllBytesAsync(file, bytes);
        foreach (JsonNode state in (JsonNode[])
            [
                await backups.VerifyAsync(folder, "Hashes", "Faulted"),
                await backups.VerifyAsync(folder, "Restore", "Faulted"),
                await backups.RestoreAsync($"{_name}-x", folder, status: "Faulted"),
            ])
        {
            Assert.Contains(
                Path.GetFileName(file), (string?)state["Result"]!["Message"], StringComparison.Ordinal);
        }

        (await backups.SendAsync("GET", $"/databases/{_name}-x/docs")).ExpectError(503, "does not exist");
        Assert.DoesNotContain($"{_name}-x", backups.State.Databases.Names());
        string manifest = file + ".manifest.json";
        string text = await File.ReadAllTextAsync(manifest);
        await File.WriteAllTextAsync(
            manifest, text.Replace("\"LastEtag\":", "\"LastEtag\":1", StringComparison.Ordinal));
        (await backups.SendAsync("POST", "/admin/backup/verify", $$"""{"BackupLocation":"{{folder}}"}"""))
            .ExpectError(400, Path.GetFileName(manifest));
    }

    [Fact]
    [Trait("Row", "72")]
    public async Task A_gap_in_a_chain_is_named_and_the_next_run_is_a_full_one()
    {
        (string folder, long task) = await ChainAsync();
        string middle = Directory.GetFiles(folder, "*.json").Select(path => BackupManifest.Parse(
            Path.GetFileName(path), File.ReadAllBytes(path))).OrderBy(one => one.TransactionId).ElementAt(1).File;
        File.Delete(Path.Combine(folder, middle));
        File.Delete(Path.Combine(folder, middle + BackupManifest.Suffix));
        (await backups.SendAsync(
            "POST", "/admin/restore/database",
            $$"""{"DatabaseName":"{{_name}}-x","BackupLocation":"{{folder}}"}""")).ExpectError(400, "is missing");
        await backups.SendAsync("PUT", $"/databases/{_name}/docs?id=last", "{}");
        JsonNode state = await backups.RunAsync(_name, task, isFull: false);
        Assert.True((bool)state["Result"]!["IsFull"]!);
        Assert.Contains("is missing", state.ToJsonString(), StringComparison.Ordinal);
        await backups.RestoreAsync($"{_name}-y", backups.LastFolder(_name));
    }

    [Fact]
    public async Task After_a_compaction_the_next_run_is_a_full_one()
    {
        await CreateAsync();
        long task = await backups.PutTaskAsync(_name);
        await backups.RunAsync(_name, task, isFull: true);
        HttpAnswer answer = await backups.SendAsync(
            "POST", "/admin/compact", $$"""{"DatabaseName":"{{_name}}","Documents":true}""");
        await backups.EndAsync((long)answer.Json["OperationId"]!, "Completed");
        JsonNode state = await backups.RunAsync(_name, task, isFull: false);
        Assert.Contains("compaction", state.ToJsonString(), StringComparison.Ordinal);
        Assert.True((bool)state["Result"]!["IsFull"]!);
    }

    [Fact]
    public async Task A_restored_database_goes_on_and_its_next_run_does_not_follow_the_files_of_the_other()
    {
        (string folder, long task) = await ChainAsync();
        await backups.SendAsync("DELETE", $"/admin/databases?name={_name}&hard-delete=true");
        await backups.RestoreAsync(_name, folder);
        await backups.SendAsync("PUT", $"/databases/{_name}/docs?id=other", "{}");
        Assert.Equal(task, Assert.Single(backups.State.Backups.Tasks.Of(_name)).TaskId);
        JsonNode state = await backups.RunAsync(_name, task, isFull: false);
        Assert.True((bool)state["Result"]!["IsFull"]!);
    }

    [Fact]
    public async Task Points_of_a_folder_are_listed_with_what_each_needs()
    {
        (string folder, _) = await ChainAsync();
        HttpAnswer answer = await backups.SendAsync(
            "POST", "/admin/restore/points?type=Local", $$"""{"FolderPath":"{{Path.GetDirectoryName(folder)}}"}""");
        JsonArray points = answer.Expect(HttpStatusCode.OK).Json["List"]!.AsArray();
        Assert.Equal([1, 2, 3], points.Select(point => (int)point!["FilesToRestore"]!));
        Assert.All(points, point => Assert.Equal(_name, (string?)point!["DatabaseName"]));
        Assert.All(points, point => Assert.Equal(folder, (string?)point!["Location"]));
    }

    [Fact]
    [Trait("Row", "74")]
    [Trait("Invariant", "STATUS-1")]
    public async Task A_destination_that_is_gone_is_in_the_status_and_the_times_of_the_last_backup_stay()
    {
        (string folder, long task) = await ChainAsync();
        JsonNode before = (await backups.StatusAsync(_name, task))["Status"]!;
        string root = Path.GetDirectoryName(folder)!;
        Directory.Delete(root, recursive: true);
        await File.WriteAllTextAsync(root, "a file is in its place");
        await backups.RunAsync(_name, task, isFull: true, status: "Faulted");
        JsonNode after = (await backups.StatusAsync(_name, task))["Status"]!;
        Assert.NotNull(after["Error"]!["Exception"]);
        Assert.Equal(before["LastFullBackup"]!.ToString(), after["LastFullBackup"]!.ToString());
        File.Delete(root);
        await backups.RunAsync(_name, task, isFull: false);
        Assert.Null((await backups.StatusAsync(_name, task))["Status"]!["Error"]);
    }

    [Fact]
    public async Task A_schedule_says_when_it_comes_true()
    {
        JsonNode valid = (await backups.SendAsync(
            "GET", "/studio-tasks/next-cron-expression-occurrence?expression=0%201%20*%20*%20*")).Json;
        Assert.True((bool)valid["IsValid"]!);
        Assert.NotNull(valid["Utc"]);
        JsonNode wrong = (await backups.SendAsync(
            "GET", "/studio-tasks/next-cron-expression-occurrence?expression=never")).Json;
        Assert.False((bool)wrong["IsValid"]!);
        Assert.NotNull(wrong["ErrorMessage"]);
    }

    [Fact]
    public async Task A_delay_of_a_task_that_does_not_run_is_refused()
    {
        await CreateAsync();
        long task = await backups.PutTaskAsync(_name);
        (await backups.SendAsync(
            "POST", $"/admin/backup-task/delay?database={_name}&taskId={task}&duration=01:00:00"))
            .ExpectError(404, "does not run now");
        (await backups.SendAsync(
            "POST", $"/admin/backup-task/delay?database={_name}&taskId={task}&duration=soon"))
            .ExpectError(400, "duration");
        JsonNode running = (await backups.SendAsync(
            "GET", $"/databases/{_name}/admin/backup/running?taskId={task}")).Json;
        Assert.Null(running["OnGoingBackup"]);
        JsonNode config = (await backups.SendAsync(
            "GET", $"/databases/{_name}/admin/periodic-backup/config")).Json;
        Assert.NotNull(config["LocalRootPath"]);
    }

    private Task CreateAsync() => backups.CreateAsync(_name);

    /// <summary>A full backup and two that follow it.</summary>
    private async Task<(string Folder, long Task)> ChainAsync()
    {
        await CreateAsync();
        long task = await backups.PutTaskAsync(_name);
        for (int i = 0; i < 3; i++)
        {
            (await backups.SendAsync("PUT", $"/databases/{_name}/docs?id=d/{i}", $$"""{"N":{{i}}}"""))
                .Expect(HttpStatusCode.Created);
            await backups.RunAsync(_name, task, isFull: i == 0);
        }

        return (backups.LastFolder(_name), task);
    }

    private async Task<JsonNode> TaskAsync(long task) => (await backups.SendAsync(
        "GET", $"/databases/{_name}/task?key={task}&type=Backup")).Expect(HttpStatusCode.OK).Json;
}
