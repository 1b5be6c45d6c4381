using System.Diagnostics;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;

namespace Raven.Tools.Load;

/// <summary>
/// One connection: send a request, read its answer, again. Its counters are its own until the run is over. A request
/// costs no managed memory; the socket's own completions call back without a thread in between.
/// </summary>
internal sealed class LoadClient(LoadOptions options, int index, Pacer? pacer) : IDisposable
{
    private static readonly double NanosecondsPerTick = 1e9 / Stopwatch.Frequency;
    private readonly byte[] _input = new byte[64 * 1024];
    private readonly ResponseReader _reader = new();
    private readonly byte[][] _requests = [.. options.Requests.Select(request => request.CreateBuffer())];
    private Socket? _socket;
    private SslStream? _secure;

    internal LatencyHistogram Latency { get; } = new();

    internal LatencyHistogram Handshakes { get; } = new();

    internal long Sent { get; private set; }

    internal long Successful { get; private set; }

    internal long NetworkFailed { get; private set; }

    internal long BadFailed { get; private set; }

    internal long BytesRead { get; private set; }

    internal long BytesWritten { get; private set; }

    internal string FirstFailure { get; private set; } = "";

    /// <summary>
    /// Sends until the count or the time is over. <paramref name="start"/> and <paramref name="end"/> are ticks.
    /// </summary>
    internal async Task RunAsync(long start, long end, CancellationToken cancellation)
    {
        await Task.Yield();
        double ticksPerRequest = options.RatePerSecond > 0 ? Stopwatch.Frequency / options.RatePerSecond : 0;
        try
        {
            for (long n = 0; options.RequestsPerClient == 0 || n < options.RequestsPerClient; n++)
            {
                long number = index + (n * options.Clients);
                long due = start + (long)(number * ticksPerRequest);
                if (pacer is not null && due < end)
                {
                    await pacer.WaitUntilAsync(due);
                }

                long now = Stopwatch.GetTimestamp();
                if (now >= end || (pacer is not null && due >= end) || cancellation.IsCancellationRequested)
                {
                    return;
                }

                await SendOneAsync(number, pacer is null ? now : due);
            }
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            // The run is over.
        }
        finally
        {
            Dispose();
        }
    }

    /// <summary>Connects before the first request, which tries again if it fails.</summary>
    internal async Task OpenAsync()
    {
        try
        {
            await ConnectAsync();
        }
        catch (Exception failure) when (IsOfNetwork(failure))
        {
            Note(failure.Message);
            Dispose();
        }
    }

    private async ValueTask SendOneAsync(long number, long begin)
    {
        int which = (int)(number % _requests.Length);
        byte[] request = _requests[which];
        options.Requests[which].SetNumber(request, options.FirstNumber + (number % options.NumberCount));
        Sent++;
        try
        {
            if (_socket is null)
            {
                await ConnectAsync();
            }

            await SendAllAsync(request);
            BytesWritten += request.Length;
            await ReadAnswerAsync();
            Latency.Record((long)((Stopwatch.GetTimestamp() - begin) * NanosecondsPerTick));
            CountAnswer();
        }
        catch (Exception failure) when (IsOfNetwork(failure))
        {
            NetworkFailed++;
            Note(failure.Message);
            Dispose();
        }
    }

    private void CountAnswer()
    {
        if (_reader.Status is >= 200 and < 300)
        {
            Successful++;
        }
        else
        {
            BadFailed++;
            Note($"status {_reader.Status}");
        }

        if (!options.KeepAlive || _reader.IsLast)
        {
            Dispose();
        }
    }

    /// <summary>Connects; a failure leaves what there is to <see cref="Dispose"/>.</summary>
    private async ValueTask ConnectAsync()
    {
        _socket = new Socket(options.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        if (options.From is { } address)
        {
            _socket.Bind(new IPEndPoint(address, 0));
        }

        await _socket.ConnectAsync(options.Server);
        if (options.Tls is { } tls)
        {
            long begin = Stopwatch.GetTimestamp();
            _secure = await tls.ConnectAsync(_socket);
            Handshakes.Record((long)((Stopwatch.GetTimestamp() - begin) * NanosecondsPerTick));
        }
    }

    private async ValueTask SendAllAsync(ReadOnlyMemory<byte> bytes)
    {
        if (_secure is { } secure)
        {
            await secure.WriteAsync(bytes);
            return;
        }

        while (bytes.Length != 0)
        {
            int sent = await _socket!.SendAsync(bytes, SocketFlags.None);
            bytes = bytes[sent..];
        }
    }

    private async ValueTask ReadAnswerAsync()
    {
        _reader.Reset();
        while (true)
        {
            int read = _secure is { } secure
                ? await secure.ReadAsync(_input)
                : await _socket!.ReceiveAsync(_input, SocketFlags.None);
            if (read == 0)
            {
                if (_reader.EndsWithConnection)
                {
                    Dispose();
                    return;
                }

                throw new IOException("the server closed the connection within an answer");
            }

            BytesRead += read;
            if (_reader.Feed(_input.AsSpan(0, read)))
            {
                return;
            }
        }
    }

    /// <summary>Ends a request that waits for longer than the limit: its connection breaks under it.</summary>
    internal void Abort() => _socket?.Dispose();

    private static bool IsOfNetwork(Exception failure) => failure is SocketException or IOException
        or InvalidDataException or ObjectDisposedException or AuthenticationException;

    private void Note(string failure) => FirstFailure = FirstFailure.Length == 0 ? failure : FirstFailure;

    /// <summary>Closes the connection if there is one.</summary>
    public void Dispose()
    {
        _secure?.Dispose();
        _secure = null;
        _socket?.Dispose();
        _socket = null;
    }
}
