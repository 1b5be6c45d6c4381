using System.IO.Pipelines;
using System.Net;
using Microsoft.AspNetCore.Connections;
using Microsoft.Extensions.Logging;
using Raven.Security.Floods;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http.Security;

/// <summary>
/// The TLS handshakes of a server: how many there may be, how many compute at one time, and what is said about those
/// that are refused. Safe for all threads.
/// </summary>
#pragma warning disable CA1001 // The semaphore has no handle, and a handshake may end after the server has.
internal sealed class Handshakes
#pragma warning restore CA1001
{
    private static readonly TimeSpan LogInterval = TimeSpan.FromMinutes(1);

    private readonly HandshakeLimit _limit;
    private readonly ILogger _log;
    private readonly LogThrottle _lines;

    /// <summary>Half of the processors, so that requests on open connections find one that is free.</summary>
    private readonly SemaphoreSlim _turns = new(Math.Max(1, Environment.ProcessorCount / 2));

    internal Handshakes(HandshakeLimit limit, ILogger log, TimeProvider clock)
    {
        _limit = limit;
        _log = log;
        _lines = new LogThrottle(clock, LogInterval);
    }

    /// <summary>How many are under way.</summary>
    internal int Count => _limit.Count;

    /// <summary>How many connections were refused.</summary>
    internal long RefusedCount => _limit.RefusedCount;

    /// <summary>
    /// Counts the handshake of a new connection until the connection ends, or <see cref="Established"/> is called.
    /// A connection too many ends at once.
    /// </summary>
    internal async Task RunAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        IPAddress address = (connection.RemoteEndPoint as IPEndPoint)?.Address ?? IPAddress.Loopback;
        if (!_limit.TryBegin(address))
        {
            if (_lines.TryTake(out long more))
            {
                ServerLog.HandshakesRefused(_log, address.ToString(), _limit.Count, more);
            }

            connection.Abort(new ConnectionAbortedException("Too many TLS handshakes at one time."));
            return;
        }

        var handshake = new Handshake(_limit, address, new HandshakeInput(connection.Transport.Input, _turns));
        connection.Features.Set(handshake);
        connection.Transport = new Pipes(handshake.Input, connection.Transport.Output);
        try
        {
            await next(connection).ConfigureAwait(false);
        }
        finally
        {
            handshake.End();
        }
    }

    /// <summary>The handshake of a connection is done.</summary>
    internal static void Established(ConnectionContext connection) => connection.Features.Get<Handshake>()?.End();

    private sealed record Pipes(PipeReader Input, PipeWriter Output) : IDuplexPipe;

    /// <summary>A handshake that is counted until it is done.</summary>
    private sealed class Handshake(HandshakeLimit limit, IPAddress address, HandshakeInput input)
    {
        private int _hasEnded;

        internal HandshakeInput Input => input;

        internal void End()
        {
            if (Interlocked.Exchange(ref _hasEnded, 1) == 0)
            {
                input.End();
                limit.End(address);
            }
        }
    }
}
