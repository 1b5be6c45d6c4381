using System.Net;
using System.Text.Json.Nodes;
using Raven.Server.Http.Backups;

namespace FastTests.Server.Backups;

/// <summary>Tasks that back up all databases, and the state of the server beside them.</summary>
public sealed class ServerWideBackupTests(BackupServer backups) : IClassFixture<BackupServer>
{
    private const string Tasks = "/admin/configuration/server-wide/tasks?type=Backup";

    private static int _count;

    private readonly string _name = $"w{Interlocked.Increment(ref _count)}";

    [Fact]
    [Trait("Invariant", "WIDE-1")]
    public async Task A_task_of_the_server_is_one_of_each_database_but_those_that_it_excludes()
    {
        await backups.CreateAsync(_name);
        await backups.CreateAsync(_name + "-not");
        string name = await PutAsync($$""","ExcludedDatabases":["{{_name.ToUpperInvariant()}}-NOT"]""");
        await backups.CreateAsync(_name + "-later");
        foreach (string database in (string[])[_name, _name + "-later"])
        {
            JsonNode shown = await ShownAsync(database);
            Assert.Equal($"Server Wide Backup, {name}", (string?)shown["TaskName"]);
            long task = (long)shown["TaskId"]!;
            await backups.RunAsync(database, task, isFull: true);
            JsonNode status = (await backups.StatusAsync(database, task))["Status"]!;
            Assert.StartsWith(
                Path.Combine(backups.Folder(_name), database) + "/", (string?)status["LocalBackup"]!["BackupDirectory"],
                StringComparison.Ordinal);
            JsonNode record = (await backups.SendAsync("GET", $"/admin/databases?name={database}")).Json;
            JsonNode own = Assert.Single(record["PeriodicBackups"]!.AsArray())!;
            Assert.Equal(task, (long)own["TaskId"]!);
        }

        (await backups.SendAsync(
            "GET", $"/databases/{_name}-not/task?type=Backup&taskName=Server%20Wide%20Backup,%20{name}"))
            .ExpectError(404, "no backup task");
        JsonNode not = (await backups.SendAsync("GET", $"/admin/databases?name={_name}-not")).Json;
        Assert.Empty(not["PeriodicBackups"]!.AsArray());
        await DeleteAsync(name);
        (await backups.SendAsync("GET", $"/databases/{_name}/task?type=Backup&key=1000000001"))
            .ExpectError(404, "no backup task");
    }

    [Fact]
    public async Task It_is_shown_changed_switched_and_deleted_by_its_name()
    {
        await backups.CreateAsync(_name);
        string key = Convert.ToBase64String(new byte[32]);
        string name = await PutAsync(
            $$""","BackupEncryptionSettings":{"EncryptionMode":"UseProvidedKey","Key":"{{key}}"}""");
        JsonNode shown = Assert.Single((await ListAsync(name)).AsArray())!;
        Assert.Equal("*****", (string?)shown["BackupEncryptionSettings"]!["Key"]);

        // What comes back with its asterisks keeps its secret, and its number.
        shown["FullBackupFrequency"] = "0 3 * * *";
        (await backups.SendAsync("PUT", "/admin/configuration/server-wide/backup", shown.ToJsonString()))
            .Expect(HttpStatusCode.OK);
        JsonNode again = Assert.Single((await ListAsync(name)).AsArray())!;
        Assert.Equal("0 3 * * *", (string?)again["FullBackupFrequency"]);
        Assert.Equal((long)shown["TaskId"]!, (long)again["TaskId"]!);
        long task = (long)(await ShownAsync(_name, name))["TaskId"]!;
        await backups.RunAsync(_name, task, isFull: true);
        Assert.True((bool)(await backups.StatusAsync(_name, task))["Status"]!["IsEncrypted"]!);

        (await backups.SendAsync(
            "POST", $"/admin/configuration/server-wide/state?type=Backup&name={name}&disable=true"))
            .Expect(HttpStatusCode.NoContent);
        Assert.Equal("Disabled", (string?)(await ShownAsync(_name, name))["TaskState"]);
        (await backups.SendAsync("DELETE", $"/databases/{_name}/admin/tasks?id={task}&type=Backup"))
            .ExpectError(400, "server-wide");
        await DeleteAsync(name);
        Assert.Empty((await ListAsync(name)).AsArray());
        (await backups.SendAsync("DELETE", $"/admin/configuration/server-wide/task?type=Backup&name={name}"))
            .ExpectError(404, name);
    }

    [Theory]
    [InlineData("""{"FullBackupFrequency":"0 1 * * *"}""", 400, "no destination")]
    [InlineData("""{"FullBackupFrequency":"x","LocalSettings":{"FolderPath":"~"}}""", 400, "no schedule")]
    [InlineData(
        """{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"~"},"ExcludedDatabases":"a"}""", 400,
        "array of names")]
    [InlineData("""{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"/etc"}}""", 400, "not below")]
    public async Task What_is_not_valid_is_refused_and_nothing_is_stored(string body, int status, string says)
    {
        (await backups.SendAsync(
            "PUT", "/admin/configuration/server-wide/backup",
            body.Replace("~", backups.Folder(_name), StringComparison.Ordinal))).ExpectError(status, says);
        Assert.DoesNotContain(
            (await ListAsync(null)).AsArray(),
            task => task!.ToJsonString().Contains(_name, StringComparison.Ordinal));
        (await backups.SendAsync("GET", "/admin/configuration/server-wide/tasks?type=Replication"))
            .ExpectError(501, "Replication");
    }

    [Fact]
    public async Task One_task_archives_the_journal_of_a_database()
    {
        await backups.CreateAsync(_name);
        await PutAsync(",\"ArchiveJournal\":true");
        await PutAsync(",\"ArchiveJournal\":true,\"BackupType\":\"Snapshot\"");
        string other = $$"""
            {"Name":"other","FullBackupFrequency":"0 1 * * 0","ArchiveJournal":true,
             "LocalSettings":{"FolderPath":"{{backups.Folder(_name)}}"} }
            """;
        (await backups.SendAsync("PUT", "/admin/configuration/server-wide/backup", other))
            .ExpectError(400, $"the task '{_name}' archives the journal already");
        (await backups.SendAsync("POST", $"/databases/{_name}/admin/periodic-backup", other))
            .ExpectError(400, $"the task 'Server Wide Backup, {_name}' archives the journal already");
        Assert.Empty((await ListAsync("other")).AsArray());
        await DeleteAsync(_name);
    }

    [Fact]
    [Trait("Invariant", "STATE-1")]
    public async Task The_state_of_the_server_is_written_beside_when_it_has_changed()
    {
        await backups.CreateAsync(_name);
        string name = await PutAsync("");
        long task = (long)(await ShownAsync(_name, name))["TaskId"]!;
        await backups.RunAsync(_name, task, isFull: true);
        await backups.RunAsync(_name, task, isFull: true);
        string[] files = Directory.GetFiles(Path.Combine(backups.Folder(_name), ".server"));
        string first = Assert.Single(files);
        JsonNode state = JsonNode.Parse(await File.ReadAllTextAsync(first))!["State"]!;
        Assert.Contains(_name, state["Databases"]!.AsArray().Select(one => (string?)one));
        Assert.Contains("server-wide/tasks", state["Records"]!.AsArray().Select(one => (string?)one!["Key"]));

        await PutAsync(",\"BackupType\":\"Snapshot\"");
        await backups.RunAsync(_name, task, isFull: true);
        Assert.Equal(2, Directory.GetFiles(Path.Combine(backups.Folder(_name), ".server")).Length);

        // It is for a server that has none.
        Raven.Documents.Backups.BackupException taken = Assert.Throws<Raven.Documents.Backups.BackupException>(
            () => ServerStateFile.Restore(File.ReadAllBytes(first), backups.State.Databases.Records, null));
        Assert.Contains("already", taken.Message, StringComparison.Ordinal);
        await DeleteAsync(name);
    }

    private async Task<string> PutAsync(string members)
    {
        HttpAnswer answer = await backups.SendAsync(
            "PUT", "/admin/configuration/server-wide/backup",
            $$"""
            {"Name":"{{_name}}","FullBackupFrequency":"0 1 * * 0",
             "LocalSettings":{"FolderPath":"{{backups.Folder(_name)}}"}{{members}}}
            """);
        string name = (string)answer.Expect(HttpStatusCode.OK).Json["Name"]!;
        Assert.Equal(_name, name);
        return name;
    }

    private async Task DeleteAsync(string name) =>
        (await backups.SendAsync("DELETE", $"/admin/configuration/server-wide/task?type=Backup&name={name}"))
            .Expect(HttpStatusCode.NoContent);

    private async Task<JsonNode> ListAsync(string? name) =>
        (await backups.SendAsync("GET", Tasks + (name == null ? "" : $"&name={name}"))).Expect(HttpStatusCode.OK)
            .Json["Results"]!;

    private async Task<JsonNode> ShownAsync(string database, string? name = null) => (await backups.SendAsync(
        "GET", $"/databases/{database}/task?type=Backup&taskName=Server%20Wide%20Backup,%20{name ?? _name}"))
        .Expect(HttpStatusCode.OK).Json;
}
