using System.Diagnostics;

namespace Raven.Tools.Load;

/// <summary>Runs all clients of a load and joins their counters.</summary>
public static class LoadRun
{
    /// <summary>
    /// The variable that the runtime reads before its first socket; child processes would inherit it.
    /// </summary>
    public const string InlineCompletionsVariable = "DOTNET_SYSTEM_NET_SOCKETS_INLINE_COMPLETIONS";

    /// <summary>
    /// Lets sockets complete on the thread that waits for them all, without a hop over the thread pool: about a third
    /// of the cost of a request. To be called before the first socket of the process.
    /// </summary>
    public static void PreferInlineCompletions() =>
        Environment.SetEnvironmentVariable(InlineCompletionsVariable, "1");

    /// <summary>Sends the load and waits for the last answer.</summary>
    public static async Task<LoadReport> RunAsync(LoadOptions options, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.RequestsPerClient == 0 && options.Duration == TimeSpan.Zero)
        {
            throw new ArgumentException("A run needs a count of requests or a time", nameof(options));
        }

        using Pacer? pacer = options.RatePerSecond > 0 ? new Pacer() : null;
        LoadClient[] clients =
            [.. Enumerable.Range(0, options.Clients).Select(index => new LoadClient(options, index, pacer))];
        if (options.Connected is { } connected)
        {
            await Task.WhenAll(clients.Select(client => client.OpenAsync()));
            connected();
        }

        long start = Stopwatch.GetTimestamp();
        long end = options.Duration == TimeSpan.Zero
            ? long.MaxValue
            : start + (long)(options.Duration.TotalSeconds * Stopwatch.Frequency);
        Task all = Task.WhenAll(clients.Select(client => client.RunAsync(start, end, cancellation)));
        await WaitAsync(all, clients, options);
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        return Join(clients, elapsed);
    }

    /// <summary>
    /// A client that waits for an answer longer than the limit is cut, when no other client makes progress.
    /// </summary>
    private static async Task WaitAsync(Task all, LoadClient[] clients, LoadOptions options)
    {
        long progress = -1;
        while (true)
        {
            Task first = await Task.WhenAny(all, Task.Delay(options.Timeout));
            if (first == all)
            {
                await all;
                return;
            }

            long now = clients.Sum(client => client.BytesRead + client.NetworkFailed);
            if (now == progress)
            {
                Array.ForEach(clients, client => client.Abort());
            }

            progress = now;
        }
    }

    private static LoadReport Join(LoadClient[] clients, TimeSpan elapsed)
    {
        var latency = new LatencyHistogram();
        var handshakes = new LatencyHistogram();
        Array.ForEach(clients, client => latency.Add(client.Latency));
        Array.ForEach(clients, client => handshakes.Add(client.Handshakes));
        return new LoadReport(
            clients.Sum(client => client.Sent),
            clients.Sum(client => client.Successful),
            clients.Sum(client => client.NetworkFailed),
            clients.Sum(client => client.BadFailed),
            clients.Sum(client => client.BytesRead),
            clients.Sum(client => client.BytesWritten),
            elapsed,
            latency,
            clients.Select(client => client.FirstFailure).FirstOrDefault(text => text.Length != 0) ?? "")
        {
            Handshakes = handshakes,
        };
    }
}
