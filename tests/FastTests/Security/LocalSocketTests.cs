using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using FastTests.Documents;
using Raven.CommandLine;
using Raven.CommandLine.Output;
using Raven.Security.Certificates;
using Raven.Security.Files;
using Raven.Security.Registry;
using Raven.Server;
using Raven.Server.Http.Connections;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>The local socket of a secured server, and the verbs of raven that go over it.</summary>
public sealed class LocalSocketTests : IDisposable
{
    private static readonly DateTimeOffset Start = TestCertificates.Now.AddYears(-1);
    private static readonly DateTimeOffset End = TestCertificates.Now.AddYears(50);

    private readonly string _folder = Directory.CreateTempSubdirectory("local").FullName;
    private readonly TestClock _clock = new() { Now = TestCertificates.Now };
    private readonly X509Certificate2 _server = TestCertificates.Make(
        "localhost", from: Start, to: End, purpose: CertificateUse.ServerAuthentication,
        names: ["localhost", "127.0.0.1"]);

    public LocalSocketTests()
    {
        File.WriteAllBytes(Path.Combine(_folder, "server.pfx"), _server.Export(X509ContentType.Pkcs12));
    }

    private string Socket => Path.Combine(_folder, "data", LocalSocket.FileName);

    private string Audit => Path.Combine(_folder, "audit");

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Security", "3")]
    [Trait("Security", "101")]
    [Trait("Invariant", "LOCAL-1")]
    public async Task The_first_administrator_and_the_one_after_all_are_lost_come_through_the_local_socket()
    {
        using X509Certificate2 alice = TestCertificates.Make("alice", from: Start, to: End);
        using X509Certificate2 bob = TestCertificates.Make("bob", from: Start, to: End);
        await using ServerHost host = await StartAsync();
        using var client = new SecureClient(host.Url, _server, alice, _clock.Now);
        Assert.Equal(403, await client.GetAsync("/databases"));
        Assert.Empty(host.State.Security.Trust.Current.Certificates);

        Assert.Contains(
            "Registered 'alice'", await RunAsync(ExitCode.Success, "cert", "add", Write(alice), "--admin"),
            StringComparison.Ordinal);
        Assert.Equal(200, await client.GetAsync("/databases"));

        // The last one is lost, and with it every way in over the network.
        await RunAsync(ExitCode.Success, "cert", "rm", alice.Thumbprint);
        Assert.Equal(403, await client.GetAsync("/databases"));
        string said = await RunAsync(ExitCode.Success, "cert", "add", Write(bob, withKey: true), "--admin");
        Assert.Contains("It was not sent", said, StringComparison.Ordinal);
        RegisteredCertificate entry = Assert.Single(host.State.Security.Trust.Current.Certificates);
        Assert.Equal(bob.Thumbprint, entry.Certificate.Thumbprint);
        using var other = new SecureClient(host.Url, _server, bob, _clock.Now);
        Assert.Equal(200, await other.GetAsync("/databases"));
        Assert.Contains("\"from\":\"uid ", AuditText(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "101")]
    public async Task Keys_are_written_to_files_of_their_owner_and_a_wrong_grant_changes_nothing()
    {
        await using ServerHost host = await StartAsync();
        TrustRegistry trust = host.State.Security.Trust;
        string made = Path.Combine(_folder, "made");
        await RunAsync(ExitCode.Success, "cert", "new", "app", "--permission", "shop=Read", "--out", made);
        string[] files = Directory.GetFiles(made);
        Assert.Equal(4, files.Length);
        Assert.All(files, IsOwnersOnly);
        await RunAsync(ExitCode.WrongUsage, "cert", "new", "again", "--admin", "--out", made);
        Assert.Single(trust.Current.Certificates);

        string key = Path.Combine(_folder, "tool.key");
        Assert.DoesNotContain(
            "rvk_", await RunAsync(ExitCode.Success, "key", "new", "tool", "--monitoring", "--out", key),
            StringComparison.Ordinal);
        IsOwnersOnly(key);
        Assert.StartsWith("rvk_", await File.ReadAllTextAsync(key), StringComparison.Ordinal);
        string id = Assert.Single(trust.Current.Keys).Id;
        Assert.Contains(id, await RunAsync(ExitCode.Success, "key", "list"), StringComparison.Ordinal);
        Assert.StartsWith("rvk_", await RunAsync(ExitCode.Success, "key", "rotate", id), StringComparison.Ordinal);
        await RunAsync(ExitCode.Success, "key", "rm", id);
        Assert.Empty(trust.Current.Keys);

        string[][] wrong =
        [
            ["--out", key], ["--permission", "shop"], ["--permission", "a=Read", "--permission", "a=Admin"],
        ];
        foreach (string[] grant in wrong)
        {
            await RunAsync(ExitCode.WrongUsage, ["key", "new", "x", .. grant]);
        }

        await RunAsync(ExitCode.ServerFailed, "key", "new", "x", "--permission", "shop=All");
        Assert.Empty(trust.Current.Keys);
    }

    [Fact]
    public async Task Status_and_health_are_for_scripts_and_say_when_no_server_answers()
    {
        await using (ServerHost host = await StartAsync())
        {
            Assert.Equal("Healthy\n", await RunAsync(ExitCode.Success, "health"));
            string status = await RunAsync(ExitCode.Success, "status");
            Assert.Contains("ClusterAdmin", status, StringComparison.Ordinal);
            Assert.Contains(
                "\"Kind\": \"Local\"", await RunAsync(ExitCode.Success, "status", "--json"), StringComparison.Ordinal);
        }

        Assert.False(File.Exists(Socket));
        Assert.Contains("No server answers", await RunAsync(ExitCode.ServerFailed, "health"), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "49")]
    [Trait("Invariant", "LOCAL-1")]
    [Trait("Invariant", "LOCAL-2")]
    public async Task The_socket_is_for_the_servers_user_and_root()
    {
        await using ServerHost host = await StartAsync();
        IsOwnersOnly(Socket);
        uint own = FileOwner.OwnUser();
        LocalSocket local = LocalSocket.Claim(
            OptionsOf(Path.Combine(_folder, "other.sock")), host.State.Log, _clock)!;
        Assert.True(local.Admits(own));
        Assert.True(local.Admits(0));
        Assert.False(local.Admits(own + 1));
        Assert.False(local.Admits(65_534));

        using var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        await socket.ConnectAsync(new UnixDomainSocketEndPoint(Socket));
        Assert.Equal(own, LocalPeer.UserOf(socket));
    }

    [Fact]
    [Trait("Security", "49")]
    [Trait("Invariant", "LOCAL-3")]
    public async Task A_link_a_folder_or_a_file_at_its_path_refuses_the_start_and_a_stale_socket_is_replaced()
    {
        Directory.CreateDirectory(Path.GetDirectoryName(Socket)!);
        string target = Path.Combine(_folder, "target");
        File.CreateSymbolicLink(Socket, target);
        await RefusesAsync();
        await File.WriteAllTextAsync(target, "kept");
        await RefusesAsync();
        Assert.Equal("kept", await File.ReadAllTextAsync(target));
        File.Delete(Socket);

        Directory.CreateDirectory(Socket);
        await RefusesAsync();
        Directory.Delete(Socket);
        await File.WriteAllTextAsync(Socket, "kept");
        await RefusesAsync();
        Assert.Equal("kept", await File.ReadAllTextAsync(Socket));
        File.Delete(Socket);

        // Moved away and back, it is there as after a kill: a file to which no one listens.
        using (var killed = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified))
        {
            killed.Bind(new UnixDomainSocketEndPoint(Socket));
            File.Move(Socket, Socket + ".left");
        }

        File.Move(Socket + ".left", Socket);
        await using ServerHost host = await StartAsync();
        await RunAsync(ExitCode.Success, "health");
    }

    [Fact]
    [Trait("Security", "61")]
    public async Task The_audit_log_is_verified_while_a_server_writes_it_and_after_it_has_stopped()
    {
        string[] verify =
        [
            "audit", "verify", "--DataDir", Path.Combine(_folder, "data"), "--folder", Audit, "--master-key",
            Path.Combine(_folder, "keys", "master.key"),
        ];
        await using (await StartAsync())
        {
            await RunAsync(ExitCode.Success, "cert", "list");
            Assert.Contains(
                "No line of the audit log was changed", await RunPlainAsync(ExitCode.Success, verify),
                StringComparison.Ordinal);
        }

        Assert.Contains(
            "No line of the audit log was changed", await RunPlainAsync(ExitCode.Success, verify),
            StringComparison.Ordinal);
        string file = Path.Combine(Audit, "audit.jsonl");
        string text = await File.ReadAllTextAsync(file);
        await File.WriteAllTextAsync(file, text[..(text.TrimEnd().LastIndexOf('\n') + 1)]);
        Assert.Contains("its end is missing", await RunPlainAsync(ExitCode.BrokenInput, verify));
        await File.WriteAllTextAsync(file, text.Replace("access.accepted", "access.refused", StringComparison.Ordinal));
        await RunPlainAsync(ExitCode.BrokenInput, verify);
        Directory.Delete(Audit, recursive: true);
        Assert.Contains("the whole log is missing", await RunPlainAsync(ExitCode.BrokenInput, verify));
    }

    private static void IsOwnersOnly(string path) =>
        Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(path));

    private async Task RefusesAsync()
    {
        ServerStartException refusal = await Assert.ThrowsAsync<ServerStartException>(StartAsync);
        Assert.Contains("is not a socket that a server has left", refusal.Message, StringComparison.Ordinal);
    }

    private string Write(X509Certificate2 certificate, bool withKey = false)
    {
        string path = Path.Combine(_folder, certificate.GetNameInfo(X509NameType.SimpleName, false) + ".pem");
        File.WriteAllText(path, certificate.ExportCertificatePem() + "\n");
        if (withKey)
        {
            using System.Security.Cryptography.ECDsa key = certificate.GetECDsaPrivateKey()!;
            File.AppendAllText(path, key.ExportPkcs8PrivateKeyPem());
        }

        return path;
    }

    private string AuditText()
    {
        using FileStream file = new(
            Path.Combine(Audit, "audit.jsonl"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var reader = new StreamReader(file, Encoding.UTF8);
        return reader.ReadToEnd();
    }

    private Task<string> RunAsync(int expected, params string[] arguments) =>
        RunPlainAsync(expected, [.. arguments, "--socket", Socket]);

    private static async Task<string> RunPlainAsync(int expected, string[] arguments)
    {
        using var output = new StringWriter();
        int code = await RavenCommand.RunAsync(arguments, output, output);
        Assert.True(code == expected, $"{string.Join(' ', arguments)} ended with {code}: {output}");
        return output.ToString();
    }

    private ServerOptions OptionsOf(string socket) => new()
    {
        ServerUrl = new Uri("https://127.0.0.1:0"),
        DataDirectory = Path.Combine(_folder, "data"),
        Security = new SecurityOptions
        {
            CertificatePath = Path.Combine(_folder, "server.pfx"),
            KeysFolder = Path.Combine(_folder, "keys"),
            AuditFolder = Audit,
            LocalSocketPath = socket,
        },
    };

    private Task<ServerHost> StartAsync() => ServerHost.StartAsync(OptionsOf(Socket), time: _clock);
}
