using System.Diagnostics.Metrics;
using Raven.Server.Diagnostics;

namespace Raven.Server.Http;

/// <summary>
/// The counters as System.Diagnostics.Metrics instruments, for listeners (dotnet-counters, OpenTelemetry). They are
/// observed, not recorded: a request pays for <see cref="RequestCounters"/> only.
/// </summary>
internal sealed class ServerMetrics : IDisposable
{
    internal const string MeterName = "Raven.Server";

    private readonly Meter _meter = new(MeterName);

    internal ServerMetrics(ServerState server)
    {
        RequestCounters counters = server.Counters;
        _meter.CreateObservableCounter(
            "raven.requests", () => counters.Count, "{request}", "Requests that ended");
        _meter.CreateObservableCounter(
            "raven.requests.client_errors", () => counters.ClientErrors, "{request}", "Requests answered 4xx");
        _meter.CreateObservableCounter(
            "raven.requests.server_errors", () => counters.ServerErrors, "{request}", "Requests answered 5xx");
        _meter.CreateObservableUpDownCounter(
            "raven.requests.active", () => counters.Active, "{request}", "Requests that are running");
        _meter.CreateObservableCounter("raven.request.duration", () => DurationsOf(server), "s", "Time per route");
    }

    /// <inheritdoc/>
    public void Dispose() => _meter.Dispose();

    private static IEnumerable<Measurement<double>> DurationsOf(ServerState server)
    {
        for (int i = 0; i < server.Routes.Routes.Count; i++)
        {
            (long count, double seconds, _, _) = server.Counters.Of(i);
            if (count > 0)
            {
                yield return new Measurement<double>(
                    seconds, new KeyValuePair<string, object?>("route", server.Routes.Routes[i].Path));
            }
        }
    }
}
