using System.Diagnostics;
using System.Globalization;
using System.Text;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using Raven.Tools.Bench.Suites.Documents;

namespace Raven.Tools.Bench.Suites.Subscriptions;

/// <summary>
/// A stream of NATS JetStream in files, and pull consumers that acknowledge each batch by its last message and wait for
/// the confirmation, as our workers do. It is filled once, and each consumer begins at its first message. It is filled
/// without waiting for the disk; from then on everything waits for it (<c>sync_interval: always</c>).
/// </summary>
internal sealed class JetStreamPeer : IDisposable
{
    private const string Stream = "bench";
    private const int ConfirmEvery = 1000;

    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    private readonly string _directory;
    private readonly long _count;
    private int _port;
    private int _consumers;

    private JetStreamPeer(string directory, long count, int port)
    {
        _directory = directory;
        _count = count;
        _port = port;
    }

    /// <summary>Starts it with so many messages; null, with the reason, if that is not possible.</summary>
    internal static JetStreamPeer? TryStart(
        string directory, int count, Func<long, string> bodyOf, out string why)
    {
        if (!TryStart(directory, "2m", out int port, out why))
        {
            return null;
        }

        var peer = new JetStreamPeer(directory, count, port);
        try
        {
            peer.FillAsync(bodyOf).GetAwaiter().GetResult();
            Stop(directory);
            return TryStart(directory, "always", out peer._port, out why) ? peer : null;
        }
        catch
        {
            Stop(directory);
            throw;
        }
    }

    /// <summary>Messages/s of a new consumer that takes all of them.</summary>
    internal async Task<double> DrainAsync(int batchCount)
    {
        await using NatsConnection client = Connect();
        var context = new NatsJSContext(client);
        string name = string.Create(CultureInfo.InvariantCulture, $"c{++_consumers}");
        INatsJSConsumer consumer = await context.CreateOrUpdateConsumerAsync(
            Stream,
            new ConsumerConfig(name) { AckPolicy = ConsumerConfigAckPolicy.All, MaxAckPending = batchCount });
        long taken = 0;
        long start = Stopwatch.GetTimestamp();
        while (taken < _count)
        {
            INatsJSMsg<byte[]>? last = null;
            await foreach (INatsJSMsg<byte[]> message in consumer.FetchAsync<byte[]>(
                new NatsJSFetchOpts { MaxMsgs = batchCount, Expires = TimeSpan.FromSeconds(30) }))
            {
                taken += message.Data is { Length: > 0 } ? 1 : 0;
                last = message;
            }

            if (last is null)
            {
                throw new InvalidOperationException($"only {taken} messages came");
            }

            await last.AckAsync(new AckOpts { DoubleAck = true });
        }

        double seconds = Stopwatch.GetElapsedTime(start).TotalSeconds;
        await context.DeleteConsumerAsync(Stream, name);
        return taken / seconds;
    }

    public void Dispose() => Stop(_directory);

    private static bool TryStart(string directory, string sync, out int port, out string why)
    {
        (int exitCode, string output, string error) = PeerScript.Run("nats.sh", "start", directory, sync);
        why = exitCode == 0 ? "" : $"nats-server did not start: {error.Trim()}";
        return int.TryParse(output.Split(' ')[0], NumberStyles.None, CultureInfo.InvariantCulture, out port)
            && exitCode == 0;
    }

    private static void Stop(string directory) => _ = PeerScript.Run("nats.sh", "stop", directory);

    private NatsConnection Connect() => new(new NatsOpts
    {
        Url = string.Create(CultureInfo.InvariantCulture, $"nats://127.0.0.1:{_port}"),
        RequestTimeout = Limit,
        CommandTimeout = Limit,
    });

    private async Task FillAsync(Func<long, string> bodyOf)
    {
        await using NatsConnection client = Connect();
        var context = new NatsJSContext(client);
        await context.CreateStreamAsync(new StreamConfig(Stream, [Stream]) { Storage = StreamConfigStorage.File });
        for (long n = 0; n < _count; n++)
        {
            byte[] body = Encoding.UTF8.GetBytes(bodyOf(n));
            if (n % ConfirmEvery == ConfirmEvery - 1 || n == _count - 1)
            {
                (await context.PublishAsync(Stream, body)).EnsureSuccess();
            }
            else
            {
                await client.PublishAsync(Stream, body);
            }
        }

        INatsJSStream stream = await context.GetStreamAsync(Stream);
        if (stream.Info.State.Messages != _count)
        {
            throw new InvalidOperationException($"the stream has {stream.Info.State.Messages} of {_count} messages");
        }
    }
}
