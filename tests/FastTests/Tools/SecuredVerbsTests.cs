using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json.Nodes;
using FastTests.Security;
using Raven.CommandLine;
using Raven.CommandLine.Output;
using Raven.Security.Certificates;
using Raven.Security.Rights;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Tools;

/// <summary>The verbs of raven that call a server by its url, over https: with a certificate or an API key.</summary>
public sealed class SecuredVerbsTests : IAsyncLifetime
{
    private const string Password = "a password";

    private readonly string _folder = Directory.CreateTempSubdirectory("verbs").FullName;
    private readonly X509Certificate2 _own = Make("admin", CertificateUse.ClientAuthentication);
    private readonly X509Certificate2 _server = Make("localhost", CertificateUse.ServerAuthentication);
    private ServerHost _host = null!;
    private string _key = "";

    public async ValueTask InitializeAsync()
    {
        Write("server.pfx", _server.Export(X509ContentType.Pkcs12));
        Write("server.crt", _server.ExportCertificatePem());
        Write("admin.pfx", CertificateText.Pkcs12(_own, Password));
        using ECDsa key = _own.GetECDsaPrivateKey()!;
        Write("admin.pem", _own.ExportCertificatePem() + "\n" + key.ExportPkcs8PrivateKeyPem());
        Write("password", Password + "\n");
        Write("docs.jsonl", """{"Id":"a","Name":"Chai"}""" + "\n" + """{"Id":"b","Name":"Chang"}""" + "\n");
        _host = await ServerHost.StartAsync(new ServerOptions
        {
            ServerUrl = new Uri("https://127.0.0.1:0"),
            RunInMemory = true,
            Security = new SecurityOptions
            {
                CertificatePath = Path.Combine(_folder, "server.pfx"),
                WellKnownAdministrators = [_own.Thumbprint],
            },
        });
        _key = _host.State.Security.Trust.Keys.Create(
            TrustFixture.Local,
            TrustFixture.WantedKey(
                permissions: Permissions.Of([KeyValuePair.Create("shop", DatabaseRight.ReadWrite)])),
            out _);
        Write("key", _key + "\n");
    }

    public async ValueTask DisposeAsync()
    {
        await _host.DisposeAsync();
        _own.Dispose();
        _server.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData("--certificate", "admin.pfx", "--password-file", "password")]
    [InlineData("--certificate", "admin.pem")]
    [InlineData("--api-key-file", "key")]
    public async Task Documents_are_imported_compared_and_exported(params string[] identity)
    {
        await RunAsync(
            ExitCode.Success, "import", "docs.jsonl", "--create", "--certificate", "admin.pem", "--ca", "server.crt");
        string[] caller = [.. identity, "--ca", "server.crt"];
        string compared = await RunAsync(ExitCode.Success, ["compare", "docs.jsonl", "--json", .. caller]);
        Assert.Equal(2, (int?)JsonNode.Parse(compared)!["Documents"]);
        Write("other.jsonl", """{"Id":"a","Name":"Other"}""" + "\n");
        await RunAsync(ExitCode.Success, ["import", "other.jsonl", .. caller]);
        await RunAsync(ExitCode.NotEqual, ["compare", "docs.jsonl", .. caller]);
        await RunAsync(ExitCode.Success, ["export", "out.jsonl", .. caller]);
        Assert.Equal(2, File.ReadAllLines(Path.Combine(_folder, "out.jsonl")).Length);
    }

    [Fact]
    [Trait("Row", "101")]
    public async Task Who_is_not_let_in_reads_why_and_no_secret_is_printed()
    {
        Write("wrong", _key[..^1] + (_key[^1] == 'a' ? 'b' : 'a'));
        Assert.Contains("401", await RunAsync(
            ExitCode.ServerFailed, "compare", "docs.jsonl", "--ca", "server.crt", "--api-key-file", "wrong"));
        Assert.Contains("send a client certificate", await RunAsync(
            ExitCode.ServerFailed, "compare", "docs.jsonl", "--ca", "server.crt"));
        Assert.Contains("--ca names the file", await RunAsync(
            ExitCode.ServerFailed, "compare", "docs.jsonl", "--api-key-file", "key"));
        Assert.Contains("--password-file has another", await RunAsync(
            ExitCode.WrongUsage, "compare", "docs.jsonl", "--certificate", "admin.pfx"));
        Assert.Contains("no certificate", await RunAsync(
            ExitCode.WrongUsage, "compare", "docs.jsonl", "--ca", "docs.jsonl"));
        Assert.Contains("no API key", await RunAsync(
            ExitCode.WrongUsage, "compare", "docs.jsonl", "--api-key-file", "docs.jsonl"));
        Assert.Contains("none", await RunAsync(
            ExitCode.WrongUsage, "compare", "docs.jsonl", "--certificate", "none"));
        Assert.Contains("over http a certificate is not shown", await RunAtAsync(
            "http://127.0.0.1:1", ExitCode.WrongUsage, "compare", "docs.jsonl", "--certificate", "admin.pem"));
        Assert.Contains("plain http to another machine", await RunAtAsync(
            "http://192.0.2.1:1", ExitCode.WrongUsage, "compare", "docs.jsonl", "--api-key-file", "key"));
    }

    private static X509Certificate2 Make(string name, string purpose) => TestCertificates.Make(
        name, from: DateTimeOffset.UtcNow.AddDays(-1), to: DateTimeOffset.UtcNow.AddDays(9), purpose: purpose,
        names: ["127.0.0.1"]);

    private void Write(string name, string text) => File.WriteAllText(Path.Combine(_folder, name), text);

    private void Write(string name, byte[] bytes) => File.WriteAllBytes(Path.Combine(_folder, name), bytes);

    private Task<string> RunAsync(int expected, params string[] arguments) =>
        RunAtAsync(_host.Url, expected, arguments);

    /// <summary>Runs a verb; its arguments that are no options are files of the test's folder.</summary>
    private async Task<string> RunAtAsync(string url, int expected, params string[] arguments)
    {
        string[] all =
        [
            arguments[0],
            .. arguments.Skip(1).Select(one =>
                one.StartsWith("--", StringComparison.Ordinal) ? one : Path.Combine(_folder, one)),
            "--database", "shop", "--url", url, "--id-property", "Id", "--collection", "Products",
        ];
        if (arguments[0] == "export")
        {
            all = [.. all.Where(one => one is not ("--id-property" or "Id"))];
        }

        using var output = new StringWriter();
        int code = await RavenCommand.RunAsync(all, output, output);
        Assert.True(code == expected, $"{string.Join(' ', all)} ended with {code}: {output}");
        Assert.DoesNotContain(_key, output.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain(Password, output.ToString(), StringComparison.Ordinal);
        return output.ToString();
    }
}
