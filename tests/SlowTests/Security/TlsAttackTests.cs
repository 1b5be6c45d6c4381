using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using FastTests.Support;
using SlowTests.Support;

namespace SlowTests.Security;

/// <summary>What strangers try at and before the handshake, at the real server.</summary>
[Trait(Category.Shard, "tls")]
public sealed class TlsAttackTests(SecuredProcess server, ITestOutputHelper output) : IClassFixture<SecuredProcess>
{
    /// <summary>With those to warm up below what slows a source down.</summary>
    private const int HostileRounds = 7;
    private const long GrowthBytesMax = 20 << 20;

    /// <summary>Of each handshake, also beside others that have the machine busy.</summary>
    private static readonly TimeSpan HandshakeMax = TimeSpan.FromSeconds(5);

    /// <summary>Of the fastest of several.</summary>
    private static readonly TimeSpan FastestMax = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(5);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "4")]
    public async Task A_certificate_that_is_not_registered_ends_the_handshake_well_and_gets_403()
    {
        using X509Certificate2 stranger = SecuredProcess.NewCertificate("stranger-4");
        using HttpClient client = server.Client(stranger);
        using HttpResponseMessage answer = await client.GetAsync(new Uri("/databases", UriKind.Relative));
        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        Assert.Contains(
            stranger.Thumbprint, await answer.Content.ReadAsStringAsync(), StringComparison.OrdinalIgnoreCase);
        await Deadline.UntilAsync(() => server.ReadAudit().Split('\n').Any(line =>
            line.Contains("access.refused", StringComparison.Ordinal)
            && line.Contains(stranger.Thumbprint, StringComparison.Ordinal)));
        using HttpClient none = server.Client();
        using HttpResponseMessage refused = await none.GetAsync(new Uri("/databases", UriKind.Relative));
        Assert.Equal(HttpStatusCode.Forbidden, refused.StatusCode);
    }

    [ProgramFact("/usr/bin/openssl", "openssl")]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "5")]
    public void A_session_of_an_administrator_cannot_be_resumed_without_the_certificate()
    {
        string pem = server.PathOf("admin.pem");
        foreach (string version in new[] { "-tls1_2", "-tls1_3" })
        {
            string session = server.PathOf("session" + version);
            string first = Openssl(version, "-cert", pem, "-key", pem, "-sess_out", session);
            Assert.Contains("HTTP/1.1 200", first, StringComparison.Ordinal);
            string[] resumes = File.Exists(session) ? ["-sess_in", session] : [];
            foreach (string name in new[] { "localhost", "other.example" })
            {
                string second = Openssl([version, "-servername", name, .. resumes]);
                Assert.DoesNotContain("HTTP/1.1 2", second, StringComparison.Ordinal);
                Assert.Contains("HTTP/1.1 403", second, StringComparison.Ordinal);
                Assert.DoesNotContain("\nReused, ", second, StringComparison.Ordinal);
            }
        }
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "6")]
    public void Old_versions_and_weak_cipher_suites_are_not_spoken()
    {
        // ECDHE with RSA and AES-128-GCM: the same message with a good suite is answered.
        Assert.Equal(RawTls.Handshake, RawTls.FirstAnswer(server.Port, RawTls.ClientHello(RawTls.Tls12, 0xC02F)));
        (string Name, ushort Version, ushort[] Suites)[] weak =
        [
            ("SSL 3.0", 0x0300, [0x002F, 0x000A, 0x0005]),
            ("TLS 1.0", 0x0301, [0xC013, 0x002F, 0x000A]),
            ("TLS 1.1", 0x0302, [0xC013, 0x002F]),
            ("RC4", RawTls.Tls12, [0x0005, 0xC011, 0xC007]),
            ("3DES", RawTls.Tls12, [0x000A, 0xC012]),
            ("no encryption", RawTls.Tls12, [0x003B, 0xC010, 0x0001, 0x0002]),
            ("export", RawTls.Tls12, [0x0003, 0x0006, 0x0008, 0x0014]),
            ("anonymous", RawTls.Tls12, [0x0034, 0x006C, 0x00A6, 0xC018, 0xC019]),
            ("CBC", RawTls.Tls12, [0xC013, 0xC014, 0xC027, 0xC028]),
            ("no forward secrecy", RawTls.Tls12, [0x009C, 0x009D, 0x003C, 0x002F]),
        ];
        foreach ((string name, ushort version, ushort[] suites) in weak)
        {
            byte? answer = RawTls.FirstAnswer(server.Port, RawTls.ClientHello(version, suites));
            Assert.True(answer is null or RawTls.Alert, $"{name} was answered by a record of type {answer}");
        }
    }

    [ProgramFact("/usr/bin/openssl", "openssl")]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "6")]
    public void A_client_that_renegotiates_is_refused()
    {
        string pem = server.PathOf("admin.pem");

        // A line that is only R asks s_client to renegotiate.
        string said = Execute("R\n", "-tls1_2", "-cert", pem, "-key", pem);
        string[] parts = said.Split("RENEGOTIATING");
        Assert.Equal(2, parts.Length);
        Assert.Contains(":error:", parts[1], StringComparison.Ordinal);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "7")]
    public async Task Bytes_in_the_clear_are_never_read_as_a_request()
    {
        byte[] request = Encoding.ASCII.GetBytes(
            "PUT /admin/databases?name=hidden HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}");
        byte[] hello = RawTls.ClientHello(RawTls.Tls12, 0xC02F);
        byte[][] attacks =
        [
            request, [.. request, .. hello], [.. hello, .. request], [.. hello[..20], .. request],
            [.. "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"u8, .. request],
            [.. "PROXY TCP4 127.0.0.1 127.0.0.1 1 2\r\n"u8, .. hello],
        ];
        foreach (byte[] attack in attacks)
        {
            string answer = Encoding.Latin1.GetString(RawTls.Exchange(server.Port, attack));
            Assert.DoesNotContain("HTTP/1.1 2", answer, StringComparison.Ordinal);
        }

        using HttpClient admin = server.Client(server.Admin);
        string databases = await admin.GetStringAsync(new Uri("/databases", UriKind.Relative));
        Assert.DoesNotContain("hidden", databases, StringComparison.Ordinal);
        Assert.DoesNotContain("hidden", server.ReadAudit(), StringComparison.Ordinal);
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "8")]
    public async Task Nothing_that_a_certificate_of_a_client_names_is_fetched()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        string url = $"http://127.0.0.1:{((IPEndPoint)listener.LocalEndpoint).Port}/";
        using X509Certificate2 certificate = HostileCertificates.WithUrls(url, "http://169.254.169.254/latest/");
        SslStreamCertificateContext own = HostileCertificates.Context(certificate);
        TimeSpan fastest = TimeSpan.MaxValue;
        for (int i = 0; i < 3; i++)
        {
            long start = Stopwatch.GetTimestamp();
            Assert.Contains("HTTP/1.1 403", await TryAsync(server, own), StringComparison.Ordinal);
            TimeSpan took = Stopwatch.GetElapsedTime(start);
            fastest = took < fastest ? took : fastest;
        }

        Assert.InRange(fastest, TimeSpan.Zero, FastestMax);
        using HttpClient admin = server.Client(server.Admin);
        using var body = new StringContent(
            $$"""{"Name":"urls","SecurityClearance":"ValidUser","Permissions":{},"Certificate":"""
            + $"\"{Convert.ToBase64String(certificate.RawData)}\"}}");
        using HttpResponseMessage put = await admin.PutAsync(new Uri("/admin/certificates", UriKind.Relative), body);
        Assert.True(put.IsSuccessStatusCode, await put.Content.ReadAsStringAsync());
        Assert.Contains("HTTP/1.1 200", await TryAsync(server, own), StringComparison.Ordinal);
        await Task.Delay(Patience);
        Assert.False(listener.Pending());
    }

    [Fact]
    [Trait("Security", "9")]
    public async Task Hostile_certificates_are_refused_soon_and_cost_others_nothing()
    {
        List<(string Name, SslStreamCertificateContext Own)> hostile =
        [
            ("a megabyte", HostileCertificates.WithBytes(1 << 20)),
            ("a hundred authorities", HostileCertificates.Chain(100)),
            ("many names that are excluded", HostileCertificates.WithConstraints()),
            ("a key of 16,384 bits", HostileCertificates.WithLargeKey()),
        ];
        // Its own: a source of so many refusals is slowed down, and the other tests come from there too.
        using var attacked = new SecuredProcess();
        using HttpClient admin = attacked.Client(attacked.Admin);
        await admin.GetStringAsync(new Uri("/databases", UriKind.Relative));
        foreach ((_, SslStreamCertificateContext own) in hostile.Concat(hostile).Concat(hostile))
        {
            // What a new server needs once is no growth.
            await TryAsync(attacked, own);
        }

        long before = attacked.Server.AnonymousBytes();
        foreach ((string name, SslStreamCertificateContext own) in hostile)
        {
            TimeSpan fastest = TimeSpan.MaxValue;
            TimeSpan toSign = TimeToSign(own.TargetCertificate);
            for (int i = 0; i < HostileRounds; i++)
            {
                long start = Stopwatch.GetTimestamp();
                Assert.DoesNotContain("HTTP/1.1 2", await TryAsync(attacked, own), StringComparison.Ordinal);
                TimeSpan took = Stopwatch.GetElapsedTime(start);
                fastest = took < fastest ? took : fastest;
                Assert.InRange(took, TimeSpan.Zero, HandshakeMax);
                await admin.GetStringAsync(new Uri("/databases", UriKind.Relative));
            }

            output.WriteLine($"{name}: {own.IntermediateCertificates.Count} beside the first, "
                + $"{fastest.TotalMilliseconds:F0} ms, {toSign.TotalMilliseconds:F0} of them ours");
            Assert.InRange(fastest, TimeSpan.Zero, FastestMax + toSign);
        }

        long growth = attacked.Server.AnonymousBytes() - before;
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{growth >> 20} MB more"));
        Assert.InRange(growth, long.MinValue, GrowthBytesMax);
        await attacked.AssertServesAsync();
    }

    [ProgramFact("/usr/bin/openssl", "openssl")]
    [Trait(Category.Run, Category.Ci)]
    [Trait("Security", "9")]
    public async Task A_certificate_on_a_curve_of_its_own_is_refused()
    {
        string pem = server.PathOf("explicit.pem");
        using (Process made = Process.Start("bash", ["-c",
            $"openssl ecparam -name prime256v1 -param_enc explicit -genkey -noout -out {pem}.key && "
            + $"openssl req -x509 -new -key {pem}.key -subj /CN=explicit -days 2 -out {pem}.crt && "
            + $"cat {pem}.key {pem}.crt > {pem}"]))
        {
            made.WaitForExit();
            Assert.Equal(0, made.ExitCode);
        }

        foreach (string version in new[] { "-tls1_2", "-tls1_3" })
        {
            string said = Openssl(version, "-cert", pem, "-key", pem);
            Assert.DoesNotContain("HTTP/1.1 2", said, StringComparison.Ordinal);
        }

        await server.AssertServesAsync();
    }

    private static async Task<string> TryAsync(SecuredProcess to, SslStreamCertificateContext own)
    {
        try
        {
            await using SslStream tls = await to.OpenAsync(own, SslApplicationProtocol.Http11);
            await tls.WriteAsync("GET /databases HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"u8.ToArray());
            using var answer = new StreamReader(tls, Encoding.Latin1);
            return await answer.ReadToEndAsync();
        }
        catch (Exception refused) when (refused is AuthenticationException or IOException)
        {
            return refused.Message;
        }
    }

    /// <summary>How long a signature of the client takes, which is no work of the server.</summary>
    private static TimeSpan TimeToSign(X509Certificate2 own)
    {
        using RSA? key = own.GetRSAPrivateKey();
        long start = Stopwatch.GetTimestamp();
        key?.SignData([1], HashAlgorithmName.SHA256, RSASignaturePadding.Pss);
        return Stopwatch.GetElapsedTime(start);
    }

    /// <summary>Sends a request through <c>openssl s_client</c>, and gives all that it prints.</summary>
    private string Openssl(params string[] arguments) =>
        Execute("GET /databases HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", ["-ign_eof", .. arguments]);

    private string Execute(string input, params string[] arguments)
    {
        var start = new ProcessStartInfo("/usr/bin/openssl")
        {
            ArgumentList = { "s_client", "-connect", $"127.0.0.1:{server.Port}" },
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        Array.ForEach(arguments, start.ArgumentList.Add);
        using Process openssl = Process.Start(start)!;
        Task<string> errors = openssl.StandardError.ReadToEndAsync();
        var said = new StringBuilder();
        if (!arguments.Contains("-ign_eof"))
        {
            // A line is a command for it only once it is connected, and if no other comes with it.
            while (openssl.StandardOutput.ReadLine() is { } line && said.AppendLine(line) is not null
                && !line.Contains("Verify return code", StringComparison.Ordinal))
            {
                // It prints what it knows of the session then.
            }
        }

        openssl.StandardInput.Write(input);
        openssl.StandardInput.Flush();
        Task<string> rest = openssl.StandardOutput.ReadToEndAsync();
        if (!arguments.Contains("-ign_eof"))
        {
            // At the end of its input it would not wait for what comes of the command.
            openssl.WaitForExit(Patience);
        }

        openssl.StandardInput.Close();
        Assert.True(openssl.WaitForExit(Deadline.Hang));
        return said + rest.Result + errors.Result;
    }
}
