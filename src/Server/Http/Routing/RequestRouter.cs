using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Abstractions;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Documents;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Admission;
using Raven.Server.Http.Connections;
using Raven.Server.Http.Forwarding;
using Raven.Server.Http.Monitoring;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Routing;

/// <summary>
/// The application that Kestrel runs: finds the route of a request, calls its handler, turns every failure into an
/// answer, and counts and times all of it. Kestrel calls it directly.
/// </summary>
public sealed class RequestRouter : IHttpApplication<RequestContext>
{
    /// <summary>How often a request is begun that loses its place while it is served.</summary>
    private const int AttemptsMax = 5;

    private static readonly StringValues VersionHeader = ServerVersion.Product;

    private readonly ServerState _server;
    private readonly RouteTable _routes;
    private readonly RequestCounters _counters;
    private readonly RequestEnds _ends;
    private readonly RequestGuard _guard;
    private readonly AccessGate _gate;

    /// <summary>Makes the application of a server.</summary>
    public RequestRouter(ServerState server)
    {
        ArgumentNullException.ThrowIfNull(server);
        _server = server;
        _routes = server.Routes;
        _counters = server.Counters;
        _gate = server.Security.Gate;
        _ends = new RequestEnds(server);
        _guard = new RequestGuard(server);
    }

    /// <inheritdoc/>
    public RequestContext CreateContext(IFeatureCollection contextFeatures)
    {
        RequestContext request;
        if (contextFeatures is IHostContextContainer<RequestContext> container)
        {
            // Kestrel keeps the context for the life of the connection: all of its requests use the same one.
            request = container.HostContext ??= NewContext(contextFeatures);
        }
        else
        {
            request = NewContext(contextFeatures);
        }

        request.Begin(contextFeatures);
        if (_server.Telemetry is { } telemetry)
        {
            request.Span = telemetry.Begin(request);
        }

        _counters.Start();
        return request;
    }

    /// <inheritdoc/>
    public Task ProcessRequestAsync(RequestContext context)
    {
        ArgumentNullException.ThrowIfNull(context);
        try
        {
            context.Response.Headers[ServerVersion.HeaderName] = VersionHeader;
            if (!_guard.Admits(context))
            {
                return FinishAsync(context);
            }

            if (_server.Placement is { } placement)
            {
                return PlaceAsync(context, placement);
            }

            if (!TryEnter(context) || !HasMemory(context)
                || (context.Route!.NeedsDatabase && !context.OpenDatabase()))
            {
                return FinishAsync(context);
            }

            ValueTask handled = context.Route.Handler(context);
            if (handled.IsCompletedSuccessfully)
            {
                handled.GetAwaiter().GetResult();
                return FinishAsync(context);
            }

            return AwaitAsync(context, handled);
        }
#pragma warning disable CA1031 // Any exception becomes an answer.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            return FailAsync(context, exception);
        }
    }

    /// <inheritdoc/>
    public void DisposeContext(RequestContext context, Exception? exception)
    {
        ArgumentNullException.ThrowIfNull(context);
        context.Release();
        context.Ended();
        long ticks = _server.Time.GetTimestamp() - context.StartedTimestamp;
        int status = context.Response.Status;
        _counters.Record(context.Route?.Number ?? _counters.NoRoute, status, ticks);
        context.UsedDatabase?.Uses.Add(ticks);
        if (_ends.IsOfInterest(ticks) || context.Span != null)
        {
            _ends.Note(context, status, ticks);
        }
    }

    /// <summary>
    /// Refuses requests before memory runs out, so that the process is not killed. Requests to routes for anyone
    /// (health checks) and for operators are not refused.
    /// </summary>
    private bool HasMemory(RequestContext request)
    {
        if (_server.Memory.IsOpen || request.Route!.Access is Access.Anyone or Access.Operator)
        {
            return true;
        }

        request.Response.Headers.RetryAfter = "1";
        ErrorResponse.Write(
            request, 503, ErrorType.Timeout,
            $"The server has no memory left for this: more than {_server.Memory.LimitBytes} bytes are used.");
        return false;
    }

    private RequestContext NewContext(IFeatureCollection features)
    {
        var context = new RequestContext(_server)
        {
            Refusals = features.Get<RefusalWriter>(),
            Caller = _server.Security.IsSecured || features.Get<LocalPeer>() != null ? new Caller(features) : null,
        };
        context.Number = _server.Running.Add(context);
        return context;
    }

    /// <summary>Finds the route of a request, and whether its caller may use it. A path without a route is refused
    /// only to an identified caller: others do not see which paths exist.</summary>
    private bool TryEnter(RequestContext request)
    {
        if (_routes.TryFind(request.Verb, request.Path, ref request.Captures, out Route? route, out string? allow))
        {
            request.Route = route;
            if (route!.HoldsSecrets)
            {
                request.Response.HoldSecrets();
            }

            return _gate.TryIdentify(request, route) && _gate.MayEnter(request);
        }

        if (_gate.TryIdentify(request, null))
        {
            AnswerNoRoute(request, allow);
        }

        return false;
    }

    private static void AnswerNoRoute(RequestContext request, string? allow)
    {
        if (allow == null)
        {
            ErrorResponse.Write(
                request, 404, ErrorType.RouteNotFound, $"There is no route {request.Method} {request.Path}.");
        }
        else
        {
            request.Response.Headers.Allow = allow;
            if (request.Verb == HttpVerb.Options)
            {
                request.Response.Status = 204;
            }
            else
            {
                ErrorResponse.Write(
                    request, 405, ErrorType.NotSupported,
                    $"{request.Path} does not take {request.Method}, only {allow}.");
            }
        }
    }

    private async Task AwaitAsync(RequestContext request, ValueTask handled)
    {
        Task finished;
        try
        {
            await handled.ConfigureAwait(false);
            finished = FinishAsync(request);
        }
#pragma warning disable CA1031 // Any exception becomes an answer.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            await FailAsync(request, exception).ConfigureAwait(false);
            return;
        }

        await finished.ConfigureAwait(false);
    }

    /// <summary>Serves a request of a node of a cluster: here, or where its place is.</summary>
    private async Task PlaceAsync(RequestContext request, Placement placement)
    {
        Task finished;
        try
        {
            bool isOfNode = request.Headers[ForwardHeaders.Forwarded].Count > 0;
            if (!isOfNode || await placement.KnowsAsync(request).ConfigureAwait(false))
            {
                request.IsForwarded = isOfNode && placement.IsForwarded(request);
                if (TryEnter(request) && HasMemory(request)
                    && !await placement.TryLeaveAsync(request).ConfigureAwait(false))
                {
                    await HandleAsync(request, placement).ConfigureAwait(false);
                }
            }

            finished = FinishAsync(request);
        }
#pragma warning disable CA1031 // Any exception becomes an answer.
        catch (Exception exception)
#pragma warning restore CA1031
        {
            await FailAsync(request, exception).ConfigureAwait(false);
            return;
        }

        await finished.ConfigureAwait(false);
    }

    /// <summary>Serves a request here, or elsewhere if this node has lost its place meanwhile.</summary>
    private static async ValueTask HandleAsync(RequestContext request, Placement placement)
    {
        for (int attempt = 1; ; attempt++)
        {
            try
            {
                if (!request.Route!.NeedsDatabase || request.OpenDatabase())
                {
                    await request.Route.Handler(request).ConfigureAwait(false);
                }

                return;
            }
            catch (Exception lost) when (lost is NotPrimaryException or DatabaseNotServingException)
            {
                LostPlace left = await placement.LeaveAsync(request).ConfigureAwait(false);
                if (left == LostPlace.Answered)
                {
                    return;
                }

                if (left == LostPlace.Refused || attempt == AttemptsMax)
                {
                    throw;
                }
            }
        }
    }

    /// <summary>Sends what the handler buffered and gives back what the request borrowed.</summary>
    private Task FinishAsync(RequestContext request, bool hasFailed = false)
    {
        if (request.Route is { Audit: not null })
        {
            _server.Security.Audit.Finish(request, hasFailed);
        }

        UnreadBody.Leave(request);
        ValueTask completed = request.Response.CompleteAsync();
        if (completed.IsCompletedSuccessfully)
        {
            completed.GetAwaiter().GetResult();
            request.Release();
            return Task.CompletedTask;
        }

        return FinishSlowAsync(request, completed);
    }

    private static async Task FinishSlowAsync(RequestContext request, ValueTask completed)
    {
        try
        {
            await completed.ConfigureAwait(false);
        }
        finally
        {
            request.Release();
        }
    }

    private Task FailAsync(RequestContext request, Exception exception)
    {
        try
        {
            FailureMapping.Answer(_server, request, exception);
        }
        catch (OutOfMemoryException)
        {
            // There is no memory for the error's body: the status alone needs none.
            if (request.Response.HasStarted)
            {
                request.Abort();
            }
            else
            {
                request.Response.Clear();
                request.Response.Status = StatusCodes.Status503ServiceUnavailable;
            }
        }

        return FinishAsync(request, hasFailed: true);
    }
}
