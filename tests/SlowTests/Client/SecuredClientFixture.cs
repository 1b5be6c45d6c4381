using System.Diagnostics.CodeAnalysis;
using FastTests.Server;
using Raven.Client.Documents;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.Server;

namespace SlowTests.Client;

/// <summary>
/// A server over https for the scenarios of a class, which FastTests run over http: each store has the certificate of
/// an administrator.
/// </summary>
public sealed class SecuredClientFixture : IDisposable
{
    [SuppressMessage("Design", "CA2000", Justification = "They live as long as the process, which deletes them.")]
    private static readonly EmbeddedCertificates Certificates = MakeCertificates();

    private readonly TestServer _server = new(options => options with
    {
        ServerUrl = new Uri("https://127.0.0.1:0"),
        Security = Certificates.Security,
    });

    private int _databases;

    internal string Url => _server.Host.Url;

    internal DocumentStore NewStore(Action<DocumentStore>? configure = null)
    {
        string name = $"db{Interlocked.Increment(ref _databases)}";
        DocumentStore store = Make(name);
        configure?.Invoke(store);
        store.Initialize();
        store.Maintenance.Server.Send(new CreateDatabaseOperation(new DatabaseRecord(name)));
        return store;
    }

    /// <summary>Another store over the database of one.</summary>
    internal DocumentStore OpenAgain(DocumentStore first)
    {
        DocumentStore second = Make(first.Database!);
        second.Initialize();
        return second;
    }

    public void Dispose() => _server.Dispose();

    private DocumentStore Make(string database) => new()
    {
        Urls = [Url],
        Database = database,
        Certificate = Certificates.Admin,
        CertificateAuthorities = Certificates.Authorities,
    };

    private static EmbeddedCertificates MakeCertificates()
    {
        var certificates = new EmbeddedCertificates();
        AppDomain.CurrentDomain.ProcessExit += (_, _) => certificates.Dispose();
        return certificates;
    }
}
