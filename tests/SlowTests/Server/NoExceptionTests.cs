using FastTests.Server;

namespace SlowTests.Server;

/// <summary>A million ordinary requests, answered 200 to 409, and not one exception in the server.</summary>
[Trait(Category.Shard, "server")]
public sealed class NoExceptionTests
{
    private const int Requests = 1_000_000;

    [Fact]
    public void A_million_ordinary_requests_throw_nothing()
    {
        using var server = new InMemoryServer();
        Assert.Empty(OrdinaryRequests.Run(server, rounds: (Requests / OrdinaryRequests.Count) + 1));
    }
}
