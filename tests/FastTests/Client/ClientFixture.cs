using FastTests.Server;
using Raven.Client.Documents;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;

namespace FastTests.Client;

/// <summary>One server for the tests of a class; each test opens stores over databases of its own.</summary>
public sealed class ClientFixture : IDisposable
{
    private readonly TestServer _server = new();
    private int _databases;

    internal string Url => _server.Host.Url;

    internal DocumentStore NewStore(Action<DocumentStore>? configure = null)
    {
        string name = $"db{Interlocked.Increment(ref _databases)}";
        var store = new DocumentStore { Urls = [Url], Database = name };
        configure?.Invoke(store);
        store.Initialize();
        store.Maintenance.Server.Send(new CreateDatabaseOperation(new DatabaseRecord(name)));
        return store;
    }

    /// <summary>Another store over the database of one.</summary>
    internal DocumentStore OpenAgain(DocumentStore first)
    {
        var second = new DocumentStore { Urls = [Url], Database = first.Database };
        second.Initialize();
        return second;
    }

    public void Dispose() => _server.Dispose();
}
