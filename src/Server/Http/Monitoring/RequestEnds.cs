using System.Diagnostics;
using Microsoft.AspNetCore.Http.Features;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Telemetry;

namespace Raven.Server.Http.Monitoring;

/// <summary>What is noted of requests when they have ended: slow ones, those that are watched, and spans. Any thread.
/// </summary>
internal sealed class RequestEnds
{
    private readonly ServerState _server;
    private readonly long _slowTicksMin;
    private readonly long _slowQueryTicksMin;
    private readonly long _eitherTicksMin;

    internal RequestEnds(ServerState server)
    {
        _server = server;
        _slowTicksMin = (long)(server.Options.SlowRequestMin.TotalSeconds * Stopwatch.Frequency);
        _slowQueryTicksMin = (long)(server.Options.SlowQueryMin.TotalSeconds * Stopwatch.Frequency);
        _eitherTicksMin = Math.Min(_slowTicksMin, _slowQueryTicksMin);
    }

    /// <summary>Whether a request that took so long has to be noted: most have not.</summary>
    internal bool IsOfInterest(long ticks) => ticks >= _eitherTicksMin || _server.Traffic.IsWatched;

    /// <summary>Notes a request.</summary>
    internal void Note(RequestContext request, int status, long ticks)
    {
        string database = request.UsedDatabase?.Name ?? "";
        if (request.Span is { } span)
        {
            request.Span = null;
            ServerTelemetry.End(span, request, database);
        }

        bool isStream = request.Route is { IsStream: true };
        bool isSlow = ticks >= _slowTicksMin && !isStream;
        bool isSlowQuery = ticks >= _slowQueryTicksMin && !isStream && request.IsQuery;
        if (isSlow)
        {
            ServerLog.SlowRequest(_server.Log, request.Method, request.Path, MillisecondsOf(ticks), status);
        }

        if (isSlow || isSlowQuery)
        {
            var slow = new SlowRequest(
                _server.Time.GetUtcNow(), request.Id, request.Method, request.Route?.Path ?? "", request.Path, database,
                status, MillisecondsOf(ticks), request.Detail, request.Identity.Name);
            if (isSlow)
            {
                _server.Slow.Add(slow);
            }

            if (isSlowQuery)
            {
                _server.SlowQueries.Add(slow);
            }
        }

        if (_server.Traffic.IsWatched)
        {
            _server.Traffic.Add(new SeenRequest(
                _server.Time.GetUtcNow(), request.Id, request.Method, ticks * 1000.0 / Stopwatch.Frequency, status,
                request.Path, database, request.Detail, AddressOf(request), request.Identity.Name));
        }
    }

    private static string AddressOf(RequestContext request) => request.Caller?.ToString()
        ?? request.Features.Get<IHttpConnectionFeature>()?.RemoteIpAddress?.ToString() ?? "";

    private static long MillisecondsOf(long ticks) => ticks * 1000 / Stopwatch.Frequency;
}
