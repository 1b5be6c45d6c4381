using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;
using Raven.Documents.Backups;
using Raven.Documents.Operations;

namespace FastTests.Server.Backups;

/// <summary>Folders of backups that somebody has made up, requests that name no file of ours, and databases that go
/// while they are backed up.</summary>
public sealed class HostileBackupTests(BackupServer backups) : IClassFixture<BackupServer>
{
    private static int _count;

    private readonly string _name = $"h{Interlocked.Increment(ref _count)}";

    [Theory]
    [Trait("Row", "82")]
    [InlineData("../../etc/x")]
    [InlineData("/etc/passwd")]
    [InlineData("sub/x.ravendb-full-backup")]
    [InlineData("..")]
    public async Task A_manifest_that_names_another_file_is_refused(string file)
    {
        (string folder, string path, BackupManifest manifest) = await MakeAsync();
        await File.WriteAllBytesAsync(path, (manifest with { File = file }).ToBytes());
        string[] before = Directory.GetFileSystemEntries(backups.Folder(""));
        await RefusedAsync(folder, "another file");
        Assert.Equal(before, Directory.GetFileSystemEntries(backups.Folder("")));
    }

    /// <summary>Their hashes are right: whoever can write into the folder can make them.</summary>
    [Theory]
    [Trait("Row", "73")]
    [InlineData("EnvironmentId", "\"fffffffffffffffffffffffff\"")]
    [InlineData("Kind", "\"9\"")]
    [InlineData("Kind", "\"Incremental\"")]
    [InlineData("Compression", "\"7\"")]
    [InlineData("CreatedAt", "\"noon\"")]
    [InlineData("LengthBytes", "9223372036854775807")]
    [InlineData("LengthBytes", "-1")]
    [InlineData("StorageBytes", "9223372036854775807")]
    [InlineData("Record", "\"[]\"")]
    [InlineData("Record", "\"{\"")]
    [InlineData("Secrets", "[1]")]
    [InlineData("Documents", "1e30")]
    [InlineData("TransactionId", "-1")]
    [InlineData("KeyCheck", "5")]
    [InlineData("Parent", "{}")]
    public async Task A_manifest_that_somebody_has_made_up_is_refused_by_name(string member, string value)
    {
        (string folder, string path, BackupManifest manifest) = await MakeAsync();
        JsonNode body = JsonNode.Parse(manifest.ToBytes())!["Manifest"]!;
        body[member] = JsonNode.Parse(value);
        string text = body.ToJsonString();
        string hash = Convert.ToHexStringLower(
            System.Security.Cryptography.SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(text)));
        await File.WriteAllTextAsync(path, $$"""{"Manifest":{{text}},"Sha256":"{{hash}}"}""");
        HttpAnswer answer = await PostAsync(folder);
        if (answer.Status == 200)
        {
            JsonNode state = await backups.EndAsync((long)answer.Json["OperationId"]!, "Faulted");
            Assert.True((int)state["Result"]!["StatusCode"]! is >= 400 and < 500, state.ToJsonString());
        }
        else
        {
            Assert.True(answer.Status is (>= 400 and < 500) or 507, $"{answer.Status}: {answer.Text}");
        }

        Assert.DoesNotContain($"{_name}-copy", backups.State.Databases.Names());
    }

    [Fact]
    [Trait("Row", "73")]
    public async Task A_chain_without_an_end_is_refused()
    {
        (string folder, string path, BackupManifest manifest) = await MakeAsync();
        await File.WriteAllBytesAsync(
            path, (manifest with { Parent = manifest.File, BaseTransactionId = manifest.TransactionId }).ToBytes());
        await RefusedAsync(folder, "does not follow");
    }

    [Fact]
    [Trait("Row", "82")]
    public async Task A_file_that_is_a_link_or_a_device_is_no_backup()
    {
        (string folder, string path, BackupManifest manifest) = await MakeAsync();
        string data = Path.Combine(folder, manifest.File);
        File.Move(data, data + ".moved");
        foreach (string target in (string[])["/dev/zero", "/etc/hostname", "/nowhere"])
        {
            File.CreateSymbolicLink(data, target);
            await RefusedAsync(folder, manifest.File);
            File.Delete(data);
        }

        Directory.CreateDirectory(data);
        await RefusedAsync(folder, manifest.File);
        Directory.Delete(data);
        File.Move(data + ".moved", data);
        File.Move(path, path + ".moved");
        Directory.CreateDirectory(path);
        HttpAnswer answer = await PostAsync(folder);
        Assert.InRange(answer.Status, 400, 499);
    }

    [Fact]
    [Trait("Row", "82")]
    public async Task A_thousand_files_of_others_and_a_second_manifest_change_nothing()
    {
        (string folder, string path, BackupManifest manifest) = await MakeAsync();
        for (int i = 0; i < 1_000; i++)
        {
            await File.WriteAllBytesAsync(Path.Combine(folder, $"x{i}"), []);
        }

        await backups.VerifyAsync(folder, "Restore");
        string again = manifest.File.Replace("-full", "-1-full", StringComparison.Ordinal);
        File.Copy(Path.Combine(folder, manifest.File), Path.Combine(folder, again));
        await File.WriteAllBytesAsync(
            Path.Combine(folder, again + BackupManifest.Suffix), (manifest with { File = again }).ToBytes());
        await RefusedAsync(folder, "2 full backups");
        Assert.True(File.Exists(path));
    }

    [Fact]
    [Trait("Row", "91")]
    public async Task A_name_that_tries_to_be_a_metric_of_its_own_stays_a_name()
    {
        await backups.CreateAsync(_name);
        (await backups.SendAsync(
            "POST", $"/databases/{_name}/admin/periodic-backup",
            $$"""
            {"Name":"a\"} 1\nfake{b=\"\\","FullBackupFrequency":"0 1 * * *",
             "LocalSettings":{"FolderPath":"{{backups.Folder(_name)}}"} }
            """)).Expect(HttpStatusCode.OK);
        string text = (await backups.SendAsync("GET", "/metrics")).Text;
        Assert.DoesNotContain("\nfake", text, StringComparison.Ordinal);
        Assert.Contains(
            $"{{database=\"{_name}\",task=\"a\\\"}} 1\\nfake{{b=\\\"\\\\\"}}", text, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Row", "95")]
    public async Task A_database_that_is_deleted_meanwhile_leaves_no_backup_and_no_restored_half()
    {
        (string folder, _, _) = await MakeAsync();

        // No run gets its place: the database goes before they begin.
        int places = backups.State.Backups.Places.CurrentCount;
        for (int i = 0; i < places; i++)
        {
            await backups.State.Backups.Places.WaitAsync();
        }

        HttpAnswer started = await backups.SendAsync(
            "POST", $"/databases/{_name}/admin/backup/database?isFullBackup=true&taskId=1");
        RunningOperation operation = backups.State.Operations.Find(
            null, (long)started.Expect(HttpStatusCode.OK).Json["OperationId"]!)!;
        (await backups.SendAsync(
            "DELETE", "/admin/databases", $$"""{"HardDelete":true,"DatabaseNames":["{{_name}}"]}"""))
            .Expect(HttpStatusCode.OK);
        backups.State.Backups.Places.Release(places);
        await operation.Ended.WaitAsync(Deadline.Hang);
        Assert.NotEqual(OperationStatus.Completed, operation.State.Status);
        Assert.Equal(folder, Assert.Single(Directory.GetDirectories(backups.Folder(_name))));

        // What was backed up before is still there, for whoever deleted it by mistake.
        await backups.RestoreAsync(_name, folder);
        JsonNode stats = (await backups.SendAsync("GET", $"/databases/{_name}/stats")).Json;
        Assert.Equal(1, (int)stats["CountOfDocuments"]!);
    }

    private async Task<(string Folder, string Path, BackupManifest Manifest)> MakeAsync()
    {
        await backups.CreateAsync(_name);
        (await backups.SendAsync("PUT", $"/databases/{_name}/docs?id=a", "{}")).Expect(HttpStatusCode.Created);
        await backups.RunAsync(_name, await backups.PutTaskAsync(_name), isFull: true);
        string folder = backups.LastFolder(_name);
        string path = Directory.GetFiles(folder, "*" + BackupManifest.Suffix).Single();
        return (
            folder, path, BackupManifest.Parse(Path.GetFileName(path), await File.ReadAllBytesAsync(path)));
    }

    private Task<HttpAnswer> PostAsync(string folder) => backups.SendAsync(
        "POST", "/admin/restore/database", $$"""{"DatabaseName":"{{_name}}-copy","BackupLocation":"{{folder}}"}""");

    /// <summary>It is refused at once, or fails; nothing of it is there.</summary>
    private async Task RefusedAsync(string folder, string says)
    {
        HttpAnswer answer = await PostAsync(folder);
        if (answer.Status == 200)
        {
            JsonNode state = await backups.EndAsync((long)answer.Json["OperationId"]!, "Faulted");
            Assert.Contains(says, state.ToJsonString(), StringComparison.Ordinal);
        }
        else
        {
            answer.ExpectError(400, says);
        }

        Assert.DoesNotContain($"{_name}-copy", backups.State.Databases.Names());
    }
}
