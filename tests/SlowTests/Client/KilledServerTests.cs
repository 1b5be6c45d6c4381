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

/// <summary>The server is killed and restarted under a client that continues to write.</summary>
[Trait(Category.Shard, "client")]
public sealed class KilledServerTests
{
    private const int Rounds = 5;
    private const int Writers = 8;
    private static readonly TimeSpan RequestTimeout = TimeSpan.FromSeconds(10);

    /// <summary>The timeout, and what a busy machine takes to fire it.</summary>
    private static readonly TimeSpan WaitMax = RequestTimeout + TimeSpan.FromSeconds(5);

    [Fact]
    public async Task A_killed_server_loses_no_acknowledged_write_and_no_request_exceeds_its_timeout()
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
        Writer[] writers = [.. Enumerable.Range(0, Writers).Select(number => new Writer(store, number))];
        ServerProcess server = Start(folder, port);
        try
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
            Task[] running = [.. writers.Select(writer => Task.Run(writer.RunAsync))];
            for (int round = 0; round < Rounds; round++)
            {
                await Task.Delay(TimeSpan.FromSeconds(2));
                server.Kill();
                await Task.Delay(TimeSpan.FromMilliseconds(500));
                int[] failed = [.. writers.Select(writer => writer.Failed)];
                int[] before = [.. writers.Select(writer => writer.Acknowledged)];
                server.Dispose();
                server = Start(folder, port);
                await RequireAllAsync(store, writers);
                await GoOnAsync(writers, before);
                Assert.All(failed, count => Assert.True(count > round, "A writer did not see each of the kills."));
            }

            Array.ForEach(writers, writer => writer.Stop());
            await Task.WhenAll(running).WaitAsync(WaitMax);
            await RequireAllAsync(store, writers);
        }
        finally
        {
            Array.ForEach(writers, writer => writer.Stop());
            server.Dispose();
            Directory.Delete(folder, recursive: true);
        }

        Assert.All(writers, writer => Assert.Empty(writer.Unexpected));
        TimeSpan longest = writers.Max(writer => writer.Longest);
        Assert.True(longest < WaitMax, $"A save took {longest}.");
    }

    [Fact]
    public async Task A_bulk_insert_whose_server_is_killed_ends_with_an_exception_in_time()
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

    /// <summary>The writers that went on through the kill have saves acknowledged by the new server, each of
    /// them.</summary>
    private static async Task GoOnAsync(Writer[] writers, int[] before)
    {
        long begin = Stopwatch.GetTimestamp();
        while (writers.Zip(before).Any(pair => pair.First.Acknowledged == pair.Second))
        {
            Assert.All(writers, writer => Assert.Empty(writer.Unexpected));
            Assert.True(Stopwatch.GetElapsedTime(begin) < WaitMax, "A writer did not come back after the restart.");
            await Task.Delay(10);
        }
    }

    private static async Task RequireAllAsync(DocumentStore store, Writer[] writers)
    {
        foreach (Writer writer in writers)
        {
            foreach (int[] numbers in writer.AllAcknowledged().Chunk(1000))
            {
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                Dictionary<string, Item?> found = await session.LoadAsync<Item>(numbers.Select(writer.IdOf));
                Assert.All(numbers, number => Assert.Equal(number, found[writer.IdOf(number)]?.Number));
            }
        }
    }

    /// <summary>
    /// Saves one document after the other until it is asked to stop, which it checks only between two saves: no token
    /// ends a save, so that one that hangs is seen to take too long.
    /// </summary>
    private sealed class Writer(DocumentStore store, int writer)
    {
        private readonly ConcurrentQueue<int> _acknowledged = new();
        private volatile bool _isStopped;
        private volatile int _failed;
        private long _begin;
        private long _longestTicks;

        /// <summary>What no user of the client has to expect of a save.</summary>
        internal ConcurrentQueue<Exception> Unexpected { get; } = new();

        internal int Acknowledged => _acknowledged.Count;

        internal int Failed => _failed;

        /// <summary>The longest save, of those that ended and the one that is under way.</summary>
        internal TimeSpan Longest
        {
            get
            {
                long begin = Volatile.Read(ref _begin);
                TimeSpan running = begin == 0 ? TimeSpan.Zero : Stopwatch.GetElapsedTime(begin);
                return TimeSpan.FromTicks(Math.Max(Volatile.Read(ref _longestTicks), running.Ticks));
            }
        }

        internal int[] AllAcknowledged() => [.. _acknowledged];

        internal string IdOf(int number) => $"items/{writer}-{number}";

        internal void Stop() => _isStopped = true;

        internal async Task RunAsync()
        {
            for (int number = 0; !_isStopped; number++)
            {
                Volatile.Write(ref _begin, Stopwatch.GetTimestamp());
                bool isSaved = await IsSavedAsync(number);
                long ticks = Stopwatch.GetElapsedTime(Volatile.Read(ref _begin)).Ticks;
                Volatile.Write(ref _longestTicks, Math.Max(Volatile.Read(ref _longestTicks), ticks));
                Volatile.Write(ref _begin, 0);
                if (isSaved)
                {
                    _acknowledged.Enqueue(number);
                }
                else
                {
                    _failed++;
                    await Task.Delay(10);
                }
            }
        }

        private async Task<bool> IsSavedAsync(int number)
        {
            try
            {
                using IAsyncDocumentSession session = store.OpenAsyncSession();
                await session.StoreAsync(new Item { Number = number }, IdOf(number));
                await session.SaveChangesAsync();
                return true;
            }
            catch (Exception e) when (e is RequestFailedException or AllTopologyNodesDownException
                or RavenTimeoutException)
            {
                return false;
            }
            catch (Exception e)
            {
                Unexpected.Enqueue(e);
                _isStopped = true;
                return false;
            }
        }
    }

    private sealed class Item
    {
        public int Number { get; set; }
    }
}
