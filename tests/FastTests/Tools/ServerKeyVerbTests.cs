using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.CommandLine;
using Raven.CommandLine.Output;
using Raven.Security.Secrets;
using Raven.Server.Http.Backups;

namespace FastTests.Tools;

/// <summary><c>raven keys</c>: the master key under a passphrase, and the state of a server that is put into another
/// one.</summary>
public sealed class ServerKeyVerbTests : IDisposable
{
    private const string Passphrase = "correct horse battery";

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-keys-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public void A_key_opens_by_its_passphrase_alone_and_only_whole()
    {
        using var key = MasterKey.Of(Encoding.ASCII.GetBytes("0123456789abcdef0123456789abcdef"), "a key");
        byte[] file = MasterKeyEnvelope.Seal(key, Passphrase, 100_000);
        using (MasterKey opened = MasterKeyEnvelope.Open(file, Passphrase))
        {
            Assert.Equal(key.Derive("x"), opened.Derive("x"));
        }

        Assert.Throws<MasterKeyException>(() => MasterKeyEnvelope.Open(file, Passphrase + "x"));
        Assert.Throws<MasterKeyException>(() => MasterKeyEnvelope.Seal(key, "too short"));
        Assert.Throws<MasterKeyException>(() => MasterKeyEnvelope.Open(file.AsSpan(1), Passphrase));
        foreach (int at in (int[])[0, 20, 50, 70, file.Length - 1])
        {
            byte[] damaged = [.. file];
            damaged[at] ^= 1;
            Assert.Throws<MasterKeyException>(() => MasterKeyEnvelope.Open(damaged, Passphrase));
        }
    }

    [Fact]
    [Trait("Row", "101")]
    [Trait("Invariant", "STATE-1")]
    public async Task A_state_goes_to_another_machine_with_its_secrets_or_without_them()
    {
        string settings = Path.Combine(_folder, "first");
        string state = await MakeAsync(settings);
        string passphrase = Path.Combine(_folder, "passphrase");
        await File.WriteAllTextAsync(passphrase, Passphrase + "\n");
        string exported = Path.Combine(_folder, "exported.key");
        string said = await RunAsync(
            ExitCode.Success, settings, "keys", "export", exported, "--passphrase-file", passphrase);
        Assert.DoesNotContain(Passphrase, said, StringComparison.Ordinal);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(exported));
        }

        // Without the key: what is sealed is lost, and named.
        string second = Path.Combine(_folder, "second");
        JsonNode json = JsonNode.Parse(
            await RunAsync(ExitCode.Success, second, "keys", "restore-state", state, "--json"))!;
        Assert.Equal(
            "PeriodicBackups.0.BackupEncryptionSettings.Key",
            (string?)Assert.Single(json["SecretsToEnter"]!.AsArray()));
        Assert.Contains(
            "already", await RunAsync(ExitCode.ServerFailed, second, "keys", "restore-state", state),
            StringComparison.Ordinal);

        // With it nothing is.
        string third = Path.Combine(_folder, "third");
        await RunAsync(ExitCode.Success, third, "keys", "import", exported, "--passphrase-file", passphrase);
        json = JsonNode.Parse(await RunAsync(ExitCode.Success, third, "keys", "restore-state", state, "--json"))!;
        Assert.Empty(json["SecretsToEnter"]!.AsArray());
        Assert.Contains(
            "already",
            await RunAsync(ExitCode.ServerFailed, third, "keys", "import", exported, "--passphrase-file", passphrase),
            StringComparison.Ordinal);
        string damaged = state + ".damaged";
        string text = await File.ReadAllTextAsync(state);
        await File.WriteAllTextAsync(
            damaged, text.Replace("server-wide", "server-wise", StringComparison.Ordinal));
        string fourth = Path.Combine(_folder, "fourth");
        Assert.Contains(
            "damaged", await RunAsync(ExitCode.ServerFailed, fourth, "keys", "restore-state", damaged),
            StringComparison.Ordinal);
    }

    /// <summary>Runs a server with a task of all databases that has a secret; gives the file of its state.</summary>
    private static async Task<string> MakeAsync(string folder)
    {
        string backups = folder + "-backups";
        string state = folder + ".state";
        using var server = new TestServer(options => options with
        {
            RunInMemory = false,
            DataDirectory = Path.Combine(folder, "data"),
            BackupRootPath = backups,
            Security = options.Security with { KeysFolder = Path.Combine(folder, "keys") },
        });
        (await server.SendAsync(
            "PUT", "/admin/configuration/server-wide/backup",
            $$"""
            {"Name":"all","FullBackupFrequency":"0 1 * * 0","LocalSettings":{"FolderPath":"{{backups}}"},
             "BackupEncryptionSettings":{"EncryptionMode":"UseProvidedKey",
             "Key":"{{Convert.ToBase64String(new byte[32])}}"} }
            """)).Expect(System.Net.HttpStatusCode.OK);
        await File.WriteAllBytesAsync(
            state,
            ServerStateFile.Write(
                server.Host.State.Databases.Records, server.Host.State.Security.MasterKeyCheck, [],
                DateTimeOffset.UnixEpoch));
        return state;
    }

    private static async Task<string> RunAsync(int expected, string folder, params string[] arguments)
    {
        Directory.CreateDirectory(folder);
        using var output = new StringWriter();
        int code = await RavenCommand.RunAsync(
            [.. arguments, "--DataDir", Path.Combine(folder, "data"), "--keys-folder", Path.Combine(folder, "keys")],
            output, output);
        Assert.True(code == expected, $"{string.Join(' ', arguments)} ended with {code}: {output}");
        return output.ToString();
    }
}
