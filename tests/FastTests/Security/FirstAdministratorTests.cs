using System.Collections;
using System.Security.Cryptography.X509Certificates;
using FastTests.Documents;
using FastTests.Server;
using Microsoft.Extensions.Logging;
using Raven.Security.Certificates;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>How a server comes to its first administrator, and back to one after all are lost.</summary>
public sealed class FirstAdministratorTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("first-admin").FullName;
    private readonly TestClock _clock = new() { Now = TestCertificates.Now };
    private readonly WarningsLog _log = new();
    private readonly X509Certificate2 _server = TestCertificates.Make(
        "localhost", purpose: CertificateUse.ServerAuthentication, names: ["localhost", "127.0.0.1"]);

    private string Pfx => Path.Combine(_folder, "server.pfx");

    private string Data => Path.Combine(_folder, "data");

    public FirstAdministratorTests()
    {
        File.WriteAllBytes(Pfx, _server.Export(X509ContentType.Pkcs12));
    }

    public void Dispose()
    {
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Fact]
    [Trait("Security", "3")]
    public async Task The_first_stranger_is_refused_and_an_administrator_comes_from_the_machine_of_the_server()
    {
        using X509Certificate2 own = TestCertificates.Make("alice");
        string crt = Path.Combine(_folder, "alice.crt");
        File.WriteAllText(crt, own.ExportCertificatePem());
        await using (ServerHost host = await StartAsync())
        {
            using var stranger = new SecureClient(host.Url, _server, own, _clock.Now);
            Assert.Equal(403, (await stranger.SendAsync(
                "PUT", "/admin/certificates",
                $$"""
                {"Name":"me","SecurityClearance":"ClusterAdmin","Certificate":"{{Convert.ToBase64String(own.RawData)}}"}
                """)).Status);
            Assert.Empty(host.State.Security.Trust.Current.Certificates);
            Assert.Contains("in use by another server", Assert.Throws<ServerStartException>(
                () => AddAdministrator(crt)).Message, StringComparison.Ordinal);
        }

        Assert.Single(_log.Lines, line => line.Contains("lets no one in", StringComparison.Ordinal));
        Assert.Contains("Registered 'alice'", AddAdministrator(crt), StringComparison.Ordinal);
        await using (ServerHost host = await StartAsync())
        {
            using var administrator = new SecureClient(host.Url, _server, own, _clock.Now);
            Assert.Equal(200, await administrator.GetAsync("/databases"));
        }

        Assert.Single(_log.Lines, line => line.Contains("lets no one in", StringComparison.Ordinal));
    }

    [Fact]
    public void A_file_of_an_administrator_has_one_certificate_for_clients()
    {
        using X509Certificate2 own = TestCertificates.Make("alice");
        string pem = own.ExportCertificatePem() + "\n";
        AssertRefused("has 2 certificates", pem + pem);
        AssertRefused("no certificate", "nonsense");
        AssertRefused("1 to ", "");
        AssertRefused("none for clients", _server.ExportCertificatePem());
        using X509Certificate2 old = TestCertificates.Make("old", to: _clock.Now.AddHours(-1));
        AssertRefused("expired", old.ExportCertificatePem());
        string withKey = Path.Combine(_folder, "key.pem");
        using System.Security.Cryptography.ECDsa key = own.GetECDsaPrivateKey()!;
        File.WriteAllText(withKey, pem + key.ExportPkcs8PrivateKeyPem());
        Assert.Contains("has a private key, too", AddAdministrator(withKey), StringComparison.Ordinal);
    }

    private void AssertRefused(string why, string content)
    {
        string path = Path.Combine(_folder, "file");
        File.WriteAllText(path, content);
        Assert.Contains(
            why, Assert.Throws<ServerOptionException>(() => AddAdministrator(path)).Message, StringComparison.Ordinal);
        Assert.False(Path.Exists(Data));
    }

    private string AddAdministrator(string path) => SetupCommand.Run(
        ["--setup", "add-admin", path, $"--DataDir={Data}"], new Hashtable(), _folder, _clock);

    private Task<ServerHost> StartAsync() => ServerHost.StartAsync(
        new ServerOptions
        {
            ServerUrl = new Uri("https://127.0.0.1:0"),
            DataDirectory = Data,
            Security = new SecurityOptions { CertificatePath = Pfx },
        },
        LoggerFactory.Create(logging => logging.AddProvider(_log)), _clock);
}
