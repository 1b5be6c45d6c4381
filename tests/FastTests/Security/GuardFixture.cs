using Raven.Server.Options;

namespace FastTests.Security;

/// <summary>One server of each kind for the tests of a class; each of them has documents of its own.</summary>
public sealed class GuardFixture : IDisposable
{
    /// <summary>On loopback, behind a proxy for db.example.org.</summary>
    internal GuardedServer Local { get; } = new(
        options => options with { PublicServerUrl = new Uri("https://db.example.org") });

    /// <summary>Without a certificate, on all addresses.</summary>
    internal GuardedServer Open { get; } = new(options => options with
    {
        ServerUrl = new Uri("http://0.0.0.0:8080"),
        UnsecuredAccess = UnsecuredAccess.PublicNetwork,
        PublicServerUrl = new Uri("https://db.example.org"),
        AllowedHosts = ["other.example.org"],
    });

    /// <summary>Without a certificate, for a private network.</summary>
    internal GuardedServer Private { get; } = new(options => options with
    {
        ServerUrl = new Uri("http://0.0.0.0:8080"),
        UnsecuredAccess = UnsecuredAccess.PrivateNetwork,
    });

    /// <summary>With a certificate.</summary>
    internal GuardedServer Secured { get; } = new(options => options with
    {
        ServerUrl = new Uri("https://0.0.0.0:443"),
        HasCertificate = true,
        PublicServerUrl = new Uri("https://db.example.org"),
    });

    public void Dispose()
    {
        Local.Dispose();
        Open.Dispose();
        Private.Dispose();
        Secured.Dispose();
    }
}
