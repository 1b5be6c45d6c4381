using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using FastTests.Security;
using Raven.Security.Certificates;

namespace SlowTests.Security;

/// <summary>
/// The certificate of a server under load is replaced a thousand times, now and then by what is none.
/// </summary>
[Trait(Category.Shard, "tls-reload")]
public sealed class CertificateReloadStormTests(ITestOutputHelper output)
{
    private const int Reloads = 1000;
    private const int Clients = 50;

    /// <summary>Of so many requests a client makes one on a new connection.</summary>
    private const int RequestsOfConnection = 5;

    private readonly ConcurrentDictionary<string, bool> _presented = new();

    [Fact]
    [Trait("Security", "14")]
    public async Task No_request_fails_while_the_certificate_changes_a_thousand_times()
    {
        using var server = new SecuredProcess();
        string pfx = server.PathOf("server.pfx");
        using (X509Certificate2 first = X509CertificateLoader.LoadPkcs12FromFile(pfx, null))
        {
            _presented[first.Thumbprint] = true;
        }

        using var over = new CancellationTokenSource();
        Task<long>[] clients =
            [.. Enumerable.Range(0, Clients).Select(_ => Task.Run(() => SendAsync(server, over.Token)))];
        int refused = 0;
        using (HttpClient admin = Client(server))
        {
            for (int i = 0; i < Reloads; i++)
            {
                bool isGood = i % 10 != 9;
                string? thumbprint = isGood ? WriteGood(pfx) : WriteBad(pfx, i / 10);
                using HttpResponseMessage answer = await admin.PostAsync(
                    new Uri("/admin/certificates/refresh", UriKind.Relative), null);
                Assert.Equal(isGood ? HttpStatusCode.NoContent : HttpStatusCode.BadRequest, answer.StatusCode);
                refused += isGood ? 0 : 1;
                if (isGood && i % 50 == 0)
                {
                    Assert.Equal(thumbprint, await PresentedAsync(server));
                }
            }

            WriteGood(pfx);
            (await admin.PostAsync(new Uri("/admin/certificates/refresh", UriKind.Relative), null))
                .EnsureSuccessStatusCode();
            string metrics = await admin.GetStringAsync(new Uri("/metrics", UriKind.Relative));
            string failures = metrics.Split('\n').First(line =>
                line.StartsWith("raven_certificate_reload_failures_total ", StringComparison.Ordinal));

            // The server may also look by itself at what it was just refused.
            Assert.True(
                int.Parse(failures.Split(' ')[1], CultureInfo.InvariantCulture) >= refused, failures);
        }

        await over.CancelAsync();
        long sent = (await Task.WhenAll(clients)).Sum();
        output.WriteLine($"{sent} requests by {Clients} clients beside {Reloads} reloads, {refused} of them refused");
        Assert.True(sent > Reloads, $"only {sent} requests");
    }

    /// <summary>One request after the other; the first that fails ends the test.</summary>
    private async Task<long> SendAsync(SecuredProcess server, CancellationToken over)
    {
        using HttpClient client = Client(server);
        long sent = 0;
        while (!over.IsCancellationRequested)
        {
            using var request = new HttpRequestMessage(HttpMethod.Get, "/databases");
            request.Headers.ConnectionClose = sent % RequestsOfConnection == 0;
            using HttpResponseMessage answer = await client.SendAsync(request, CancellationToken.None);
            answer.EnsureSuccessStatusCode();
            sent++;
        }

        return sent;
    }

    private async Task<string> PresentedAsync(SecuredProcess server)
    {
        await using SslStream tls = await server.OpenAsync(null, SslApplicationProtocol.Http11);
        return ((X509Certificate2)tls.RemoteCertificate!).Thumbprint;
    }

    /// <summary>A client that trusts each certificate that was written.</summary>
    private HttpClient Client(SecuredProcess server) => new(new SocketsHttpHandler
    {
        SslOptions = new SslClientAuthenticationOptions
        {
            ClientCertificateContext = SslStreamCertificateContext.Create(server.Admin, null, offline: true),
            RemoteCertificateValidationCallback = (_, theirs, _, _) =>
                _presented.ContainsKey(((X509Certificate2)theirs!).Thumbprint),
        },
    })
    {
        BaseAddress = new Uri(server.Url),
    };

    private string WriteGood(string path)
    {
        using X509Certificate2 next = Make(DateTimeOffset.UtcNow.AddDays(30));
        _presented[next.Thumbprint] = true;
        Replace(path, next.Export(X509ContentType.Pkcs12));
        return next.Thumbprint;
    }

    /// <summary>What must leave the certificate before it in force.</summary>
    private static string? WriteBad(string path, int kind)
    {
        using X509Certificate2 next = Make(DateTimeOffset.UtcNow.AddDays(30));
        byte[] bytes = next.Export(X509ContentType.Pkcs12);
        switch (kind % 6)
        {
            case 0:
                File.WriteAllBytes(path, bytes.AsSpan(0, bytes.Length / 2));
                break;
            case 1:
                using (ECDsa other = ECDsa.Create(ECCurve.NamedCurves.nistP256))
                {
                    Replace(path, System.Text.Encoding.ASCII.GetBytes(
                        next.ExportCertificatePem() + "\n" + other.ExportPkcs8PrivateKeyPem()));
                }

                break;
            case 2:
                using (X509Certificate2 expired = Make(DateTimeOffset.UtcNow.AddHours(-1)))
                {
                    Replace(path, expired.Export(X509ContentType.Pkcs12));
                }

                break;
            case 3:
                File.Delete(path);
                break;
            case 4:
                File.Delete(path);
                File.CreateSymbolicLink(path, "/dev/zero");
                break;
            default:
                // Two gigabytes that take no place.
                File.Delete(path);
                using (FileStream large = File.Create(path))
                {
                    large.SetLength(2L << 30);
                }

                break;
        }

        return null;
    }

    /// <summary>Writes a file whole, as who renews certificates does.</summary>
    private static void Replace(string path, byte[] bytes)
    {
        File.WriteAllBytes(path + ".new", bytes);
        File.Move(path + ".new", path, overwrite: true);
    }

    private static X509Certificate2 Make(DateTimeOffset to) => TestCertificates.Make(
        "localhost", from: DateTimeOffset.UtcNow.AddDays(-2), to: to, purpose: CertificateUse.ServerAuthentication,
        names: ["localhost", "127.0.0.1"]);
}
