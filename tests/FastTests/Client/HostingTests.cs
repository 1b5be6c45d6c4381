using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Diagnostics.HealthChecks;
using Raven.Client.Documents;
using Raven.Client.Documents.Indexes;
using Raven.Client.Documents.Operations.Indexes;
using Raven.Client.Documents.Session;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.DependencyInjection;
using Raven.Server;
using Raven.TestDriver;

namespace FastTests.Client;

/// <summary>The server in this process, a store for each test, and the services of an application.</summary>
public sealed class HostingTests : RavenTestDriver
{
    [Fact]
    public async Task An_embedded_server_keeps_its_databases_in_its_folder_over_a_restart()
    {
        string folder = Directory.CreateTempSubdirectory("raven-embedded-").FullName;
        try
        {
            for (int round = 0; round < 2; round++)
            {
                using ServerHost server = EmbeddedServer.Start(folder);
                using var store = new DocumentStore { Urls = [server.Url], Database = "db" };
                store.Initialize();
                if (round == 0)
                {
                    await store.Maintenance.Server.SendAsync(new CreateDatabaseOperation(new DatabaseRecord("db")));
                }

                using IAsyncDocumentSession session = store.OpenAsyncSession();
                Assert.Equal(round == 1, await session.Advanced.ExistsAsync("users/a"));
                await session.StoreAsync(new User(), $"users/{(round == 0 ? "a" : "b")}");
                await session.SaveChangesAsync();
            }
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void An_embedded_server_listens_at_the_URL_of_its_options()
    {
        int port;
        using (ServerHost free = EmbeddedServer.StartInMemory())
        {
            port = new Uri(free.Url).Port;
        }

        using ServerHost server = EmbeddedServer.StartInMemory(port);
        Assert.Equal($"http://127.0.0.1:{port}", server.Url.TrimEnd('/'));
        using var store = new DocumentStore { Urls = [$"http://127.0.0.1:{port}"] };
        store.Initialize();
        Assert.Empty(store.Maintenance.Server.Send(new GetDatabaseNamesOperation(0, 10))!);
        string folder = Directory.CreateTempSubdirectory("raven-embedded-").FullName;
        try
        {
            Assert.Throws<ServerStartException>(() => EmbeddedServer.Start(folder, port));
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    [Fact]
    public void A_wait_for_indexes_ends_when_none_is_stale_or_names_the_stale_ones()
    {
        using IDocumentStore store = GetDocumentStore();
        store.Maintenance.Send(new PutIndexesOperation(new IndexDefinition
        {
            Name = "ByName", Maps = { "docs.Users.Select(user => new { user.Name })" },
        }));
        store.Maintenance.Send(new StopIndexingOperation());
        using IDocumentSession session = store.OpenSession();
        session.Store(new User { Name = "a" }, "users/1");
        session.SaveChanges();
        TimeoutException late = Assert.Throws<TimeoutException>(
            () => WaitForIndexing(store, TimeSpan.FromMilliseconds(20)));
        Assert.Contains("ByName", late.Message, StringComparison.Ordinal);
        store.Maintenance.Send(new StartIndexingOperation());
        WaitForIndexing(store);
        Assert.Equal("users/1", session.Query<User>("ByName").Single(user => user.Name == "a").Id);
    }

    [Fact]
    public void Each_store_of_a_test_driver_has_an_empty_database_that_is_deleted_with_it()
    {
        string name;
        using (IDocumentStore first = GetDocumentStore())
        using (IDocumentStore second = GetDocumentStore())
        {
            name = first.Database!;
            Assert.StartsWith(nameof(Each_store_of_a_test_driver_has_an_empty_database_that_is_deleted_with_it), name);
            using IDocumentSession session = first.OpenSession();
            session.Store(new User(), "users/a");
            session.SaveChanges();
            WaitForIndexing(first);
            using IDocumentSession other = second.OpenSession();
            Assert.False(other.Advanced.Exists("users/a"));
        }

        using IDocumentStore last = GetDocumentStore();
        Assert.Null(last.Maintenance.Server.Send(new GetDatabaseRecordOperation(name)));
    }

    [Theory]
    [InlineData(".ctor", "ctor_")]
    [InlineData("<Main>$", "Main_")]
    [InlineData("\u05e9\u05dc\u05d5\u05dd", "_")]
    [InlineData("a/b?c", "abc_")]
    public void The_database_of_a_test_driver_is_named_after_the_calling_method(string caller, string begin)
    {
        using IDocumentStore store = GetDocumentStore(database: caller);
        Assert.StartsWith(begin, store.Database, StringComparison.Ordinal);
        using IDocumentStore longest = GetDocumentStore(database: caller + new string('x', 200));
        Assert.NotNull(longest.Maintenance.Server.Send(new GetDatabaseRecordOperation(longest.Database!)));
    }

    [Fact]
    public async Task An_application_gets_a_store_sessions_and_a_health_check_by_dependency_injection()
    {
        using IDocumentStore database = GetDocumentStore();
        await using ServiceProvider services = new ServiceCollection().AddLogging()
            .AddRaven(store =>
            {
                store.Urls = [ServerUrl];
                store.Database = database.Database;
            })
            .BuildServiceProvider();
        IAsyncDocumentSession first;
        using (IServiceScope scope = services.CreateScope())
        {
            first = scope.ServiceProvider.GetRequiredService<IAsyncDocumentSession>();
            Assert.Same(first, scope.ServiceProvider.GetRequiredService<IAsyncDocumentSession>());
            await first.StoreAsync(new User(), "users/a");
            await first.SaveChangesAsync();
            IDocumentSession blocking = scope.ServiceProvider.GetRequiredService<IDocumentSession>();
            Assert.NotNull(blocking.Load<User>("users/a"));
            IDocumentStore store = scope.ServiceProvider.GetRequiredService<IDocumentStore>();
            using IServiceScope other = services.CreateScope();
            Assert.Same(store, other.ServiceProvider.GetRequiredService<IDocumentStore>());
            Assert.Same(store, services.GetRequiredService<IDocumentStore>());
            Assert.NotSame(first, other.ServiceProvider.GetRequiredService<IAsyncDocumentSession>());
            Assert.NotSame(blocking, other.ServiceProvider.GetRequiredService<IDocumentSession>());
        }

        await Assert.ThrowsAsync<ObjectDisposedException>(() => first.LoadAsync<User>("users/b"));
        var health = services.GetRequiredService<HealthCheckService>();
        Assert.Equal(HealthStatus.Healthy, (await health.CheckHealthAsync()).Status);
        await database.Maintenance.Server.SendAsync(
            new DeleteDatabasesOperation(database.Database!, hardDelete: true));
        Assert.Equal(HealthStatus.Unhealthy, (await health.CheckHealthAsync()).Status);
    }
}
