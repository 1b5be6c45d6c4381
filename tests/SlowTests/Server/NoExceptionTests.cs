using FastTests.Server;
using SlowTests.Indexing;

namespace SlowTests.Server;

/// <summary>A million ordinary requests, answered 200 to 409, and not one exception in the server.</summary>
[Trait(Category.Shard, "server")]
[Collection(AloneInProcess.Name)]
public sealed class NoExceptionTests
{
    private const int Requests = 1_000_000;
    private const int RequestsOverSockets = 100_000;
    private const int Clients = 4;

    /// <summary>Has no factor in common with how many different requests there are: each of them closes once.</summary>
    private const int CloseEvery = 25;

    /// <summary>On any thread: those that write, index and clean up, too.</summary>
    [Fact]
    public void A_million_ordinary_requests_throw_no_exception()
    {
        using var server = new InMemoryServer();
        Assert.Empty(OrdinaryRequests.Run(server, rounds: (Requests / OrdinaryRequests.Count) + 1));
    }

    /// <summary>On any thread, Kestrel's too: nothing else runs in this process meanwhile.</summary>
    [Fact]
    public async Task A_hundred_thousand_socket_requests_some_of_which_close_their_connection_throw_no_exception()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        using var thrown = new ThrownExceptions();
        await Task.WhenAll(Enumerable.Range(0, Clients).Select(client => Task.Factory.StartNew(
            () => Send(server.Port, client),
            CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default)));
        Assert.Empty(thrown.End());
    }

    private static void Send(int port, int client)
    {
        using var connection = new SocketRequests(port);
        (InMemoryRequest Request, int Status)[] requests = OrdinaryRequests.Create($"{client}/");
        for (int i = 0; i < RequestsOverSockets / Clients; i++)
        {
            (InMemoryRequest request, int status) = requests[i % requests.Length];
            Assert.Equal(status, connection.Send(request, closes: i % CloseEvery == 0));
        }
    }
}
