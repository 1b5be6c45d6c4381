using System.Security.Cryptography.X509Certificates;
using Raven.Security.Certificates;
using Raven.Server.Options;

namespace Raven.Server;

/// <summary>
/// New certificates for a server inside of this process and for one client that may do everything, for tests and
/// trials. The server's file is in a folder that only this user may read, and is deleted with this.
/// </summary>
public sealed class EmbeddedCertificates : IDisposable
{
    private static readonly string[] Hosts = ["localhost", "127.0.0.1", "::1"];
    private static readonly TimeSpan AdminLifetime = TimeSpan.FromDays(365);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory("raven-certificates-");

    /// <summary>Makes them, which takes some tenths of a second.</summary>
    /// <param name="time">Says from when on they count; the system's clock if null.</param>
    public EmbeddedCertificates(TimeProvider? time = null)
    {
        TimeProvider clock = time ?? TimeProvider.System;
        var maker = new CertificateMaker(clock);
        string path = Path.Combine(_folder.FullName, "server.pfx");
        using (X509Certificate2 server = maker.MakeServer(Hosts))
        {
            File.WriteAllBytes(path, server.Export(X509ContentType.Pkcs12));
            Authorities = [X509CertificateLoader.LoadCertificate(server.RawData)];
        }

        using (X509Certificate2 admin = maker.MakeClient("admin", clock.GetUtcNow() + AdminLifetime))
        {
            // Windows takes no key for TLS that was only in memory.
            Admin = X509CertificateLoader.LoadPkcs12(admin.Export(X509ContentType.Pkcs12), password: null);
        }

        Security = new SecurityOptions
        {
            CertificatePath = path,
            WellKnownAdministrators = [Admin.Thumbprint],
        };
    }

    /// <summary>The options of a server with its certificate, which trusts the client.</summary>
    public SecurityOptions Security { get; }

    /// <summary>The certificate of the client, with its key.</summary>
    public X509Certificate2 Admin { get; }

    /// <summary>What clients trust the server by: its own certificate, without its key.</summary>
    public X509Certificate2Collection Authorities { get; }

    /// <inheritdoc/>
    public void Dispose()
    {
        Admin.Dispose();
        foreach (X509Certificate2 authority in Authorities)
        {
            authority.Dispose();
        }

        _folder.Delete(recursive: true);
    }
}
