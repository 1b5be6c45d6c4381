using Raven.Client.Documents;
using Raven.Server;

namespace Raven.TestDriver;

/// <summary>A server that all tests of the process share, and a store for its databases.</summary>
internal sealed class SharedServer
{
    private static readonly Lazy<SharedServer> Open = new(() => new SharedServer(null));
    private static readonly Lazy<SharedServer> WithCertificates =
        new(() => new SharedServer(new EmbeddedCertificates()));

    private readonly EmbeddedCertificates? _certificates;
    private readonly ServerHost _host;

    private SharedServer(EmbeddedCertificates? certificates)
    {
        _certificates = certificates;
        _host = certificates == null
            ? EmbeddedServer.StartInMemory()
            : EmbeddedServer.StartInMemory(certificates.Security);
        if (certificates != null)
        {
            AppDomain.CurrentDomain.ProcessExit += (_, _) => certificates.Dispose();
        }

        Store = NewStore(null);
        Store.Initialize();
    }

    internal string Url => _host.Url;

    /// <summary>A store for the server itself.</summary>
    internal DocumentStore Store { get; }

    /// <summary>The server, which is started if it was not yet.</summary>
    /// <param name="isSecured">Whether it is the one that speaks https.</param>
    internal static SharedServer Get(bool isSecured) => isSecured ? WithCertificates.Value : Open.Value;

    /// <summary>A store that is not initialized, with an identity that may do everything.</summary>
    internal DocumentStore NewStore(string? database)
    {
        var store = new DocumentStore { Urls = [Url], Database = database };
        if (_certificates != null)
        {
            store.Certificate = _certificates.Admin;
            store.CertificateAuthorities = _certificates.Authorities;
        }

        return store;
    }
}
