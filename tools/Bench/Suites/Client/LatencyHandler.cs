using System.Diagnostics;

namespace Raven.Tools.Bench.Suites.Client;

/// <summary>Half a millisecond of way for each request, as between two machines of one data center. It spins: timers
/// are not that fine.</summary>
internal sealed class LatencyHandler() : DelegatingHandler(new SocketsHttpHandler { UseProxy = false })
{
    private static readonly TimeSpan Latency = TimeSpan.FromMilliseconds(0.5);

    protected override async Task<HttpResponseMessage> SendAsync(
        HttpRequestMessage request, CancellationToken cancellationToken)
    {
        long begin = Stopwatch.GetTimestamp();
        while (Stopwatch.GetElapsedTime(begin) < Latency)
        {
            Thread.SpinWait(20);
        }

        return await base.SendAsync(request, cancellationToken);
    }
}
