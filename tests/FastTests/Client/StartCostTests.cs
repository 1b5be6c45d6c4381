using System.Net;
using FastTests.Server;
using FastTests.Support;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;
using Raven.Client.Documents;
using Raven.Client.ServerWide;
using Raven.Client.ServerWide.Operations;
using Raven.TestDriver;

namespace FastTests.Client;

/// <summary>
/// What a test of an application pays for a server and for a store of its own. Alone in the process: a server that
/// starts hands work to the thread pool, and waits there for all that other tests have put before it.
/// </summary>
[Collection(Alone.Name)]
public sealed class StartCostTests(ITestOutputHelper output) : RavenTestDriver
{
    [Fact]
    public void Starting_and_stopping_the_server_takes_little_longer_than_the_framework_alone()
    {
        using (new TestServer())
        {
            // The first one of a process pays for loading Kestrel.
        }

        double times = Cost.AssertTime(20, () => new TestServer().Dispose(), StartAndStopOneOfTheFramework);
        output.WriteLine($"A server started and stopped in {times:0.0} times what the framework alone takes.");
    }

    [Fact]
    public void Making_a_store_for_a_test_takes_little_longer_than_making_its_database()
    {
        using IDocumentStore other = GetDocumentStore();
        int number = 0;
        double times = Cost.AssertTime(5, () => GetDocumentStore().Dispose(), () =>
        {
            string name = $"plain-{number++}";
            other.Maintenance.Server.Send(new CreateDatabaseOperation(new DatabaseRecord(name)));
            other.Maintenance.Server.Send(new DeleteDatabasesOperation(name, hardDelete: true));
        });
        Assert.InRange(times, 0.1, 5);
    }

    /// <summary>Kestrel by itself, as <c>ServerHost</c> uses it.</summary>
    private static void StartAndStopOneOfTheFramework()
    {
        var options = new KestrelServerOptions();
        options.Listen(IPAddress.Loopback, 0);
        using var kestrel = new KestrelServer(
            Options.Create(options),
            new SocketTransportFactory(Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance),
            NullLoggerFactory.Instance);
        kestrel.StartAsync(new EmptyApplication(), CancellationToken.None).GetAwaiter().GetResult();
        kestrel.StopAsync(CancellationToken.None).GetAwaiter().GetResult();
    }

    private sealed class EmptyApplication : IHttpApplication<int>
    {
        public int CreateContext(IFeatureCollection contextFeatures) => 0;

        public void DisposeContext(int context, Exception? exception)
        {
        }

        public Task ProcessRequestAsync(int context) => Task.CompletedTask;
    }
}
