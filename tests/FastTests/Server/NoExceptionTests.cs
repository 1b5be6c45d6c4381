namespace FastTests.Server;

/// <summary>Ordinary requests, answered 200 to 409, throw nothing inside of the server.</summary>
public sealed class NoExceptionTests
{
    [Fact]
    public void Ordinary_requests_throw_nothing()
    {
        using var server = new InMemoryServer();
        Assert.Empty(OrdinaryRequests.Run(server, rounds: 3));
    }
}
