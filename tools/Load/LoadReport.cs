using System.Globalization;

namespace Raven.Tools.Load;

/// <summary>What a run did.</summary>
/// <param name="Requests">Requests that were sent.</param>
/// <param name="Successful">Answers with a status from 200 to 299.</param>
/// <param name="NetworkFailed">Requests without a whole answer: refused, cut, timed out.</param>
/// <param name="BadFailed">Answers with another status.</param>
/// <param name="BytesRead">Bytes of all answers, heads included.</param>
/// <param name="BytesWritten">Bytes of all requests, heads included.</param>
/// <param name="Elapsed">Wall time from the first request to the last answer.</param>
/// <param name="Latency">The latencies of all whole answers.</param>
/// <param name="FirstFailure">The first thing that went wrong, in words; empty if nothing did.</param>
public sealed record LoadReport(
    long Requests,
    long Successful,
    long NetworkFailed,
    long BadFailed,
    long BytesRead,
    long BytesWritten,
    TimeSpan Elapsed,
    LatencyHistogram Latency,
    string FirstFailure)
{
    /// <summary>How long the handshakes of TLS took, from the end of the connect on; empty without TLS.</summary>
    public LatencyHistogram Handshakes { get; init; } = new();

    /// <summary>Successful requests a second.</summary>
    public double RequestsPerSecond => Successful / Math.Max(Elapsed.TotalSeconds, 1e-9);

    /// <summary>
    /// Writes the report of gobench, line by line, and the latencies that it lacks; behind them the handshakes, if
    /// there were any.
    /// </summary>
    public void Write(TextWriter output)
    {
        ArgumentNullException.ThrowIfNull(output);
        double seconds = Math.Max(Elapsed.TotalSeconds, 1e-9);
        output.WriteLine();
        WriteLine(output, "Requests:", Requests, "hits");
        WriteLine(output, "Successful requests:", Successful, "hits");
        WriteLine(output, "Network failed:", NetworkFailed, "hits");
        WriteLine(output, "Bad requests failed (!2xx):", BadFailed, "hits");
        WriteLine(output, "Successful requests rate:", (long)RequestsPerSecond, "hits/sec");
        WriteLine(output, "Read throughput:", (long)(BytesRead / seconds), "bytes/sec");
        WriteLine(output, "Write throughput:", (long)(BytesWritten / seconds), "bytes/sec");
        WriteLine(output, "Test time:", (long)Math.Round(seconds), "sec");
        WriteLine(output, "Latency mean:", Mean / 1000, "us");
        foreach ((string name, double share) in (ReadOnlySpan<(string, double)>)
            [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99.9", 0.999)])
        {
            WriteLine(output, $"Latency {name}:", Latency.GetPercentile(share) / 1000, "us");
        }

        WriteLine(output, "Latency max:", Latency.MaxNanoseconds / 1000, "us");
        if (Handshakes.Count != 0)
        {
            WriteLine(output, "Handshakes:", Handshakes.Count, "hits");
            WriteLine(output, "Handshakes rate:", (long)(Handshakes.Count / seconds), "hits/sec");
            WriteLine(output, "Handshake p50:", Handshakes.GetPercentile(0.5) / 1000, "us");
            WriteLine(output, "Handshake p99:", Handshakes.GetPercentile(0.99) / 1000, "us");
        }

        if (FirstFailure.Length != 0)
        {
            output.WriteLine($"First failure: {FirstFailure}");
        }
    }

    private long Mean => Latency.Count == 0 ? 0 : (long)(Latency.SumNanoseconds / Latency.Count);

    private static void WriteLine(TextWriter output, string name, long value, string unit) =>
        output.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{name,-32}{value,12:N0} {unit}"));
}
