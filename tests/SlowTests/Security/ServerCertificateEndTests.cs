using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;
using FastTests.Security;
using FastTests.Support;
using Raven.Security.Certificates;
using SlowTests.Support;

namespace SlowTests.Security;

/// <summary>
/// The server's certificate ends while the real server runs, on a clock that libfaketime moves: it is presented on, the
/// log and the metrics say so, and the next start is refused.
/// </summary>
public sealed class ServerCertificateEndTests : IDisposable
{
    private const string Library = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1";

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-end-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [ProgramFact(Library, "faketime")]
    [Trait(Category.Shard, "tls")]
    [Trait("Security", "16")]
    public async Task A_certificate_that_ends_is_presented_on_warned_of_and_refused_at_the_next_start()
    {
        string pfx = Path.Combine(_folder, "server.pfx");
        using X509Certificate2 own = SecuredProcess.NewCertificate("operator");
        using X509Certificate2 certificate = TestCertificates.Make(
            "localhost", from: DateTimeOffset.UtcNow.AddDays(-1), to: DateTimeOffset.UtcNow.AddDays(15),
            purpose: CertificateUse.ServerAuthentication, names: ["127.0.0.1"]);
        await File.WriteAllBytesAsync(pfx, certificate.Export(X509ContentType.Pkcs12));
        string[] options =
        [
            "--ServerUrl=https://127.0.0.1:0", $"--Security.Certificate.Path={pfx}",
            $"--Security.WellKnownCertificates.Admin={own.Thumbprint}", $"--Security.KeysFolder={_folder}/keys",
        ];
        SetClock(days: 0);
        using (ServerProcess server = ServerProcess.Start(Path.Combine(_folder, "data"), Environment(), options))
        {
            using HttpClient client = Client(server, own);
            Assert.True(await SecondsLeftAsync(client) > 0);
            Assert.DoesNotContain(server.Printed, line => line.Contains("[1023]", StringComparison.Ordinal));
            SetClock(days: 2);
            await UntilLoggedAsync(server, "[1023]");

            // The operator's certificate has 30 days; the server's has ended a day ago.
            SetClock(days: 16);
            await UntilLoggedAsync(server, "[1027]");
            Assert.True(await SecondsLeftAsync(client) < 0);
            using HttpClient late = Client(server, own);
            Assert.True(await SecondsLeftAsync(late) < 0);
        }

        InvalidOperationException refused = Assert.Throws<InvalidOperationException>(
            () => ServerProcess.Start(Path.Combine(_folder, "data"), Environment(), options));
        Assert.Contains("expired on", refused.Message, StringComparison.Ordinal);
    }

    /// <summary>The server looks at its certificate once a minute.</summary>
    private static Task UntilLoggedAsync(ServerProcess server, string id) => Deadline.UntilAsync(
        () => server.Printed.Any(line => line.Contains(id, StringComparison.Ordinal)), $"{id} was never logged");

    private static async Task<double> SecondsLeftAsync(HttpClient client)
    {
        string metrics = await client.GetStringAsync(new Uri("/metrics", UriKind.Relative));
        string line = metrics.Split('\n').First(
            one => one.StartsWith("raven_certificate_expiry_seconds ", StringComparison.Ordinal));
        return double.Parse(line.Split(' ')[1], CultureInfo.InvariantCulture);
    }

    private void SetClock(int days)
    {
        string made = Path.Combine(_folder, "clock.new");
        File.WriteAllText(made, string.Create(CultureInfo.InvariantCulture, $"+{days}d\n"));
        File.Move(made, Path.Combine(_folder, "clock"), overwrite: true);
    }

    /// <summary>Only the time of day moves: timers go by another clock.</summary>
    private Dictionary<string, string> Environment() => new()
    {
        ["LD_PRELOAD"] = Library,
        ["FAKETIME_TIMESTAMP_FILE"] = Path.Combine(_folder, "clock"),
        ["FAKETIME_CACHE_DURATION"] = "1",
        ["FAKETIME_DONT_FAKE_MONOTONIC"] = "1",
        ["FAKETIME_NO_CACHE"] = "1",
    };

    private static HttpClient Client(ServerProcess server, X509Certificate2 own) => new(new SocketsHttpHandler
    {
        SslOptions = new SslClientAuthenticationOptions
        {
            ClientCertificateContext = SslStreamCertificateContext.Create(own, null, offline: true),
            RemoteCertificateValidationCallback = (_, _, _, _) => true,
        },
    })
    {
        BaseAddress = new Uri(server.Url),
    };
}
