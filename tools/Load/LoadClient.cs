using System.Diagnostics;
using System.Net.Sockets;

namespace Raven.Tools.Load;

/// <summary>
/// One connection: send a request, read its answer, again. Its counters are its own until the run is over. A request
/// costs no managed memory; the socket's own completions call back without a thread in between.
/// </summary>
internal sealed class LoadClient(LoadOptions options, int index, Pacer? pacer)
{
    private static readonly double NanosecondsPerTick = 1e9 / Stopwatch.Frequency;
    private readonly byte[] _input = new byte[64 * 1024];
    private readonly ResponseReader _reader = new();
    private readonly byte[][] _requests = [.. options.Requests.Select(request => request.CreateBuffer())];
    private Socket? _socket;

    internal LatencyHistogram Latency { get; } = new();

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
            _socket?.Dispose();
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
            _socket ??= await ConnectAsync();
            await SendAllAsync(_socket, request);
            BytesWritten += request.Length;
            await ReadAnswerAsync(_socket);
            Latency.Record((long)((Stopwatch.GetTimestamp() - begin) * NanosecondsPerTick));
            CountAnswer();
        }
        catch (Exception failure) when (failure is SocketException or IOException
            or InvalidDataException or ObjectDisposedException)
        {
            NetworkFailed++;
            Note(failure.Message);
            Close();
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
            Close();
        }
    }

    private async ValueTask<Socket> ConnectAsync()
    {
        var socket = new Socket(options.Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(options.Server);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private static async ValueTask SendAllAsync(Socket socket, ReadOnlyMemory<byte> bytes)
    {
        while (bytes.Length != 0)
        {
            int sent = await socket.SendAsync(bytes, SocketFlags.None);
            bytes = bytes[sent..];
        }
    }

    private async ValueTask ReadAnswerAsync(Socket socket)
    {
        _reader.Reset();
        while (true)
        {
            int read = await socket.ReceiveAsync(_input, SocketFlags.None);
            if (read == 0)
            {
                if (_reader.EndsWithConnection)
                {
                    Close();
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

    private void Note(string failure) => FirstFailure = FirstFailure.Length == 0 ? failure : FirstFailure;

    private void Close()
    {
        _socket?.Dispose();
        _socket = null;
    }
}
