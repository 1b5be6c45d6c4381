using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>
/// A real server on a free loopback port, all in memory, with a client for it; one per test class or test.
/// </summary>
internal sealed class TestServer : IDisposable
{
    internal TestServer(Func<ServerOptions, ServerOptions>? configure = null)
    {
        var options = new ServerOptions
        {
            ServerUrl = new Uri("http://127.0.0.1:0"),
            RunInMemory = true,
            DrainMax = TimeSpan.FromSeconds(2),
        };
        Host = ServerHost.Start(configure == null ? options : configure(options));
        Client = new HttpClient { BaseAddress = new Uri(Host.Url) };
    }

    internal ServerHost Host { get; }

    internal HttpClient Client { get; }

    internal int Port => new Uri(Host.Url).Port;

    public void Dispose()
    {
        Client.Dispose();
        Host.Dispose();
    }
}
