namespace FastTests.Server;

/// <summary>One server with one database for the tests of a class; each of them has documents of its own.</summary>
public sealed class DatabaseFixture : IAsyncLifetime
{
    internal TestServer Server { get; private set; } = null!;

    public async ValueTask InitializeAsync() => Server = await TestServer.WithDatabaseAsync();

    public ValueTask DisposeAsync()
    {
        Server.Dispose();
        return ValueTask.CompletedTask;
    }
}
