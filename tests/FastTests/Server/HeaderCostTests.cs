using System.Net;
using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.AspNetCore.Server.Kestrel.Core;
using Microsoft.AspNetCore.Server.Kestrel.Transport.Sockets;
using Microsoft.Extensions.Logging.Abstractions;
using Microsoft.Extensions.Options;

namespace FastTests.Server;

/// <summary>What it costs to read a header out of those that Kestrel has received.</summary>
public sealed class HeaderCostTests
{
    private const int Requests = 8;

    [Fact]
    public async Task One_of_thirty_headers_is_read_from_a_socket_request_without_allocation()
    {
        var application = new HeaderReader();
        var options = new KestrelServerOptions();
        options.Listen(IPAddress.Loopback, 0);
        var sockets = new SocketTransportFactory(
            Options.Create(new SocketTransportOptions()), NullLoggerFactory.Instance);
        using var kestrel = new KestrelServer(Options.Create(options), sockets, NullLoggerFactory.Instance);
        await kestrel.StartAsync(application, CancellationToken.None);
        string url = kestrel.Features.Get<IServerAddressesFeature>()!.Addresses.Single();
        using (var connection = new RawConnection(new Uri(url).Port))
        {
            string headers = string.Concat(Enumerable.Range(0, 28).Select(i => $"X-Custom-{i}: value {i}\r\n"));
            for (int i = 0; i < Requests; i++)
            {
                connection.Send($"GET / HTTP/1.1\r\nHost: localhost\r\n{headers}If-Match: \"A:{i}-x\"\r\n\r\n");
                Assert.Equal(204, connection.Receive().Status);
            }
        }

        await kestrel.StopAsync(CancellationToken.None);
        Assert.Equal(
            Enumerable.Range(0, Requests).Select(i => (30, $"\"A:{i}-x\"", "value 17")), application.Read);

        // The first requests come while the runtime still compiles; the least of them is the price of the reading.
        Assert.Equal(0, application.Allocated.Min());
        Assert.EndsWith("HttpRequestHeaders", application.Type, StringComparison.Ordinal);
    }

    /// <summary>Reads two headers of each request, one known to Kestrel and one that is not.</summary>
    private sealed class HeaderReader : IHttpApplication<IFeatureCollection>
    {
        internal List<(int Count, string IfMatch, string Custom)> Read { get; } = [];

        internal List<long> Allocated { get; } = [];

        internal string? Type { get; private set; }

        public IFeatureCollection CreateContext(IFeatureCollection contextFeatures) => contextFeatures;

        public Task ProcessRequestAsync(IFeatureCollection context)
        {
            IHeaderDictionary headers = context.Get<IHttpRequestFeature>()!.Headers;
            long before = GC.GetAllocatedBytesForCurrentThread();
            string? match = headers.IfMatch[0];
            string? custom = headers["X-Custom-17"][0];
            Allocated.Add(GC.GetAllocatedBytesForCurrentThread() - before);
            Read.Add((headers.Count, match!, custom!));
            Type = headers.GetType().FullName;
            context.Get<IHttpResponseFeature>()!.StatusCode = 204;
            return Task.CompletedTask;
        }

        public void DisposeContext(IFeatureCollection context, Exception? exception)
        {
        }
    }
}
