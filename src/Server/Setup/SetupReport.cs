using System.Globalization;
using System.Reflection;
using System.Security.Cryptography.X509Certificates;
using System.Text.Encodings.Web;
using System.Text.Json;
using Raven.Server.Options;

namespace Raven.Server.Setup;

/// <summary>What a setup prints: what was made, and lines that use it as they stand.</summary>
internal static class SetupReport
{
    private const string Loader = "System.Security.Cryptography.X509Certificates.X509CertificateLoader";
    private const string Names = "SendAsync(new GetDatabaseNamesOperation(0, 25))";

    /// <summary>Of certificates that were made.</summary>
    /// <param name="made">The certificates.</param>
    /// <param name="folder">The folder of their files.</param>
    /// <param name="settings">The options of the server.</param>
    internal static string Of(DevCertificate made, string folder, ServerOptions settings)
    {
        string url = DevCertificate.UrlOf(settings);
        string address = Literal(url);
        string serverCrt = Path.Combine(folder, DevCertificate.ServerCrt);
        string adminPfx = Path.Combine(folder, DevCertificate.AdminPfx);
        string adminPem = Path.Combine(folder, DevCertificate.AdminPem);
        return $$"""
            Made in {{folder}}:
                server.pfx     the server's certificate and key, until {{Day(made.Server)}}, for
                               {{string.Join(", ", made.Hosts)}}
                server.crt     the certificate alone: by it a client knows the server
                admin.pfx      an administrator's certificate and key, until {{Day(made.Administrator)}}
                admin.pem      the same as PEM
                settings.json  the settings of the server
            Who can read server.pfx can act as the server, who can read admin.pfx or admin.pem as its administrator.

            {{Registered(DevCertificate.AdminName, made.Administrator.Thumbprint, settings.DataDirectory)}}

            Start the server:

                {{ChangeFolder(folder)}} {{Program()}}

            curl:

                curl --cacert {{Shell(serverCrt)}} --cert {{Shell(adminPem)}} {{url}}/databases

            Node (npm install ravendb; in a file with the ending .mjs):

                import { readFileSync } from "node:fs";
                import { DocumentStore, GetDatabaseNamesOperation } from "ravendb";
                const [certificate, ca] = [{{Literal(adminPem)}}, {{Literal(serverCrt)}}].map(f => readFileSync(f));
                const store = new DocumentStore({{address}}, "shop", { type: "pem", certificate, ca }).initialize();
                console.log(await store.maintenance.server.send(new GetDatabaseNamesOperation(0, 25))), store.dispose();

            .NET (dotnet add package Raven.Client, of the feed in docs/client.md):

                using Raven.Client.Documents; using Raven.Client.ServerWide.Operations;
                using var store = new DocumentStore { Urls = [{{address}}], Database = "shop" };
                store.Certificate = {{Loader}}.LoadPkcs12FromFile({{Literal(adminPfx)}}, null);
                store.CertificateAuthorities = [{{Loader}}.LoadCertificateFromFile({{Literal(serverCrt)}})];
                Console.WriteLine(string.Join(' ', await store.Initialize().Maintenance.Server.{{Names}}));

            """;
    }

    /// <summary>Of an administrator that was registered.</summary>
    internal static string Registered(string name, string thumbprint, string dataFolder) =>
        $"Registered '{name}' ({thumbprint}) as ClusterAdmin in {dataFolder}.";

    private static string Day(X509Certificate2 certificate) =>
        certificate.NotAfter.ToUniversalTime().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    /// <summary>The command that started this process, for the shell.</summary>
    private static string Program()
    {
        string program = Environment.ProcessPath ?? "";
        return Path.GetFileNameWithoutExtension(program) is "dotnet" or "testhost" or ""
            ? $"dotnet {Shell(Path.Combine(AppContext.BaseDirectory, EntryFile()))}"
            : Call(Shell(program));
    }

    /// <summary>The program of all verbs, or the server alone.</summary>
    private static string EntryFile() =>
        Assembly.GetEntryAssembly()?.GetName().Name == "raven" ? "raven.dll" : "Raven.Server.dll";

    /// <summary>PowerShell takes a text in quotes for a text, not for a command.</summary>
    private static string Call(string quoted) =>
        OperatingSystem.IsWindows() && quoted[0] == '\'' ? "& " + quoted : quoted;

    private static string ChangeFolder(string folder) =>
        OperatingSystem.IsWindows() ? $"cd {Shell(folder)};" : $"cd {Shell(folder)} &&";

    /// <summary>A word of a command for sh, or for PowerShell on Windows.</summary>
    private static string Shell(string text)
    {
        if (text.All(c => char.IsAsciiLetterOrDigit(c) || "/\\:._-+@%".Contains(c, StringComparison.Ordinal))
            && (OperatingSystem.IsWindows() || !text.Contains('\\', StringComparison.Ordinal)))
        {
            return text;
        }

        return $"'{text.Replace("'", OperatingSystem.IsWindows() ? "''" : "'\\''", StringComparison.Ordinal)}'";
    }

    /// <summary>A literal that means the same in C# and JavaScript.</summary>
    private static string Literal(string text) =>
        $"\"{JsonEncodedText.Encode(text, JavaScriptEncoder.UnsafeRelaxedJsonEscaping)}\"";
}
