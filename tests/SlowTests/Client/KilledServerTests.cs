using System.Collections.Concurrent;
using System.Diagnostics;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.Documents.BulkInsert;
using Raven.Client.ServerWide.Operations;
using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>The server is killed and started again under a client that goes on writing.</summary>
[Trait(Category.Shard, "client")]
public sealed class KilledServerTests
{
    private const int Rounds = 5;
    private const int Writers = 8;
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(10);

    [Fact]
    public async Task No_acknowledged_write_is_lost_and_nobody_waits_longer_than_told()
    {
        string folder = Directory.CreateTempSubdirectory("raven-killed-").FullName;
        int port = SamplesTests.FreePort();
        using var store = new DocumentStore
        {
            Urls = [$"http://127.0.0.1:{port}"],
            Database = "db",
            Conventions = { RequestTimeout = RequestTimeout },
        };
        store.Initialize();
        var acknowledged = new ConcurrentDictionary<string, int>();
        var unexpected = new ConcurrentQueue<Exception>();
        long longest = 0;
        try
        {
            for (int round = 0; round < Rounds; round++)
            {
                using ServerProcess server = Start(folder, port);
                if (round == 0)
                {
                    await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
                }

                await RequireAllAsync(store, acknowledged);
                using var stopped = new CancellationTokenSource();
                Task[] writers = [.. Enumerable.Range(0, Writers).Select(writer => Task.Run(() =>
                    WriteAsync(store, $"{round}-{writer}", acknowledged, unexpected, stopped.Token)))];
                await Task.Delay(TimeSpan.FromSeconds(2));
                server.Kill();
                await Task.Delay(TimeSpan.FromMilliseconds(500));
                long begin = Stopwatch.GetTimestamp();
                await stopped.CancelAsync();
                await Task.WhenAll(writers);
                longest = Math.Max(longest, Stopwatch.GetElapsedTime(begin).Ticks);
            }

            using ServerProcess last = Start(folder, port);
            await RequireAllAsync(store, acknowledged);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }

        Assert.Empty(unexpected);
        Assert.NotEmpty(acknowledged);
        Assert.True(longest < 2 * RequestTimeout.Ticks, $"A writer waited for {TimeSpan.FromTicks(longest)}.");
    }

    [Fact]
    public async Task A_bulk_insert_whose_server_is_killed_says_so_in_time()
    {
        using ServerProcess server = ServerProcess.Start();
        using var store = new DocumentStore
        {
            Urls = [server.Url], Database = "db", Conventions = { RequestTimeout = RequestTimeout },
        };
        store.Initialize();
        await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
        long begin = 0;
        await Assert.ThrowsAsync<BulkInsertAbortedException>(async () =>
        {
            await using BulkInsertOperation bulk = store.BulkInsert();
            for (int i = 0; ; i++)
            {
                if (i == 20_000)
                {
                    server.Kill();
                    begin = Stopwatch.GetTimestamp();
                }

                await bulk.StoreAsync(new Item { Number = i }, $"items/{i}");
            }
        });
        Assert.InRange(Stopwatch.GetElapsedTime(begin), TimeSpan.Zero, 2 * RequestTimeout);
    }

    private static ServerProcess Start(string folder, int port) =>
        ServerProcess.Start(folder, $"--ServerUrl=http://127.0.0.1:{port}");

    /// <summary>Writes until it is stopped; what is saved without an exception is acknowledged.</summary>
    private static async Task WriteAsync(
        DocumentStore store, string name, ConcurrentDictionary<string, int> acknowledged,
        ConcurrentQueue<Exception> unexpected, CancellationToken stopped)
    {
        for (int i = 0; !stopped.IsCancellationRequested; i++)
        {
            string id = $"items/{name}-{i}";
            try
            {
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                await session.StoreAsync(new Item { Number = i }, id, stopped);
                await session.SaveChangesAsync(stopped);
                acknowledged[id] = i;
            }
            catch (Exception e) when (e is RequestFailedException or AllTopologyNodesDownException
                or RavenTimeoutException or OperationCanceledException)
            {
                await Task.Delay(10, CancellationToken.None);
            }
            catch (Exception e)
            {
                unexpected.Enqueue(e);
                return;
            }
        }
    }

    private static async Task RequireAllAsync(DocumentStore store, ConcurrentDictionary<string, int> acknowledged)
    {
        foreach (string[] ids in acknowledged.Keys.Chunk(1000))
        {
            using IAsyncDocumentSession session = store.OpenAsyncSession();
            Dictionary<string, Item?> found = await session.LoadAsync<Item>(ids);
            Assert.All(ids, id => Assert.Equal(acknowledged[id], found[id]?.Number));
        }
    }

    private sealed class Item
    {
        public int Number { get; set; }
    }
}
