using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using FastTests.Server;
using Raven.Security.Certificates;

namespace FastTests.Security;

/// <summary>The routes that replace, reload and export the certificate of the server.</summary>
public sealed class ServerCertificateHttpTests
{
    private const string Replace = "/admin/certificates/replace-cluster-cert";

    [Fact]
    public void A_replaced_certificate_is_presented_at_once_and_the_file_before_stays()
    {
        using var server = new RegistryServer();
        byte[] before = File.ReadAllBytes(server.Pfx);
        using X509Certificate2 next = RegistryServer.MakeServer();
        string target = Replace + "?replaceImmediately=true";
        server.Expect(204, server.Admin, "POST", target, Body(next.Export(X509ContentType.Pkcs12)));
        Assert.Equal(next.Thumbprint, server.Server.State.Security.Certificate!.Current.Thumbprint);
        Assert.Equal(before, File.ReadAllBytes(server.Pfx + ".old"));
        Assert.False(File.Exists(server.Pfx + ".new"));
        using X509Certificate2 stored = X509CertificateLoader.LoadPkcs12FromFile(server.Pfx, null);
        Assert.Equal(next.Thumbprint, stored.Thumbprint);
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(server.Pfx));
        }
    }

    [Fact]
    public void A_file_under_a_password_is_replaced_by_one_under_the_same_password()
    {
        using var server = new RegistryServer(options =>
        {
            using X509Certificate2 own = RegistryServer.MakeServer();
            File.WriteAllBytes(options.CertificatePath!, CertificateText.Pkcs12(own, "secret"));
            return options with { CertificatePassword = "secret" };
        });
        using X509Certificate2 next = RegistryServer.MakeServer();
        server.Expect(204, server.Admin, "POST", Replace, Body(next.Export(X509ContentType.Pkcs12)));
        using X509Certificate2 stored = X509CertificateLoader.LoadPkcs12FromFile(server.Pfx, "secret");
        Assert.Equal(next.Thumbprint, stored.Thumbprint);
        Assert.True(stored.HasPrivateKey);
    }

    [Fact]
    public void What_a_server_could_not_start_with_replaces_nothing()
    {
        using var server = new RegistryServer();
        byte[] before = File.ReadAllBytes(server.Pfx);
        using X509Certificate2 good = RegistryServer.MakeServer();
        using X509Certificate2 client = TestCertificates.Make("client");
        using X509Certificate2 ended = TestCertificates.Make(
            "ended", from: TestCertificates.Now.AddDays(-9), to: TestCertificates.Now.AddDays(-1),
            purpose: CertificateUse.ServerAuthentication);
        byte[][] files =
        [
            [], [1, 2, 3], good.RawData, client.Export(X509ContentType.Pkcs12), ended.Export(X509ContentType.Pkcs12),
            CertificateText.Pkcs12(good, "unknown"),
            System.Text.Encoding.ASCII.GetBytes(good.ExportCertificatePem()),
        ];
        foreach (byte[] file in files)
        {
            server.Expect(400, server.Admin, "POST", Replace, Body(file));
        }

        server.Expect(400, server.Admin, "POST", Replace, """{"Certificate":"no base64!"}""");
        Assert.Equal(before, File.ReadAllBytes(server.Pfx));
        Assert.False(File.Exists(server.Pfx + ".old"));
    }

    [Fact]
    public void Refresh_presents_what_is_in_the_file_and_keeps_the_old_one_if_that_is_wrong()
    {
        using var server = new RegistryServer();
        using X509Certificate2 next = RegistryServer.MakeServer();
        File.WriteAllBytes(server.Pfx, next.Export(X509ContentType.Pkcs12));
        server.Expect(204, server.Admin, "POST", "/admin/certificates/refresh");
        Assert.Equal(next.Thumbprint, server.Server.State.Security.Certificate!.Current.Thumbprint);
        File.WriteAllBytes(server.Pfx, [1, 2, 3]);
        server.Expect(400, server.Admin, "POST", "/admin/certificates/refresh?replaceImmediately=true");
        Assert.Equal(next.Thumbprint, server.Server.State.Security.Certificate!.Current.Thumbprint);

        // Another certificate mends the file.
        server.Expect(204, server.Admin, "POST", Replace, Body(next.Export(X509ContentType.Pkcs12)));
        server.Expect(204, server.Admin, "POST", "/admin/certificates/refresh");
    }

    [Fact]
    public void The_export_has_the_certificate_and_no_key()
    {
        using var server = new RegistryServer();
        InMemoryRequest answer = server.Expect(200, server.Operator, "GET", "/admin/certificates/export");
        X509Certificate2Collection all =
            X509CertificateLoader.LoadPkcs12Collection(answer.AnswerBytes, password: null);
        using X509Certificate2 only = Assert.Single(all);
        Assert.False(only.HasPrivateKey);
        Assert.Equal(server.Server.State.Security.Certificate!.Current.Thumbprint, only.Thumbprint);
        Assert.Equal("no-store", RegistryServer.Header(answer, "Cache-Control"));
    }

    [Theory]
    [InlineData("POST", Replace)]
    [InlineData("POST", "/admin/certificates/refresh")]
    [InlineData("GET", "/admin/certificates/export")]
    public void A_server_without_a_certificate_says_so(string method, string path)
    {
        using var server = new InMemoryServer();
        var request = new InMemoryRequest(method, path, body: method == "GET" ? "" : "{}");
        Assert.Equal(400, server.Send(request));
        Assert.Contains("has no certificate", request.Answer, StringComparison.Ordinal);
    }

    private static string Body(byte[] file) =>
        JsonSerializer.Serialize(new { Certificate = Convert.ToBase64String(file) });
}
