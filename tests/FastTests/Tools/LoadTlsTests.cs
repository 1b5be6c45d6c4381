using System.Collections.Concurrent;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using FastTests.Security;
using FastTests.Support;
using Raven.Security.Certificates;
using Raven.Tools.Load;

namespace FastTests.Tools;

/// <summary>The load tool over TLS: whom it trusts, what it shows, and how many handshakes it makes.</summary>
public sealed class LoadTlsTests : IAsyncLifetime
{
    private static readonly DateTimeOffset LongAgo = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly DateTimeOffset LongAfter = new(2090, 1, 1, 0, 0, 0, TimeSpan.Zero);

    private readonly X509Certificate2 _own = TestCertificates.Make(
        "localhost", from: LongAgo, to: LongAfter, purpose: CertificateUse.ServerAuthentication, names: ["localhost"]);

    private readonly X509Certificate2 _client = TestCertificates.Make("load", from: LongAgo, to: LongAfter);

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly ConcurrentBag<string> _thumbprints = [];
    private readonly ConcurrentBag<string> _requests = [];
    private Task _accepting = Task.CompletedTask;

    public ValueTask InitializeAsync()
    {
        _listener.Start();
        _accepting = AcceptAsync();
        return ValueTask.CompletedTask;
    }

    [Theory]
    [InlineData(true, 3)]
    [InlineData(false, 12)]
    public async Task A_load_makes_a_handshake_for_each_connection_and_shows_its_certificate(
        bool keepAlive, int handshakes)
    {
        LoadReport report = await LoadRun.RunAsync(Options(_own) with { KeepAlive = keepAlive });
        Assert.Equal((12, ""), (report.Successful, report.FirstFailure));
        Assert.Equal(handshakes, report.Handshakes.Count);
        Assert.Equal(Enumerable.Repeat(_client.Thumbprint, handshakes), _thumbprints);
        Assert.All(_requests, request => Assert.Contains(
            "Authorization: Bearer key\r\n", request, StringComparison.Ordinal));
        var text = new StringWriter();
        report.Write(text);
        Assert.Contains(
            $"Handshakes:                     {handshakes,12} hits", text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Clients_that_connect_first_make_no_handshake_for_their_requests()
    {
        int called = 0;
        LoadReport report = await LoadRun.RunAsync(
            Options(_own) with { Connected = () => called += _requests.Count + 1 });
        Assert.Equal(1, called);
        Assert.Equal((12, 12, 3), (report.Successful, report.Latency.Count, report.Handshakes.Count));
    }

    [Fact]
    public async Task A_server_that_is_not_trusted_gets_no_request()
    {
        LoadReport report = await LoadRun.RunAsync(Options(_client));
        Assert.Equal((12, 12, 0), (report.Requests, report.NetworkFailed, report.Handshakes.Count));
        Assert.Empty(_requests);
        Assert.Contains("certificate", report.FirstFailure, StringComparison.Ordinal);
        var text = new StringWriter();
        report.Write(text);
        Assert.DoesNotContain("Handshake", text.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void Certificates_are_read_from_files()
    {
        string folder = Directory.CreateTempSubdirectory("load").FullName;
        try
        {
            FileInfo Save(string name, byte[] bytes)
            {
                string path = Path.Combine(folder, name);
                File.WriteAllBytes(path, bytes);
                return new FileInfo(path);
            }

            FileInfo pfx = Save("a.pfx", _client.Export(X509ContentType.Pkcs12));
            string key = _client.GetECDsaPrivateKey()!.ExportPkcs8PrivateKeyPem();
            FileInfo pem = Save("a.pem", Encoding.ASCII.GetBytes(_client.ExportCertificatePem() + "\n" + key));
            FileInfo authority = Save("ca.crt", Encoding.ASCII.GetBytes(_own.ExportCertificatePem()));
            Assert.NotNull(LoadTls.FromFiles("localhost", pfx, authority));
            Assert.NotNull(LoadTls.FromFiles("localhost", pem, null));
            Assert.Throws<FormatException>(() => LoadTls.FromFiles("localhost", authority, null));
            Assert.Throws<FormatException>(() => LoadTls.FromFiles("localhost", Save("b.pfx", [1, 2, 3]), null));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    public async ValueTask DisposeAsync()
    {
        _listener.Stop();
        await _accepting;
        _listener.Dispose();
        _own.Dispose();
        _client.Dispose();
    }

    private LoadOptions Options(X509Certificate2 trusted)
    {
        var server = (IPEndPoint)_listener.LocalEndpoint;
        return new LoadOptions
        {
            Server = server,
            Tls = LoadTls.Create("localhost", _client, [trusted]),
            Requests =
            [
                RequestTemplate.Create("GET", $"https://localhost:{server.Port}/x", null, true,
                    ["Authorization: Bearer key"]),
            ],
            Clients = 3,
            RequestsPerClient = 4,
        };
    }

    private async Task AcceptAsync()
    {
        var connections = new List<Task>();
        while (await Accepting.NextAsync(_listener) is { } client)
        {
            connections.Add(ServeAsync(client));
        }

        await Task.WhenAll(connections);
    }

    private async Task ServeAsync(TcpClient client)
    {
        using TcpClient closing = client;
        await using var stream = new SslStream(client.GetStream());
        try
        {
            await stream.AuthenticateAsServerAsync(new SslServerAuthenticationOptions
            {
                ServerCertificate = _own,
                ClientCertificateRequired = true,
                RemoteCertificateValidationCallback = (_, _, _, _) => true,
            });
            _thumbprints.Add(stream.RemoteCertificate!.GetCertHashString());
            byte[] buffer = new byte[4096];
            for (int read; (read = await stream.ReadAsync(buffer)) > 0;)
            {
                _requests.Add(Encoding.ASCII.GetString(buffer, 0, read));
                await stream.WriteAsync("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"u8.ToArray());
            }
        }
        catch (Exception gone) when (gone is IOException or AuthenticationException)
        {
            // The client does not trust it, or has gone.
        }
    }
}
