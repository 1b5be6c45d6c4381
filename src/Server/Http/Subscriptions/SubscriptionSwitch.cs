using System.Buffers;
using System.IO.Pipelines;
using Microsoft.AspNetCore.Connections;

namespace Raven.Server.Http.Subscriptions;

//   SWITCH-1  The first byte of a connection, after TLS, decides: '{' begins the protocol of subscriptions, anything
//             else is HTTP. No method of HTTP and no preface of HTTP/2 begins so, and no browser can send it first.
//   SWITCH-2  A connection that sends nothing is ended as an idle one of HTTP is, and when the server stops.

/// <summary>Lets workers of subscriptions connect to the port of HTTP. Safe for all threads.</summary>
internal sealed class SubscriptionSwitch(ServerState server)
{
    /// <summary>Wraps the connections of an endpoint.</summary>
    internal ConnectionDelegate Wrap(ConnectionDelegate next) => connection => ServeAsync(connection, next);

    private async Task ServeAsync(ConnectionContext connection, ConnectionDelegate next)
    {
        server.Connected(1);
        try
        {
            bool? isSubscription = await PeekAsync(connection).ConfigureAwait(false);
            if (isSubscription == false)
            {
                await next(connection).ConfigureAwait(false);
            }
            else if (isSubscription == true)
            {
                await new SubscriptionSocket(server, connection).RunAsync().ConfigureAwait(false);
            }
        }
        finally
        {
            server.Connected(-1);
        }
    }

    /// <summary>Whether a connection is that of a worker; null if it has ended.</summary>
    private async ValueTask<bool?> PeekAsync(ConnectionContext connection)
    {
        PipeReader input = connection.Transport.Input;
        if (!input.TryRead(out ReadResult read))
        {
            using ITimer late = server.Time.CreateTimer(
                static state => ((ConnectionContext)state!).Abort(), connection, server.Options.KeepAliveMax,
                Timeout.InfiniteTimeSpan);
            using CancellationTokenRegistration stop = server.Stopping.UnsafeRegister(
                static state => ((PipeReader)state!).CancelPendingRead(), input);
            try
            {
                read = await input.ReadAsync().ConfigureAwait(false);
            }
            catch (Exception e) when (e is IOException or OperationCanceledException or ConnectionAbortedException)
            {
                return null;
            }
        }

        bool isSubscription = new SequenceReader<byte>(read.Buffer).TryPeek(out byte first) && first == (byte)'{';
        input.AdvanceTo(read.Buffer.Start);
        return isSubscription;
    }
}
