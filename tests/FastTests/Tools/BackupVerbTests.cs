using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.CommandLine;
using Raven.CommandLine.Output;
using Raven.Server.Options;
using Shared.S3;

namespace FastTests.Tools;

/// <summary><c>raven backup</c> and <c>raven restore</c> against a server of this machine.</summary>
public sealed class BackupVerbTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-verbs-").FullName;

    private string Socket => Path.Combine(_folder, "raven.sock");

    private string Backups => Path.Combine(_folder, "backups");

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_database_is_backed_up_verified_and_restored_from_the_command_line()
    {
        using TestServer server = await StartAsync();
        await server.PutAsync("users/1", """{"Name":"Ann"}""");
        string key = Path.Combine(_folder, "key");
        await File.WriteAllTextAsync(key, Convert.ToBase64String(new byte[32]) + "\n");
        string said = await RunAsync(ExitCode.Success, "backup", "run", "db", Backups, "--key-file", key);
        Assert.Contains("1 documents", said, StringComparison.Ordinal);
        string backup = Assert.Single(Directory.GetDirectories(Backups));
        Assert.Contains(backup, said, StringComparison.Ordinal);
        Assert.Contains(
            "key is needed", await RunAsync(ExitCode.ServerFailed, "backup", "verify", backup),
            StringComparison.Ordinal);
        await RunAsync(ExitCode.Success, "backup", "verify", backup, "--restore", "--key-file", key);
        JsonNode json = JsonNode.Parse(
            await RunAsync(ExitCode.Success, "restore", backup, "copy", "--key-file", key, "--json"))!;
        Assert.Equal("Completed", (string?)json["Status"]);
        Assert.Equal(1, (int)json["Result"]!["Documents"]!);
        HttpAnswer copied = await server.SendAsync("GET", "/databases/copy/docs?id=users/1");
        Assert.Contains("Ann", copied.Text, StringComparison.Ordinal);
        Assert.Contains(
            "already", await RunAsync(ExitCode.ServerFailed, "restore", backup, "copy", "--key-file", key),
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_task_is_run_and_a_damaged_backup_is_a_failure_with_its_name()
    {
        using TestServer server = await StartAsync();
        await server.PutAsync("users/1", """{"Name":"Ann"}""");
        (await server.SendAsync(
            "POST", "~/admin/periodic-backup",
            $$"""{"FullBackupFrequency":"0 1 * * *","LocalSettings":{"FolderPath":"{{Backups}}"} }"""))
            .Expect(System.Net.HttpStatusCode.OK);
        await RunAsync(ExitCode.Success, "backup", "run", "db", "--task", "1");
        await server.PutAsync("users/2", """{"Name":"Bob"}""");
        await RunAsync(ExitCode.Success, "backup", "run", "db", "--task", "1", "--incremental");
        string backup = Assert.Single(Directory.GetDirectories(Backups));
        Assert.Equal(4, Directory.GetFiles(backup).Length);
        string file = Directory.GetFiles(backup, "*-incremental-backup").Single();
        await File.AppendAllTextAsync(file, "x");
        Assert.Contains(
            Path.GetFileName(file), await RunAsync(ExitCode.ServerFailed, "backup", "verify", backup),
            StringComparison.Ordinal);
        Assert.Contains(
            "Name the folder", await RunAsync(ExitCode.WrongUsage, "backup", "run", "db"), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_database_goes_to_a_bucket_and_comes_back_from_the_command_line()
    {
        await using S3StandIn s3 = await S3StandIn.StartAsync();
        using TestServer server = await StartAsync(new Uri(s3.Url).Authority);
        await server.PutAsync("users/1", """{"Name":"Ann"}""");
        string settings = Path.Combine(_folder, "s3.json");
        await File.WriteAllTextAsync(settings, s3.Settings("shop"));
        string said = await RunAsync(ExitCode.Success, "backup", "run", "db", "daily", "--s3", settings);
        Assert.Contains("s3://backups/shop/daily/", said, StringComparison.Ordinal);
        string backup = "daily/" + s3.Objects.Keys.First().Split('/')[2];
        await RunAsync(ExitCode.Success, "backup", "verify", backup, "--s3", settings, "--restore");
        JsonNode json = JsonNode.Parse(
            await RunAsync(ExitCode.Success, "restore", backup, "copy", "--s3", settings, "--json"))!;
        Assert.Equal(1, (int)json["Result"]!["Documents"]!);
        Assert.Contains(
            "There is no folder",
            await RunAsync(ExitCode.ServerFailed, "backup", "verify", "daily/none", "--s3", settings),
            StringComparison.Ordinal);
        await File.WriteAllTextAsync(settings, "[]");
        await RunAsync(ExitCode.WrongUsage, "backup", "verify", backup, "--s3", settings);
    }

    private Task<TestServer> StartAsync(params string[] hosts) => TestServer.WithDatabaseAsync(options => options with
    {
        BackupRootPath = Backups,
        BackupHosts = hosts,
        Security = new SecurityOptions { LocalSocketPath = Socket },
    });

    private async Task<string> RunAsync(int expected, params string[] arguments)
    {
        using var output = new StringWriter();
        int code = await RavenCommand.RunAsync([.. arguments, "--socket", Socket], output, output);
        Assert.True(code == expected, $"{string.Join(' ', arguments)} ended with {code}: {output}");
        return output.ToString();
    }
}
