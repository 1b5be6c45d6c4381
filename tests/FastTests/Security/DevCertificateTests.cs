using System.Collections;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using Raven.Security.Certificates;
using Raven.Server;
using Raven.Server.Options;
using Raven.Server.Setup;

namespace FastTests.Security;

/// <summary>The one command after which a server is safe: <c>--setup dev-cert</c>.</summary>
public sealed class DevCertificateTests(DevCertificateFixture made) : IClassFixture<DevCertificateFixture>
{
    private static readonly string[] Names =
    [
        DevCertificate.AdminPem, DevCertificate.AdminPfx, DevCertificate.ServerCrt, DevCertificate.ServerPfx,
        DevCertificate.Settings,
    ];

    [Fact]
    public void The_files_are_for_their_owner_alone()
    {
        Assert.Equal(
            Names,
            Directory.GetFiles(made.Files).Select(file => Path.GetFileName(file)).Order(StringComparer.Ordinal));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(
                UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute,
                File.GetUnixFileMode(made.Files));
            Assert.All(Names, name => Assert.Equal(
                UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(made.PathOf(name))));
        }
    }

    [Fact]
    public void The_certificates_are_what_servers_and_clients_take()
    {
        IReadOnlyList<string> hosts = CertificateUse.NamesOf(made.ServerCertificate);
        Assert.Superset(
            new HashSet<string> { "localhost", "127.0.0.1", "::1", "db.example", "10.1.2.3" }, hosts.ToHashSet());
        Assert.Equal(
            397,
            (made.ServerCertificate.NotAfter.ToUniversalTime()
                - made.ServerCertificate.NotBefore.ToUniversalTime()).Days);
        Assert.False(made.ServerCertificate.HasPrivateKey);
        Assert.Null(CertificateUse.WhyNoClient(made.Administrator, TimeProvider.System.GetUtcNow()));
        using RSA key = made.Administrator.GetRSAPrivateKey()!;
        Assert.Equal(3072, key.KeySize);
        string pem = File.ReadAllText(made.PathOf(DevCertificate.AdminPem));
        Assert.Contains("-----BEGIN RSA PRIVATE KEY-----", pem, StringComparison.Ordinal);
        using X509Certificate2 read = X509Certificate2.CreateFromPem(pem, pem);
        Assert.Equal(made.Administrator.Thumbprint, read.Thumbprint);
    }

    [Fact]
    public async Task The_server_starts_with_the_settings_and_knows_its_administrator()
    {
        ServerOptions options = OptionReader.Read([], new Hashtable(), made.Files);
        Assert.Equal(made.Data, options.DataDirectory);
        await using ServerHost host = await ServerHost.StartAsync(options);
        Assert.StartsWith("https://127.0.0.1:", host.Url, StringComparison.Ordinal);
        using X509Certificate2 foreign = TestCertificates.Make("admin");
        using var administrator = new SecureClient(host.Url, made.ServerCertificate, made.Administrator);
        using var stranger = new SecureClient(host.Url, made.ServerCertificate);
        using var impostor = new SecureClient(host.Url, made.ServerCertificate, foreign);
        (int status, string body) = await administrator.SendAsync("GET", "/databases");
        Assert.Equal(200, status);
        Assert.Contains("Databases", body, StringComparison.Ordinal);
        Assert.Equal(403, await stranger.GetAsync("/databases"));
        Assert.Equal(403, await impostor.GetAsync("/databases"));
        Assert.Equal(200, await stranger.GetAsync("/healthz"));

        // While the server runs, the folder is its own: nothing is made.
        string other = Path.Combine(made.Data, "..", "other");
        ServerStartException busy = Assert.Throws<ServerStartException>(
            () => made.Setup("dev-cert", "--out", other));
        Assert.Contains("in use by another server", busy.Message, StringComparison.Ordinal);
        Assert.False(Path.Exists(other));
    }

    [Fact]
    public void A_file_that_exists_is_never_overwritten()
    {
        byte[][] before = [.. Names.Select(name => File.ReadAllBytes(made.PathOf(name)))];
        ServerOptionException taken = Assert.Throws<ServerOptionException>(
            () => made.Setup("dev-cert", "--out", made.Files));
        Assert.Contains("server.pfx", taken.Message, StringComparison.Ordinal);
        string partly = Directory.CreateDirectory(Path.Combine(made.Data, "..", "partly")).FullName;
        File.WriteAllText(Path.Combine(partly, DevCertificate.AdminPem), "mine");
        taken = Assert.Throws<ServerOptionException>(() => made.Setup("dev-cert", "--out", partly));
        Assert.StartsWith("--out: admin.pem in ", taken.Message, StringComparison.Ordinal);
        Assert.Equal("mine", File.ReadAllText(Assert.Single(Directory.GetFiles(partly))));
        Assert.Equal(before, Names.Select(name => File.ReadAllBytes(made.PathOf(name))));
    }

    [Fact]
    public void What_is_printed_names_the_files_the_start_and_three_clients()
    {
        foreach (string line in (string[])
            [
                $"    cd {made.Files} && ",
                $"    curl --cacert {made.PathOf("server.crt")} --cert {made.PathOf("admin.pem")} https://127.0.0.1:0/",
                "    import { DocumentStore, GetDatabaseNamesOperation } from \"ravendb\";",
                $"LoadPkcs12FromFile(\"{made.PathOf("admin.pfx")}\", null);",
                $"Registered 'admin' ({made.Administrator.Thumbprint}) as ClusterAdmin in {made.Data}.",
            ])
        {
            Assert.Contains(line, made.Printed, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("http://127.0.0.1:8080", "", "https://127.0.0.1:8080/", "", "https://127.0.0.1:8080")]
    [InlineData("http://localhost:80", "", "https://localhost:80/", "", "https://localhost:80")]
    [InlineData("http://127.0.0.1:8080", "a.b", "https://0.0.0.0:8080/", "https://a.b:8080/", "https://a.b:8080")]
    [InlineData("http://0.0.0.0:8080", "", "https://0.0.0.0:8080/", "", "https://localhost:8080")]
    [InlineData("http://[::]:8080", "*.b,a.b", "https://[::]:8080/", "https://a.b:8080/", "https://a.b:8080")]
    [InlineData("https://127.0.0.1:1", "a.b", "https://127.0.0.1:1/", "", "https://127.0.0.1:1")]
    public void The_settings_have_the_url_of_the_options_over_https(
        string url, string hosts, string listens, string known, string client)
    {
        SetupRequest request = SetupRequest.Parse(
            ["--setup=dev-cert", .. hosts.Length == 0 ? (string[])[] : [$"--host={hosts}"]], Path.GetTempPath());
        ServerOptions settings = DevCertificate.SettingsOf(
            new ServerOptions { ServerUrl = new Uri(url) }, request);
        Assert.Equal(listens, settings.ServerUrl.ToString());
        Assert.Equal(known, settings.PublicServerUrl?.ToString() ?? "");
        Assert.Equal(client, DevCertificate.UrlOf(settings));
        settings.Check();
    }

    [Theory]
    [InlineData("neither dev-cert nor add-admin", "--setup", "nonsense")]
    [InlineData("needs a value", "--setup")]
    [InlineData("needs a value", "--setup", "dev-cert", "--out")]
    [InlineData("needs a value", "--setup", "dev-cert", "--host=")]
    [InlineData("not the name of a host", "--setup", "dev-cert", "--host", "a b")]
    [InlineData("not the name of a host", "--setup", "dev-cert", "--host", "https://a")]
    [InlineData("needs the file", "--setup", "add-admin")]
    [InlineData("needs the file", "--setup", "add-admin", "--DataDir=x")]
    [InlineData("cannot be used", "--setup", "add-admin", "none.crt")]
    [InlineData("there is no such key", "--setup", "dev-cert", "--DatDir=x")]
    [InlineData("forgets whom it trusts", "--setup", "dev-cert", "--RunInMemory")]
    public void A_setup_that_cannot_be_done_says_why(string why, params string[] arguments)
    {
        ServerOptionException refused = Assert.Throws<ServerOptionException>(
            () => SetupCommand.Run(arguments, new Hashtable(), Path.GetTempPath(), TimeProvider.System));
        Assert.Contains(why, refused.Message, StringComparison.Ordinal);
    }
}
