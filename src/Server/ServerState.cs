using Microsoft.Extensions.Logging;
using Raven.Server.Diagnostics;
using Raven.Server.Options;
using Raven.Server.Routing;

namespace Raven.Server;

/// <summary>What all requests of one server share. Made by <see cref="ServerHost"/>; safe for all threads.</summary>
public sealed class ServerState : IDisposable
{
    private readonly CancellationTokenSource _stopping = new();
    private long _nextErrorId;

    internal ServerState(ServerOptions options, RouteTable routes, TimeProvider time, ILoggerFactory loggers)
    {
        Options = options;
        Routes = routes;
        Time = time;
        Loggers = loggers;
        Log = loggers.CreateLogger("Raven.Server");
        Counters = new RequestCounters(routes.Routes.Count);
        StartedAt = time.GetUtcNow();
        Id = Guid.NewGuid();
    }

    /// <summary>What the server was told.</summary>
    public ServerOptions Options { get; }

    /// <summary>All routes.</summary>
    public RouteTable Routes { get; }

    /// <summary>The clock.</summary>
    public TimeProvider Time { get; }

    /// <summary>Where loggers come from.</summary>
    public ILoggerFactory Loggers { get; }

    /// <summary>The log of the server itself.</summary>
    public ILogger Log { get; }

    /// <summary>Every request, counted and timed.</summary>
    public RequestCounters Counters { get; }

    /// <summary>When this server started.</summary>
    public DateTimeOffset StartedAt { get; }

    /// <summary>Names this run of the server.</summary>
    public Guid Id { get; }

    /// <summary>The url it listens on, without a closing slash.</summary>
    public string Url { get; internal set; } = "";

    /// <summary>Cancelled when the server begins to stop: what waits for a client ends now.</summary>
    public CancellationToken Stopping => _stopping.Token;

    /// <summary>A new id for an error, to be found in the log: the start of the server and a number.</summary>
    public string NextErrorId() =>
        $"{StartedAt.UtcDateTime:yyyyMMddHHmmss}-{Interlocked.Increment(ref _nextErrorId):x4}";

    /// <inheritdoc/>
    public void Dispose() => _stopping.Dispose();

    internal void BeginStop() => _stopping.Cancel();
}
