using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.RegularExpressions;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Session;
using SlowTests.Support;

namespace SlowTests.Packaging;

/// <summary>
/// The configuration of nginx in docs/operations.md, as it is there but for the machine's paths, ports and name, before
/// the real server.
/// </summary>
[Trait(Category.Shard, "packaging")]
public sealed partial class ProxyTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(20);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-proxy-").FullName;
    private readonly int _port = FreePort();
    private X509Certificate2? _user;
    private string _own = "";
    private ServerProcess? _server;
    private Nginx? _nginx;

    private string Url => $"https://localhost:{_port}";

    public void Dispose()
    {
        _nginx?.Dispose();
        _server?.Dispose();
        _user?.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [ProgramFact(Nginx.Program, Nginx.Package)]
    [Trait(Category.Run, Category.Ci)]
    public async Task Clients_work_through_the_proxy_configuration_of_the_docs()
    {
        await StartAsync();
        using HttpClient client = Client(_user);
        await ExpectAsync(HttpStatusCode.Created, client, HttpMethod.Put, "/admin/databases?name=shop");
        await StoreAndReadAsync();
        await ExpectAsync(HttpStatusCode.OK, client, HttpMethod.Get, "/databases/shop/docs?id=a");
        string topology = await ExpectAsync(HttpStatusCode.OK, client, HttpMethod.Get, "/topology?name=shop");
        Assert.Contains($"\"Url\":\"{Url}\"", topology, StringComparison.Ordinal);
        await HearOfAChangeAsync(client);
    }

    [ProgramFact(Nginx.Program, Nginx.Package)]
    [Trait(Category.Run, Category.Ci)]
    public async Task The_proxy_configuration_of_the_docs_admits_only_known_clients()
    {
        await StartAsync();
        using HttpClient nobody = Client(null);
        await ExpectAsync(HttpStatusCode.BadRequest, nobody, HttpMethod.Get, "/databases");
        using HttpClient client = Client(_user);
        await ExpectAsync(HttpStatusCode.OK, client, HttpMethod.Get, "/databases");

        // A page that the server has under its public name may send requests, another page may not.
        await ExpectAsync(HttpStatusCode.OK, client, HttpMethod.Get, "/databases", ("Origin", Url));
        await ExpectAsync(
            HttpStatusCode.Forbidden, client, HttpMethod.Get, "/databases", ("Origin", "https://other.example"));

        // What proxies say of the client besides is not read: not by name, not for what is allowed.
        await ExpectAsync(
            HttpStatusCode.OK, client, HttpMethod.Get, "/databases", ("X-Forwarded-Host", "other.example"),
            ("X-Forwarded-For", "203.0.113.7"), ("X-Forwarded-Proto", "http"), ("Forwarded", "host=other.example"));

        // Without the line that sets Host, the server on loopback would be asked by the public name.
        using HttpClient direct = new() { BaseAddress = new Uri(_server!.Url) };
        await ExpectAsync(
            HttpStatusCode.Forbidden, direct, HttpMethod.Get, "/databases", ("Host", "db.example.org"),
            ("X-Forwarded-Host", "127.0.0.1"));
    }

    private async Task StoreAndReadAsync()
    {
        using DocumentStore store = new() { Urls = [Url], Database = "shop" };
        store.Conventions.CreateHttpMessageHandler = () => Handler(_user);
        store.Initialize();
        await using (BulkInsertOperation bulk = store.BulkInsert())
        {
            for (int i = 0; i < 1000; i++)
            {
                await bulk.StoreAsync(new Thing { Text = new string('x', 200) }, $"things/{i}");
            }
        }

        using IAsyncDocumentSession session = store.OpenAsyncSession();
        await session.StoreAsync(new Thing { Text = "a" }, "a");
        await session.SaveChangesAsync();
        int read = 0;
        await foreach (StreamResult<Thing> thing in session.Advanced.StreamAsync<Thing>("things/"))
        {
            read += thing.Document.Text.Length == 200 ? 1 : 0;
        }

        Assert.Equal(1000, read);
    }

    private async Task HearOfAChangeAsync(HttpClient client)
    {
        using var limit = new CancellationTokenSource(Limit);
        using var socket = new ClientWebSocket();
        socket.Options.ClientCertificates = new X509CertificateCollection { _user! };
        socket.Options.RemoteCertificateValidationCallback = (_, certificate, _, _) => IsOwn(certificate);
        await socket.ConnectAsync(new Uri($"wss://localhost:{_port}/databases/shop/changes"), limit.Token);
        await socket.SendAsync(
            Encoding.UTF8.GetBytes("""{"CommandId":1,"Command":"watch-docs"}"""), WebSocketMessageType.Text,
            endOfMessage: true, limit.Token);
        var heard = new StringBuilder();
        byte[] buffer = new byte[4096];
        bool isSent = false;
        while (!heard.ToString().Contains("\"Id\":\"b\"", StringComparison.Ordinal))
        {
            WebSocketReceiveResult part = await socket.ReceiveAsync(buffer, limit.Token);
            heard.Append(Encoding.UTF8.GetString(buffer, 0, part.Count));
            if (!isSent && heard.ToString().Contains("Confirm", StringComparison.Ordinal))
            {
                isSent = true;
                await ExpectAsync(HttpStatusCode.Created, client, HttpMethod.Put, "/databases/shop/docs?id=b");
            }
        }
    }

    private async Task StartAsync()
    {
        _server = ServerProcess.Start(null, $"--PublicServerUrl={Url}");
        MakeCertificates();
        string page = await File.ReadAllTextAsync(Path.Combine(NodeProgram.Root, "docs", "operations.md"));
        string block = Block().Match(page).Groups[1].Value;
        Assert.NotEqual("", block);
        string upstream = new Uri(_server.Url).Port.ToString(CultureInfo.InvariantCulture);
        string configuration = block
            .Replace("listen 443 ssl", $"listen 127.0.0.1:{_port} ssl", StringComparison.Ordinal)
            .Replace("db.example.org", "localhost", StringComparison.Ordinal)
            .Replace("127.0.0.1:8080", $"127.0.0.1:{upstream}", StringComparison.Ordinal)
            .Replace("/etc/ssl/private/", _folder + "/", StringComparison.Ordinal)
            .Replace("/etc/ssl/", _folder + "/", StringComparison.Ordinal);
        _nginx = Nginx.Start(_folder, configuration);
        using HttpClient client = Client(_user);
        await _nginx.UntilServesAsync(client, Limit);
    }

    /// <summary>The server's, and one that signs those of users, with one user.</summary>
    private void MakeCertificates()
    {
        DateTimeOffset now = DateTimeOffset.UtcNow;
        using var key = RSA.Create(2048);
        var request = new CertificateRequest("CN=localhost", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using X509Certificate2 own = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        _own = own.GetCertHashString();
        File.WriteAllText(Path.Combine(_folder, "localhost.pem"), own.ExportCertificatePem());
        File.WriteAllText(Path.Combine(_folder, "localhost.key"), key.ExportPkcs8PrivateKeyPem());

        using var signing = RSA.Create(2048);
        request = new("CN=users", signing, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        using X509Certificate2 signer = request.CreateSelfSigned(now.AddDays(-1), now.AddDays(1));
        File.WriteAllText(Path.Combine(_folder, "clients.pem"), signer.ExportCertificatePem());

        using var userKey = RSA.Create(2048);
        request = new("CN=user", userKey, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using X509Certificate2 user = request.Create(signer, now.AddHours(-1), now.AddHours(1), [1]);
        _user = user.CopyWithPrivateKey(userKey);
    }

    private HttpClient Client(X509Certificate2? user) => new(Handler(user)) { BaseAddress = new Uri(Url) };

    private SocketsHttpHandler Handler(X509Certificate2? user)
    {
        SocketsHttpHandler handler = new() { UseProxy = false };
        handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, _) => IsOwn(certificate);
        handler.SslOptions.ClientCertificates = user is null ? [] : [user];
        return handler;
    }

    private static async Task<string> ExpectAsync(
        HttpStatusCode status, HttpClient client, HttpMethod method, string path,
        params (string Name, string Value)[] headers)
    {
        using HttpRequestMessage request = new(method, path);
        if (method == HttpMethod.Put)
        {
            request.Content = new StringContent(
                path.StartsWith("/admin", StringComparison.Ordinal) ? """{"DatabaseName":"shop"}""" : "{}");
        }

        foreach ((string name, string value) in headers)
        {
            request.Headers.TryAddWithoutValidation(name, value);
        }

        using HttpResponseMessage response = await client.SendAsync(request);
        string body = await response.Content.ReadAsStringAsync();
        Assert.True(response.StatusCode == status, $"{path}: {response.StatusCode}: {body}");
        return body;
    }

    private bool IsOwn(X509Certificate? certificate) => certificate?.GetCertHashString() == _own;

    private static int FreePort()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    [GeneratedRegex("```nginx\n(.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();

    private sealed class Thing
    {
        public string Text { get; init; } = "";
    }
}
