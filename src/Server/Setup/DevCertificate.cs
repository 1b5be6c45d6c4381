using System.Net;
using System.Net.NetworkInformation;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json;
using Raven.Security.Certificates;
using Raven.Server.Options;

namespace Raven.Server.Setup;

/// <summary>
/// The certificate of a server, that of its first administrator, and the settings that use them, as files of one
/// folder. No authority has signed them: whoever talks to the server is given its <c>server.crt</c>.
/// </summary>
internal sealed class DevCertificate : IDisposable
{
    internal const string ServerPfx = "server.pfx";
    internal const string ServerCrt = "server.crt";
    internal const string AdminPfx = "admin.pfx";
    internal const string AdminPem = "admin.pem";
    internal const string Settings = "settings.json";

    /// <summary>The name under which the administrator is registered.</summary>
    internal const string AdminName = "admin";

    private static readonly string[] FileNames = [ServerPfx, ServerCrt, AdminPfx, AdminPem, Settings];
    private static readonly string[] LocalHosts = ["localhost", "127.0.0.1", "::1"];
    private static readonly TimeSpan AdminLifetime = TimeSpan.FromDays(365);

    private DevCertificate(
        IReadOnlyList<string> hosts, X509Certificate2 server, X509Certificate2 administrator)
    {
        Hosts = hosts;
        Server = server;
        Administrator = administrator;
    }

    /// <summary>The names and addresses that the server's certificate is good for.</summary>
    internal IReadOnlyList<string> Hosts { get; }

    /// <summary>The certificate of the server, with its key.</summary>
    internal X509Certificate2 Server { get; }

    /// <summary>The certificate of the administrator, with its key.</summary>
    internal X509Certificate2 Administrator { get; }

    /// <summary>Makes both.</summary>
    /// <param name="hosts">Names and addresses of the server beside those of this machine.</param>
    /// <param name="clock">Says from when on they count.</param>
    internal static DevCertificate Make(IReadOnlyList<string> hosts, TimeProvider clock)
    {
        string[] all = [.. LocalHosts.Concat(MachineNames()).Concat(hosts).Distinct(StringComparer.OrdinalIgnoreCase)];
        var maker = new CertificateMaker(clock);
        X509Certificate2 server = maker.MakeServer(all);
        try
        {
            return new DevCertificate(
                all, server, maker.MakeClient(AdminName, clock.GetUtcNow() + AdminLifetime));
        }
        catch
        {
            server.Dispose();
            throw;
        }
    }

    /// <summary>Refuses a folder in which one of the files is.</summary>
    /// <exception cref="ServerOptionException">It names the files.</exception>
    internal static void CheckFree(string folder)
    {
        if (File.Exists(folder))
        {
            throw new ServerOptionException(SetupRequest.FolderKey, $"{folder} is a file, not a folder.");
        }

        string[] taken = [.. FileNames.Where(name => Path.Exists(Path.Combine(folder, name)))];
        if (taken.Length > 0)
        {
            throw new ServerOptionException(
                SetupRequest.FolderKey,
                $"{string.Join(", ", taken)} in {folder} would have to be overwritten. Remove what is not needed "
                + $"any more, or give another folder: {SetupRequest.FolderKey} FOLDER.");
        }
    }

    /// <summary>
    /// The options of a server that uses them: those of the command line, over https. A server that other machines know
    /// by a name listens for them, too.
    /// </summary>
    internal static ServerOptions SettingsOf(ServerOptions options, SetupRequest request)
    {
        Uri url = options.ServerUrl;
        if (url.Scheme != Uri.UriSchemeHttps)
        {
            var secured = new UriBuilder(url) { Scheme = Uri.UriSchemeHttps, Port = url.Port };
            if (request.Hosts.Count > 0 && url.IsLoopback)
            {
                secured.Host = IPAddress.Any.ToString();
            }

            url = secured.Uri;
        }

        return options with
        {
            ServerUrl = url,
            PublicServerUrl = options.PublicServerUrl
                ?? (IsAny(url) && request.Hosts.FirstOrDefault(host => host[0] != '*') is { } known
                    ? new UriBuilder(url) { Host = known }.Uri
                    : null),
            Security = new SecurityOptions { CertificatePath = Path.Combine(request.Folder, ServerPfx) },
        };
    }

    /// <summary>The url that a client on this machine uses, without a closing slash.</summary>
    internal static string UrlOf(ServerOptions settings)
    {
        Uri url = settings.PublicServerUrl is { Scheme: "https" } known ? known
            : IsAny(settings.ServerUrl) ? new UriBuilder(settings.ServerUrl) { Host = "localhost" }.Uri
            : settings.ServerUrl;
        return url.GetLeftPart(UriPartial.Authority);
    }

    /// <summary>Writes all files; if one cannot be written, none stays.</summary>
    /// <exception cref="IOException">One cannot be written.</exception>
    internal void Write(string folder, ServerOptions settings)
    {
        OwnerFiles.MakeFolder(folder);
        List<string> written = [];
        try
        {
            Add(ServerPfx, CertificateText.Pkcs12(Server, password: null));
            Add(ServerCrt, Encoding.ASCII.GetBytes(CertificateText.CertificatePem(Server)));
            Add(AdminPfx, CertificateText.Pkcs12(Administrator, password: null));
            Add(AdminPem, Encoding.ASCII.GetBytes(
                CertificateText.CertificatePem(Administrator) + CertificateText.KeyPem(Administrator)));
            Add(Settings, JsonOf(settings));
        }
        catch
        {
            foreach (string path in written)
            {
                File.Delete(path);
            }

            throw;
        }

        void Add(string name, byte[] content)
        {
            string path = Path.Combine(folder, name);
            OwnerFiles.Write(path, content);
            written.Add(path);
        }
    }

    /// <summary>Removes all files again.</summary>
    internal static void Remove(string folder)
    {
        foreach (string name in FileNames)
        {
            File.Delete(Path.Combine(folder, name));
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Server.Dispose();
        Administrator.Dispose();
    }

    private static bool IsAny(Uri url) =>
        IPAddress.TryParse(url.Host.Trim('[', ']'), out IPAddress? address)
        && (address.Equals(IPAddress.Any) || address.Equals(IPAddress.IPv6Any));

    /// <summary>The names of this machine that are names of DNS, as a certificate needs.</summary>
    private static IEnumerable<string> MachineNames() =>
        new[] { Environment.MachineName, IPGlobalProperties.GetIPGlobalProperties().HostName }
            .Where(name => Uri.CheckHostName(name) == UriHostNameType.Dns)
            .Select(name => name.ToLowerInvariant());

    private static byte[] JsonOf(ServerOptions settings)
    {
        using var bytes = new MemoryStream();
        using (var json = new Utf8JsonWriter(bytes, new JsonWriterOptions { Indented = true }))
        {
            json.WriteStartObject();
            json.WriteString("ServerUrl", settings.ServerUrl.GetLeftPart(UriPartial.Authority));
            if (settings.PublicServerUrl is { } known)
            {
                json.WriteString("PublicServerUrl", known.GetLeftPart(UriPartial.Authority));
            }

            json.WriteString("DataDir", settings.DataDirectory);
            json.WriteString("Security.Certificate.Path", settings.Security.CertificatePath);
            json.WriteEndObject();
        }

        bytes.WriteByte((byte)'\n');
        return bytes.ToArray();
    }
}
