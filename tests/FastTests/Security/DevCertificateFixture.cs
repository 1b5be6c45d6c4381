using System.Collections;
using System.Security.Cryptography.X509Certificates;
using Raven.Server;
using Raven.Server.Setup;

namespace FastTests.Security;

/// <summary>What <c>--setup dev-cert</c> makes, made once: its keys take a moment.</summary>
public sealed class DevCertificateFixture : IDisposable
{
    private readonly string _root = Directory.CreateTempSubdirectory("dev-cert").FullName;

    public DevCertificateFixture()
    {
        Printed = Setup("dev-cert", "--host", "db.example,10.1.2.3", $"--out={Files}");
        ServerCertificate = X509CertificateLoader.LoadCertificateFromFile(PathOf(DevCertificate.ServerCrt));
        Administrator = X509CertificateLoader.LoadPkcs12FromFile(PathOf(DevCertificate.AdminPfx), null);
    }

    /// <summary>The folder of the files.</summary>
    internal string Files => Path.Combine(_root, "files");

    /// <summary>The folder of the data.</summary>
    internal string Data => Path.Combine(_root, "data");

    /// <summary>What the setup printed.</summary>
    internal string Printed { get; }

    internal X509Certificate2 ServerCertificate { get; }

    internal X509Certificate2 Administrator { get; }

    internal string PathOf(string name) => Path.Combine(Files, name);

    /// <summary>Runs a setup of a server on a free port of this machine.</summary>
    internal string Setup(params string[] arguments) => SetupCommand.Run(
        ["--setup", .. arguments, $"--DataDir={Data}", "--ServerUrl=https://127.0.0.1:0"], new Hashtable(), _root,
        TimeProvider.System);

    public void Dispose()
    {
        ServerCertificate.Dispose();
        Administrator.Dispose();
        Directory.Delete(_root, recursive: true);
    }
}
