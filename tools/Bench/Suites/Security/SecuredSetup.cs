using System.Net;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;
using Raven.Security.Certificates;
using Raven.Server;
using Raven.Tools.Bench.Suites.Http;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Security;

/// <summary>
/// Our server over TLS in a process of its own, with the database <c>bench</c>, a document of 1 KB in it, and two
/// callers that may read it: a certificate and an API key.
/// </summary>
internal sealed class SecuredSetup : IDisposable
{
    internal const string DocumentPath = "/databases/bench/docs?id=bench/1";
    internal const string VersionPath = "/build/version";

    private const string Database = "bench";

    private readonly EmbeddedCertificates _certificates = new();
    private readonly X509Certificate2 _reader;
    private readonly HttpClient _admin;

    internal SecuredSetup(string folder)
    {
        DateTimeOffset tomorrow = TimeProvider.System.GetUtcNow().AddDays(1);
        _reader = new CertificateMaker(TimeProvider.System).MakeClient("reader", tomorrow);
        Ours = ServerUnderTest.StartSecured(
            folder, $"--Security.Certificate.Path={ServerFile}",
            $"--Security.WellKnownCertificates.Admin={_certificates.Admin.Thumbprint}");
        _admin = CreateClient();
        StoreDocument(_admin);
        Send(HttpMethod.Put, "/admin/certificates", new JsonObject
        {
            ["Name"] = "reader",
            ["Certificate"] = Convert.ToBase64String(_reader.RawData),
            ["SecurityClearance"] = "ValidUser",
            ["Permissions"] = new JsonObject { [Database] = "Read" },
        });
        Key = Send(HttpMethod.Post, "/admin/api-keys", new JsonObject
        {
            ["Name"] = "reader",
            ["SecurityClearance"] = "ValidUser",
            ["Permissions"] = new JsonObject { [Database] = "Read" },
            ["ExpiresAt"] = null,
        })!["Key"]!.GetValue<string>();
        ByCertificate = TlsWith(_reader);
        WithoutCertificate = TlsWith(null);
    }

    /// <summary>Our server.</summary>
    internal ServerUnderTest Ours { get; }

    /// <summary>The server's certificate with its key, a .pfx without a password.</summary>
    internal string ServerFile => _certificates.Security.CertificatePath!;

    /// <summary>What shows the certificate that may read.</summary>
    internal LoadTls ByCertificate { get; }

    /// <summary>What shows no certificate.</summary>
    internal LoadTls WithoutCertificate { get; }

    /// <summary>The API key that may read.</summary>
    internal string Key { get; }

    /// <summary>Makes the database and the document over a client that may.</summary>
    internal static void StoreDocument(HttpClient client)
    {
        string text = new('x', 850);
        using var record = Json("""{"DatabaseName":"bench"}""");
        using HttpResponseMessage created =
            client.PutAsync("/admin/databases?name=bench", record).GetAwaiter().GetResult();
        created.EnsureSuccessStatusCode();
        using var document = Json($$"""{"@metadata":{"@collection":"Bench"},"Name":"bench","Text":"{{text}}"}""");
        using HttpResponseMessage stored = client.PutAsync(DocumentPath, document).GetAwaiter().GetResult();
        stored.EnsureSuccessStatusCode();
    }

    /// <summary>A load over TLS 1.3.</summary>
    /// <param name="server">The server, ours or a peer that has our certificate.</param>
    /// <param name="tls">Who the clients are.</param>
    /// <param name="path">The path.</param>
    /// <param name="key">The API key; null for none.</param>
    /// <param name="keepAlive">False makes a connection for each request.</param>
    internal static LoadOptions Load(
        ServerUnderTest server, LoadTls tls, string path, string? key = null, bool keepAlive = true) => new()
        {
            Server = new IPEndPoint(IPAddress.Loopback, server.Url.Port),
            Tls = tls,
            Requests =
            [
                RequestTemplate.Create(
                    "GET", new Uri(server.Url, path).AbsoluteUri, body: null, keepAlive,
                    key == null ? [] : [$"Authorization: Bearer {key}"]),
            ],
            Clients = HttpRounds.Clients,
            KeepAlive = keepAlive,
        };

    /// <summary>TLS 1.3 that trusts the server.</summary>
    /// <param name="certificate">What it shows; null for nothing.</param>
    internal LoadTls TlsWith(X509Certificate2? certificate) =>
        LoadTls.Create("127.0.0.1", certificate, _certificates.Authorities, SslProtocols.Tls13);

    /// <summary>Fetches an answer of ours into a file, for peers to give.</summary>
    internal void SaveAnswer(string path, string bodyFile) =>
        PeerAnswers.Save(_admin, new Uri(Ours.Url, path), bodyFile);

    /// <summary>Writes the server's certificate and its key as PEM, for a peer.</summary>
    internal void WritePem(string certificateFile, string keyFile)
    {
        using X509Certificate2 server = X509CertificateLoader.LoadPkcs12FromFile(
            ServerFile, password: null, X509KeyStorageFlags.Exportable);
        File.WriteAllText(certificateFile, server.ExportCertificatePem());
        File.WriteAllText(keyFile, server.GetRSAPrivateKey()!.ExportPkcs8PrivateKeyPem());
    }

    public void Dispose()
    {
        _admin.Dispose();
        Ours.Dispose();
        _reader.Dispose();
        _certificates.Dispose();
    }

    private HttpClient CreateClient()
    {
        var handler = new SocketsHttpHandler();
        handler.SslOptions.ClientCertificates = [_certificates.Admin];
        handler.SslOptions.CertificateChainPolicy = new X509ChainPolicy
        {
            RevocationMode = X509RevocationMode.NoCheck,
            TrustMode = X509ChainTrustMode.CustomRootTrust,
        };
        handler.SslOptions.CertificateChainPolicy.CustomTrustStore.AddRange(_certificates.Authorities);
        return new HttpClient(handler) { BaseAddress = Ours.Url };
    }

    private JsonNode? Send(HttpMethod method, string path, JsonObject body)
    {
        using var request = new HttpRequestMessage(method, path) { Content = Json(body.ToJsonString()) };
        using HttpResponseMessage answer = _admin.Send(request);
        string text = answer.Content.ReadAsStringAsync().GetAwaiter().GetResult();
        return answer.IsSuccessStatusCode
            ? text.Length == 0 ? null : JsonNode.Parse(text)
            : throw new InvalidOperationException($"{method} {path} was answered {(int)answer.StatusCode}: {text}");
    }

    private static StringContent Json(string text) => new(text, Encoding.UTF8, "application/json");
}
