using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Linq;
using Raven.Client.Documents.Session;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>The client and the bare calls beside it, over one database of our server.</summary>
internal sealed class ClientStore : IDisposable
{
    internal const int ItemCount = 20_000;
    private static readonly SessionOptions Uncached = new() { NoCaching = true };

    internal ClientStore(Uri server, string database)
        : this(
            server, database, new DocumentStore { Urls = [server.AbsoluteUri], Database = database },
            new SocketsHttpHandler { UseProxy = false })
    {
    }

    /// <summary>Over a store that is not yet initialized, and another way to the bare answers.</summary>
    internal ClientStore(Uri server, string database, DocumentStore store, HttpMessageHandler raw)
    {
        Store = store;
        Store.Initialize();
        Raw = new RawClient(server, database, raw);
    }

    internal DocumentStore Store { get; }

    internal RawClient Raw { get; }

    internal static string IdOf(int number) => $"clientitems/{number % ItemCount}";

    /// <summary>Inserts documents of about 1 KB.</summary>
    internal async Task InsertAsync(int count)
    {
        await using BulkInsertOperation bulk = Store.BulkInsert();
        for (int i = 0; i < count; i++)
        {
            await bulk.StoreAsync(ClientItem.Of(i), $"clientitems/{i}");
        }
    }

    internal async Task LoadAsync(int number)
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession(Uncached);
        Require(await session.LoadAsync<ClientItem>(IdOf(number)) is { Tags.Count: 3 });
    }

    internal async Task LoadRawAsync(int number) =>
        Require((await Raw.LoadAsync(IdOf(number))).Tags.Count == 3);

    internal async Task StoreAsync(int number)
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession(Uncached);
        session.Advanced.UseOptimisticConcurrency = false;
        await session.StoreAsync(ClientItem.Of(number), $"stored/{number % ItemCount}");
        await session.SaveChangesAsync();
    }

    internal Task StoreRawAsync(int number) => Raw.StoreAsync($"stored/{number % ItemCount}", ClientItem.Of(number));

    internal async Task QueryAsync(int number)
    {
        using IAsyncDocumentSession session = Store.OpenAsyncSession(Uncached);
        int age = number % 90;
        Require((await session.Query<ClientItem>().Where(item => item.Age == age).Take(25).ToListAsync()).Count == 25);
    }

    internal async Task QueryRawAsync(int number) => Require((await Raw.QueryAsync(number % 90)).Length == 25);

    public void Dispose()
    {
        Raw.Dispose();
        Store.Dispose();
    }

    private static void Require(bool isRight)
    {
        if (!isRight)
        {
            throw new InvalidOperationException("The answer is not what was stored.");
        }
    }
}
