using System.Collections.Concurrent;
using Raven.Client.Documents;
using Raven.Client.Documents.BulkInsert;
using Raven.Client.Documents.Operations.SchemaValidation;
using Raven.Client.Documents.Operations.UniqueConstraints;
using Raven.Client.Documents.Session;
using Raven.Client.Exceptions;
using Raven.Client.Exceptions.SchemaValidation;
using Raven.Client.ServerWide.Operations;
using SlowTests.Support;

namespace SlowTests.Client;

/// <summary>
/// 64 writers of few values, one by one, in batches and in bulk, under a constraint and a schema, while the server is
/// killed: never two holders of a value, never an invalid document, and no value that is taken by nobody.
/// </summary>
[Trait(Category.Shard, "client")]
public sealed class KilledRulesTests
{
    private const int Rounds = 4;
    private const int Writers = 64;
    private const int Values = 5_000;

    [Fact]
    public async Task Rules_hold_over_kills_of_the_server()
    {
        string folder = Directory.CreateTempSubdirectory("raven-rules-").FullName;
        int port = SamplesTests.FreePort();
        using var store = new DocumentStore { Urls = [$"http://127.0.0.1:{port}"], Database = "db" };
        store.Initialize();
        ServerProcess server = Start(folder, port);
        using CancellationTokenSource stop = new();
        ConcurrentQueue<Exception> unexpected = new();
        try
        {
            await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new("db")));
            await ConfigureAsync(store);
            Task[] running = [.. Enumerable.Range(0, Writers).Select(
                writer => Task.Run(() => WriteAsync(store, writer, unexpected, stop.Token)))];
            for (int round = 0; round < Rounds; round++)
            {
                await Task.Delay(TimeSpan.FromSeconds(3));
                server.Kill();
                server.Dispose();
                server = Start(folder, port);
            }

            await Task.Delay(TimeSpan.FromSeconds(3));
            await stop.CancelAsync();
            await Task.WhenAll(running);
            Assert.Empty(unexpected);
            await VerifyAsync(store);
        }
        finally
        {
            await stop.CancelAsync();
            server.Dispose();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static ServerProcess Start(string folder, int port) =>
        ServerProcess.Start(folder, $"--ServerUrl=http://127.0.0.1:{port}");

    private static async Task ConfigureAsync(DocumentStore store)
    {
        await store.Maintenance.SendAsync(new ConfigureUniqueConstraintsOperation(new UniqueConstraintsConfiguration
        {
            Collections =
            {
                ["Items"] = new()
                {
                    Constraints = [new() { Name = "V", Fields = ["V"] }, new() { Name = "W", Fields = ["W", "X"] }],
                },
            },
        }));
        await store.Maintenance.SendAsync(new ConfigureSchemaValidationOperation(new SchemaValidationConfiguration
        {
            ValidatorsPerCollection =
            {
                ["Items"] = new() { Schema = """{"properties":{"V":{"type":"integer","maximum":4999}}}""" },
            },
        }));
    }

    private static async Task WriteAsync(
        DocumentStore store, int writer, ConcurrentQueue<Exception> unexpected, CancellationToken stop)
    {
        Random random = new(writer);
        while (!stop.IsCancellationRequested)
        {
            try
            {
                if (writer % 8 == 0)
                {
                    await using BulkInsertOperation bulk = store.BulkInsert(cancellationToken: stop);
                    for (int i = 0; i < 20; i++)
                    {
                        await bulk.StoreAsync(
                            Any(random), $"items/{random.Next(Values)}", cancellationToken: stop);
                    }
                }
                else
                {
                    using IAsyncDocumentSession session = store.OpenAsyncSession();
                    for (int i = writer % 4; i >= 0; i--)
                    {
                        string id = $"items/{random.Next(Values)}";
                        if (random.Next(5) == 0)
                        {
                            session.Delete(id);
                        }
                        else if (await session.LoadAsync<Item>(id, stop) is { } there)
                        {
                            Item any = Any(random);
                            (there.V, there.W, there.X) = (any.V, any.W, any.X);
                        }
                        else
                        {
                            await session.StoreAsync(Any(random), id, stop);
                        }
                    }

                    await session.SaveChangesAsync(stop);
                }
            }
            catch (Exception e) when (e is ConcurrencyException or SchemaValidationException
                or HttpRequestException or OperationCanceledException or InvalidOperationException
                or RavenException { InnerException: not null } or IOException)
            {
                // A rule, a document that another writer has made, the kill, an id twice in one session.
            }
            catch (RavenException e) when (e.Message.Contains("Items", StringComparison.Ordinal)
                || e.StatusCode is 0 or 503)
            {
                // A bulk insert that was refused, or a server that begins.
            }
            catch (Exception e)
            {
                unexpected.Enqueue(e);
                return;
            }
        }
    }

    private static Item Any(Random random) => new()
    {
        V = random.Next(Values + 50), W = random.Next(300), X = random.Next(4) == 0 ? null : random.Next(300),
    };

    private static async Task VerifyAsync(DocumentStore store)
    {
        using IAsyncDocumentSession session = store.OpenAsyncSession();
        List<Item> all = await session.Advanced.AsyncRawQuery<Item>("from Items").ToListAsync();
        Assert.NotEmpty(all);
        Assert.All(all, item => Assert.InRange(item.V, 0, Values - 1));
        Assert.Equal(all.Count, all.Select(item => item.V).Distinct().Count());
        Item[] both = [.. all.Where(item => item.X is not null)];
        Assert.Equal(both.Length, both.Select(item => (item.W, item.X)).Distinct().Count());
        UniqueConstraintsState state = (await store.Maintenance.SendAsync(new GetUniqueConstraintsStateOperation()))!;
        Assert.All(state.Results, one => Assert.Equal(UniqueConstraintStage.Active, one.State));
        Assert.Empty((await store.Maintenance.SendAsync(new GetSchemaViolationsOperation("Items", 0, 10)))!.Results);

        // No value is taken by nobody: each that no document has can be given to one.
        int[] free = [.. Enumerable.Range(0, Values).Except(all.Select(item => item.V))];
        using IAsyncDocumentSession more = store.OpenAsyncSession();
        foreach (int value in free)
        {
            await more.StoreAsync(new Item { V = value }, $"free/{value}");
        }

        await more.SaveChangesAsync();
    }

    private sealed class Item
    {
        public int V { get; set; }

        public int W { get; set; }

        public int? X { get; set; }
    }
}
