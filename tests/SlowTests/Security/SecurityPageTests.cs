using System.Diagnostics;
using System.Net;
using System.Net.Http.Json;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using FastTests.Support;
using SlowTests.Support;

namespace SlowTests.Security;

/// <summary>
/// The commands, settings and configurations of docs/security-setup.md, as they are there but for the machine's
/// folders, ports, names and users.
/// </summary>
[Trait(Category.Shard, "server")]
public sealed partial class SecurityPageTests : IDisposable
{
    private const string WhoAmI = "/certificates/whoami";
    private const string Announcement = "Server available on: ";
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-security-").FullName;
    private readonly int _serverPort = FreePort();
    private readonly int _publicPort = FreePort();
    private Process? _server;
    private Nginx? _nginx;

    public void Dispose()
    {
        _nginx?.Dispose();
        _server?.Kill(entireProcessTree: true);
        _server?.WaitForExit();
        _server?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public async Task The_steps_of_one_server_make_an_administrator_and_identities_for_programs()
    {
        string section = Section("## One server, on a network", "## Behind a proxy");
        string live = Directory.CreateDirectory(Path.Combine(_folder, "live")).FullName;
        MakeServer(Path.Combine(live, "fullchain.pem"), Path.Combine(live, "privkey.pem")).Dispose();
        await WriteSettingsAsync(section, _serverPort);
        string[] commands = BlocksOf(section, "sh");
        Assert.Equal(2, commands.Length);
        Assert.Contains("Registered", Bash(Here(commands[0], _serverPort)), StringComparison.Ordinal);
        Start();

        // A public authority has not signed this certificate: curl is told to trust it.
        string printed = Bash(Here(commands[1], _serverPort), ("CURL_CA_BUNDLE", Path.Combine(live, "fullchain.pem")));
        Assert.Contains("\"SecurityClearance\":\"ClusterAdmin\"", printed, StringComparison.Ordinal);
        Assert.Contains("\"Key\":\"rvk_", printed, StringComparison.Ordinal);
        Assert.True(new FileInfo(Path.Combine(_folder, "shop.zip")).Length > 1000);
    }

    [ProgramFact(Nginx.Program, Nginx.Package)]
    [Trait(Category.Run, Category.Ci)]
    public async Task A_proxy_of_the_page_names_its_clients_and_a_client_cannot_name_another()
    {
        using X509Certificate2 known = MakeClient("known");
        using X509Certificate2 stranger = MakeClient("stranger");
        await StartBehindProxyAsync(known, configuration => configuration);

        Assert.Equal("known", (string?)JsonNode.Parse(await ExpectAsync(200, _publicPort, known))!["Name"]);
        string named = Uri.EscapeDataString(known.ExportCertificatePem());
        await ExpectAsync(403, _publicPort, null);
        await ExpectAsync(403, _publicPort, null, named);
        await ExpectAsync(403, _publicPort, stranger);
        await ExpectAsync(403, _publicPort, stranger, named);

        // Past the proxy the header is only a header.
        await ExpectAsync(403, _serverPort, stranger, named);
        await ExpectAsync(403, _serverPort, null, named);
    }

    /// <summary>
    /// The proxy sends the requests of all clients over the same few connections: what it takes for a part of one
    /// request must not be a request for the server, and no client may get an answer that is another's.
    /// </summary>
    [ProgramFact(Nginx.Program, Nginx.Package)]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "13")]
    public async Task A_request_hidden_in_another_is_never_run_behind_the_proxy_of_the_page()
    {
        string audit = Path.Combine(_folder, "audit");
        using X509Certificate2 known = MakeClient("known");
        using X509Certificate2 reader = MakeClient("reader");
        await StartBehindProxyAsync(
            known,
            configuration => configuration.Replace(
                $"proxy_pass https://127.0.0.1:{_serverPort}", "proxy_pass https://raven", StringComparison.Ordinal)
                + $"upstream raven {{ server 127.0.0.1:{_serverPort}; keepalive 2; }}",
            $"--Security.AuditLog.FolderPath={audit}");
        await SendAsync(HttpMethod.Put, "/admin/databases?name=hidden", new { }, known);
        await SendAsync(
            HttpMethod.Put, "/admin/certificates",
            new
            {
                Name = "reader",
                Certificate = Convert.ToBase64String(reader.RawData),
                SecurityClearance = "ValidUser",
                Permissions = new Dictionary<string, string> { ["hidden"] = "Read" },
            },
            known);
        using var sent = new CancellationTokenSource();
        Task beside = AskAsync(known, sent.Token);
        await Task.WhenAll(HiddenRequest.Framings.Select(async framing =>
        {
            using var client = new TcpClient();
            await client.ConnectAsync(IPAddress.Loopback, _publicPort);
            await using var tls = new SslStream(client.GetStream(), false, (_, _, _, _) => true);
            await tls.AuthenticateAsClientAsync("localhost", [reader], checkCertificateRevocation: false);
            await HiddenRequest.SendAsync(tls, framing);
        }));
        await sent.CancelAsync();
        await beside;

        // What the proxy itself takes for a request, which is refused, and nothing more. This one is the last.
        await ExpectAsync(403, _publicPort, reader, path: "/admin/certificates");
        await Deadline.UntilAsync(() => AuditOf(audit).Contains("GET /admin/certificates", StringComparison.Ordinal));
        Assert.Equal(
            Nginx.LinesOf(_folder).Count(line =>
                line.StartsWith(HiddenRequest.FirstLine, StringComparison.Ordinal)
                && line.EndsWith("|403", StringComparison.Ordinal)),
            AuditOf(audit).Split(HiddenRequest.FirstLine).Length - 1);
        Assert.Contains("hidden", await ExpectAsync(200, _publicPort, known, path: "/databases"));
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    public async Task The_hook_of_the_page_has_the_server_present_the_renewed_certificate()
    {
        string section = Section("## Renewal, without a restart", null);
        string tls = Directory.CreateDirectory(Path.Combine(_folder, "tls")).FullName;
        string lineage = Directory.CreateDirectory(Path.Combine(_folder, "lineage")).FullName;
        Directory.CreateDirectory(Path.Combine(_folder, "hooks"));
        using X509Certificate2 first = MakeServer(Path.Combine(tls, "server.crt"), Path.Combine(tls, "server.key"));
        Start(
            $"--ServerUrl=https://127.0.0.1:{_serverPort}", $"--DataDir={_folder}/data",
            $"--Security.Certificate.Path={tls}/server.crt");
        Assert.Equal(first.Thumbprint, await PresentedAsync());

        using X509Certificate2 second = MakeServer(
            Path.Combine(lineage, "fullchain.pem"), Path.Combine(lineage, "privkey.pem"));
        Bash(Here(BlocksOf(section, "sh").Single(), _serverPort));
        Bash(Path.Combine(_folder, "hooks", "raven"), ("RENEWED_LINEAGE", lineage));
        using var limit = new CancellationTokenSource(Limit);
        while (await PresentedAsync() != second.Thumbprint)
        {
            await Task.Delay(50, limit.Token);
        }
    }

    private static string Section(string from, string? to)
    {
        string page = File.ReadAllText(Path.Combine(NodeProgram.Root, "docs", "security-setup.md"));
        int start = page.IndexOf(from, StringComparison.Ordinal);
        Assert.True(start >= 0, from);
        return to == null ? page[start..] : page[start..page.IndexOf(to, start, StringComparison.Ordinal)];
    }

    /// <summary>The blocks of a language; those within a list without their indentation.</summary>
    private static string[] BlocksOf(string section, string language) =>
    [
        .. Block().Matches(section).Where(block => block.Groups["language"].Value == language)
            .Select(block => block.Groups["code"].Value.Replace(
                "\n" + block.Groups["indent"].Value, "\n", StringComparison.Ordinal).TrimStart()),
    ];

    /// <summary>A text of the page with the folders, names and users of this machine.</summary>
    private string Here(string text, int publicPort) => text
        .Replace("/etc/letsencrypt/live/db.example.org", _folder + "/live", StringComparison.Ordinal)
        .Replace("/etc/letsencrypt/renewal-hooks/deploy", _folder + "/hooks", StringComparison.Ordinal)
        .Replace("/etc/raven", _folder, StringComparison.Ordinal)
        .Replace("/var/lib/raven", _folder + "/data", StringComparison.Ordinal)
        .Replace("https://db.example.org", $"https://localhost:{publicPort}", StringComparison.Ordinal)
        .Replace("https://0.0.0.0:443", $"https://127.0.0.1:{_serverPort}", StringComparison.Ordinal)
        .Replace("127.0.0.1:8443", $"127.0.0.1:{_serverPort}", StringComparison.Ordinal)
        .Replace("install -o raven ", "install ", StringComparison.Ordinal)
        .Replace(
            "systemctl kill --signal=HUP --kill-whom=main raven", $"kill -HUP {_server?.Id}", StringComparison.Ordinal)
        .Replace("Raven.Server --", $"dotnet '{AppContext.BaseDirectory}Raven.Server.dll' --", StringComparison.Ordinal)
        .Replace("raven setup", $"dotnet '{AppContext.BaseDirectory}raven.dll' setup", StringComparison.Ordinal)
        .Replace("curl ", "curl --silent --show-error --fail-with-body ", StringComparison.Ordinal);

    private Task WriteSettingsAsync(string section, int publicPort, params (string Old, string New)[] changes)
    {
        string settings = Here(BlocksOf(section, "json").Single(), publicPort);
        foreach ((string old, string changed) in changes)
        {
            settings = settings.Replace(old, changed, StringComparison.Ordinal);
        }

        return File.WriteAllTextAsync(Path.Combine(_folder, "settings.json"), settings);
    }

    /// <summary>Starts the server with the settings of its folder, and waits until it serves.</summary>
    private void Start(params string[] options)
    {
        string program = Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll");
        _server = Process.Start(new ProcessStartInfo("dotnet", [program, .. options])
        {
            RedirectStandardOutput = true,
            WorkingDirectory = _folder,
        })!;
        string? line = _server.StandardOutput.ReadLine();
        Assert.StartsWith(Announcement + "https://", line, StringComparison.Ordinal);
    }

    /// <summary>Starts the server and the proxy of the page, with one administrator.</summary>
    private async Task StartBehindProxyAsync(
        X509Certificate2 administrator, Func<string, string> change, params string[] options)
    {
        string section = Section("## Behind a proxy", "## The way back");
        using X509Certificate2 own = MakeServer(
            Path.Combine(_folder, "server.crt"), Path.Combine(_folder, "server.key"));
        await File.WriteAllBytesAsync(Path.Combine(_folder, "server.pfx"), own.Export(X509ContentType.Pkcs12));
        MakeServer(Path.Combine(_folder, "localhost.pem"), Path.Combine(_folder, "localhost.key")).Dispose();
        string printed = Bash(BlocksOf(section, "sh").Single());
        string fingerprint = printed.Split('=')[1].Trim();
        await WriteSettingsAsync(section, _publicPort, ("FINGERPRINT", fingerprint));
        Start([$"--Security.WellKnownCertificates.Admin={administrator.Thumbprint}", .. options]);
        await StartNginxAsync(BlocksOf(section, "nginx").Single(), change);
    }

    private async Task StartNginxAsync(string block, Func<string, string> change)
    {
        string configuration = Here(block, _publicPort)
            .Replace("listen 443 ssl", $"listen 127.0.0.1:{_publicPort} ssl", StringComparison.Ordinal)
            .Replace("db.example.org", "localhost", StringComparison.Ordinal)
            .Replace("/etc/ssl/private/", _folder + "/", StringComparison.Ordinal)
            .Replace("/etc/ssl/", _folder + "/", StringComparison.Ordinal);
        _nginx = Nginx.Start(_folder, change(configuration));
        using HttpClient client = Client(_publicPort, null);
        await _nginx.UntilServesAsync(client, Limit);
    }

    private static async Task<string> ExpectAsync(
        int status, int port, X509Certificate2? certificate, string? named = null, string path = WhoAmI)
    {
        using HttpClient client = Client(port, certificate);
        using HttpRequestMessage request = new(HttpMethod.Get, path);
        if (named != null)
        {
            request.Headers.Add("X-Raven-Client-Cert", named);
            request.Headers.Add("X-Forwarded-For", "203.0.113.7");
        }

        using HttpResponseMessage answer = await client.SendAsync(request);
        string body = await answer.Content.ReadAsStringAsync();
        Assert.True((int)answer.StatusCode == status, $"{answer.StatusCode} {body}");
        return body;
    }

    /// <summary>Sends a request through the proxy that must succeed.</summary>
    private async Task SendAsync(HttpMethod method, string path, object body, X509Certificate2 by)
    {
        using HttpClient client = Client(_publicPort, by);
        using var request = new HttpRequestMessage(method, path)
        {
            Content = JsonContent.Create(body, options: JsonSerializerOptions.Default),
        };
        using HttpResponseMessage answer = await client.SendAsync(request);
        Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
    }

    /// <summary>Asks through the proxy who it is, time after time: each answer must be its own.</summary>
    private async Task AskAsync(X509Certificate2 certificate, CancellationToken over)
    {
        using HttpClient client = Client(_publicPort, certificate);
        while (!over.IsCancellationRequested)
        {
            string answer = await client.GetStringAsync(new Uri(WhoAmI, UriKind.Relative), CancellationToken.None);
            Assert.Equal("known", (string?)JsonNode.Parse(answer)!["Name"]);
        }
    }

    private static string AuditOf(string folder)
    {
        using var file = new FileStream(
            Path.Combine(folder, "audit.jsonl"), FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        using var text = new StreamReader(file);
        return text.ReadToEnd();
    }

    private static HttpClient Client(int port, X509Certificate2? certificate)
    {
        SocketsHttpHandler handler = new() { UseProxy = false };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        handler.SslOptions.ClientCertificates = certificate is null ? [] : [certificate];
        return new HttpClient(handler) { BaseAddress = new Uri($"https://localhost:{port}") };
    }

    private async Task<string> PresentedAsync()
    {
        using var client = new TcpClient();
        await client.ConnectAsync(IPAddress.Loopback, _serverPort);
        await using var tls = new SslStream(client.GetStream(), false, (_, _, _, _) => true);
        await tls.AuthenticateAsClientAsync("localhost");
        return tls.RemoteCertificate!.GetCertHashString();
    }

    private string Bash(string command, params (string Name, string Value)[] variables)
    {
        var start = new ProcessStartInfo("bash", ["-c", "set -e\n" + command])
        {
            RedirectStandardOutput = true,
            WorkingDirectory = _folder,
        };
        foreach ((string name, string value) in variables)
        {
            start.Environment[name] = value;
        }

        using Process bash = Process.Start(start)!;
        string printed = bash.StandardOutput.ReadToEnd();
        Assert.True(bash.WaitForExit(Limit), command);
        Assert.True(bash.ExitCode == 0, $"{command}\n{printed}");
        return printed;
    }

    /// <summary>A certificate for servers, as PEM with the key in a file of its own.</summary>
    private static X509Certificate2 MakeServer(string path, string keyPath)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        var names = new SubjectAlternativeNameBuilder();
        names.AddDnsName("localhost");
        names.AddIpAddress(IPAddress.Loopback);
        request.CertificateExtensions.Add(names.Build());
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.1")], false));
        X509Certificate2 made = request.CreateSelfSigned(
            DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(60));
        File.WriteAllText(path, made.ExportCertificatePem());
        File.WriteAllText(keyPath, key.ExportPkcs8PrivateKeyPem());
        return made;
    }

    private static X509Certificate2 MakeClient(string name)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid("1.3.6.1.5.5.7.3.2")], false));
        return request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
    }

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    [GeneratedRegex(
        "^(?<indent> *)```(?<language>[a-z]+)\n(?<code>.*?)^ *```", RegexOptions.Multiline | RegexOptions.Singleline)]
    private static partial Regex Block();
}
