using System.Globalization;
using Microsoft.AspNetCore.Http.Features;
using Microsoft.Extensions.Primitives;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace Raven.Server.Http.Forwarding;

//   FWD-2  A request is sent to another node again only if it was surely not done, or changes nothing. What was perhaps
//          done is answered so (500, RavenTimeoutException).
//   FWD-3  A request is passed on once: the node that receives it serves it, or says that it is not the one.
//   FWD-4  While nobody can serve a request it is held, for HoldMax at most or until the server stops, then answered
//          503. A body that cannot be sent twice is not read before a node asks for it.
//   FWD-5  That a request comes from a node gives it no right: its client's are looked at again.

/// <summary>Serves each request of a node of a cluster in its place: here, or on the node whose it is. Safe for all
/// threads.</summary>
internal sealed class Placement : IDisposable
{
    /// <summary>How long a request waits for a node that can serve it.</summary>
    internal static readonly TimeSpan HoldMax = TimeSpan.FromSeconds(15);

    /// <summary>How long a request of another node waits: that one holds it itself.</summary>
    private static readonly TimeSpan ForwardedHoldMax = TimeSpan.FromSeconds(2);

    /// <summary>After this time a node that was not reached is tried again, though nothing was heard of it.</summary>
    private static readonly TimeSpan TryAgainAfter = TimeSpan.FromMilliseconds(200);

    private static readonly StringValues Yes = "true";

    private readonly ServerState _server;
    private readonly IClusterNode _cluster;
    private readonly Forwarder _forwarder;

    internal Placement(ServerState server, IClusterNode cluster)
    {
        _server = server;
        _cluster = cluster;
        _forwarder = new Forwarder(server, cluster);
    }

    /// <inheritdoc/>
    public void Dispose() => _forwarder.Dispose();

    /// <summary>Whether a request has been passed on by a node of this cluster. What others say is ignored.</summary>
    internal bool IsForwarded(RequestContext request)
    {
        StringValues value = request.Headers[ForwardHeaders.Forwarded];
        if (value.Count != 1 || value[0] is not { } text)
        {
            return false;
        }

        int comma = text.IndexOf(',', StringComparison.Ordinal);
        string? key = request.Headers[ForwardHeaders.Key];
        return comma > 0 && _cluster.IsNode(text[..comma], request.Caller?.PeerDigest, key);
    }

    /// <summary>Sends a request to its place, or answers why it cannot be served.</summary>
    /// <returns>False if this node is to serve it.</returns>
    internal ValueTask<bool> TryLeaveAsync(RequestContext request)
    {
        Route route = request.Route!;
        if (route.Place == Place.Observer)
        {
            return TryLeaveForObserverAsync(request);
        }

        if (!route.NeedsDatabase)
        {
            NoteTopology(request, "Cluster-Topology-Etag", _cluster.Cluster.Etag);
            return new ValueTask<bool>(false);
        }

        if (!_cluster.TryGetGroup(request.Capture(0), out GroupView? group))
        {
            // What nobody has is answered as always.
            return _cluster.Known.IsCompleted || route.Place == Place.Node
                ? new ValueTask<bool>(false)
                : LearnAsync(request);
        }

        bool knowsOlder = NoteTopology(request, "Topology-Etag", group.Etag);
        if (group.Role == GroupRole.None && !request.IsForwarded && (knowsOlder || route.Place == Place.Node))
        {
            AnswerGone(request, group);
            return new ValueTask<bool>(true);
        }

        if (route.Place is not (Place.Any or Place.Primary))
        {
            return new ValueTask<bool>(false);
        }

        ReadWish wish = ReadWishes.Of(request);
        if (group.Role == GroupRole.Primary)
        {
            ValueTask<ReadState> state = _cluster.ReadableAsync(group, wish, CancellationToken.None);
            if (!state.IsCompletedSuccessfully)
            {
                return HoldAsync(request, group, wish, state.AsTask());
            }

            ReadState now = state.Result;
            return now == ReadState.Readable
                ? new ValueTask<bool>(false)
                : HoldAsync(request, group, wish, Task.FromResult(now));
        }

        return HoldAsync(request, group, wish, null);
    }

    /// <summary>Waits until this node knows the databases of its cluster, as it does soon after its start: before that
    /// nothing can be said of one that it has not heard of, nor of a node.</summary>
    /// <param name="request">The request.</param>
    /// <returns>False if it does not in time, which the answer says.</returns>
    internal async ValueTask<bool> KnowsAsync(RequestContext request)
    {
        if (_cluster.Known.IsCompleted)
        {
            return true;
        }

        bool isOfNode = request.Headers[ForwardHeaders.Forwarded].Count > 0;
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(request.Aborted, _server.Stopping);
        try
        {
            await _cluster.Known.WaitAsync(isOfNode ? ForwardedHoldMax : HoldMax, _server.Time, ended.Token)
                .ConfigureAwait(false);
            return true;
        }
        catch (Exception e) when (e is TimeoutException or OperationCanceledException
            && !request.Aborted.IsCancellationRequested)
        {
            AnswerNotJoined(request, isOfNode);
            return false;
        }
    }

    /// <summary>Sends a request elsewhere that this node has begun to serve, and found that it may not: nothing was
    /// done.</summary>
    /// <returns>False if its body was read and cannot be read again.</returns>
    internal async ValueTask<bool> TrySendElsewhereAsync(RequestContext request)
    {
        if (request.Response.HasStarted || !request.Route!.NeedsDatabase)
        {
            return false;
        }

        if (request.IsForwarded)
        {
            AnswerNotPrimary(request);
            return true;
        }

        var held = request.Features.Get<IRequestBodyPipeFeature>() as HeldBody;
        if ((held == null && HeldBody.IsThere(request))
            || !_cluster.TryGetGroup(request.Capture(0), out GroupView? group))
        {
            return false;
        }

        request.Response.Clear();
        await HoldAsync(request, group, ReadWishes.Of(request), null, held, mustLeave: true).ConfigureAwait(false);
        return true;
    }

    /// <summary>Sends a request without a body to a node whose handler is to do it.</summary>
    internal async ValueTask SendToAsync(RequestContext request, NodeView node, GroupView? group)
    {
        switch (await _forwarder.SendAsync(request, node, group, null).ConfigureAwait(false))
        {
            case ForwardOutcome.Answered:
                break;
            case ForwardOutcome.NotDone:
                request.Response.Headers.RetryAfter = "1";
                ErrorResponse.Write(
                    request, 503, ErrorType.NoLeader,
                    $"Nothing was done: node {node.Tag} would have to, and was not reached at {node.NodeUrl}.");
                break;
            default:
                AnswerPerhaps(request, group, node);
                break;
        }
    }

    /// <summary>Tells a client with an older list of nodes to ask for the new one.</summary>
    /// <returns>Whether it has an older one.</returns>
    private static bool NoteTopology(RequestContext request, string header, long current)
    {
        StringValues known = request.Headers[header];
        if (known.Count == 0
            || !long.TryParse(
                known.ToString().AsSpan().Trim('"'), NumberStyles.None, CultureInfo.InvariantCulture, out long etag)
            || etag >= current)
        {
            return false;
        }

        request.Response.Headers["Refresh-Topology"] = Yes;
        return true;
    }

    private async ValueTask<bool> LearnAsync(RequestContext request) =>
        !await KnowsAsync(request).ConfigureAwait(false) || await TryLeaveAsync(request).ConfigureAwait(false);

    /// <summary>Waits until this node, or another, can serve a request, and lets that one do it.</summary>
    /// <param name="request">The request.</param>
    /// <param name="group">The group of its database.</param>
    /// <param name="wish">What it asks of the state that answers it.</param>
    /// <param name="begun">The first wait for a state here, if it has begun.</param>
    /// <param name="held">Its body, if it was read.</param>
    /// <param name="mustLeave">Whether another node has to serve it.</param>
    private async ValueTask<bool> HoldAsync(
        RequestContext request, GroupView group, ReadWish wish, Task<ReadState>? begun, HeldBody? held = null,
        bool mustLeave = false)
    {
        using var limit = new CancellationTokenSource(
            request.IsForwarded ? ForwardedHoldMax : HoldMax, _server.Time);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(
            request.Aborted, limit.Token, _server.Stopping);
        CancellationToken token = ended.Token;
        GroupView? now = group;
        try
        {
            while (true)
            {
                bool isHere = IsHere(request, now, mustLeave);
                if (isHere || begun != null)
                {
                    Task<ReadState> reading = begun ?? _cluster.ReadableAsync(now, wish, token).AsTask();
                    begun = null;
                    if (await reading.WaitAsync(token).ConfigureAwait(false) == ReadState.Readable && isHere)
                    {
                        await HoldBodyAsync(request, now, held, token).ConfigureAwait(false);
                        return false;
                    }
                }

                if (request.IsForwarded && IsElsewhere(request, now))
                {
                    AnswerNotPrimary(request);
                    return true;
                }

                if (now.Primary is { } primary && primary.Tag != _cluster.Tag && !request.IsForwarded)
                {
                    held ??= HeldBody.IsShort(request)
                        ? await HeldBody.ReadAsync(request, token).ConfigureAwait(false)
                        : null;
                    if (await TryPassOnAsync(request, now, primary, held).ConfigureAwait(false))
                    {
                        return true;
                    }
                }

                await WaitAsync(now, token).ConfigureAwait(false);
                if (!_cluster.TryGetGroup(request.Capture(0), out now))
                {
                    DatabaseResolver.AnswerMissing(request, request.Capture(0).ToString());
                    return true;
                }
            }
        }
        catch (OperationCanceledException) when (token.IsCancellationRequested
            && !request.Aborted.IsCancellationRequested)
        {
            AnswerNobody(request, now ?? group);
            return true;
        }
    }

    /// <summary>Whether this node is a place for the request, if it can answer it.</summary>
    private static bool IsHere(RequestContext request, GroupView group, bool mustLeave) =>
        group.Role == GroupRole.Primary
        || (!mustLeave && request.Route!.Place == Place.Any && group.IsOpen
            && group.Role is GroupRole.Member or GroupRole.Rehab);

    /// <summary>Whether this node knows as much as the one that has passed the request on, and that another one is the
    /// primary: then there is nothing to wait for here.</summary>
    private bool IsElsewhere(RequestContext request, GroupView group)
    {
        string text = request.Headers[ForwardHeaders.Forwarded].ToString();
        return group.Primary is { } primary && primary.Tag != _cluster.Tag
            && long.TryParse(
                text.AsSpan(text.IndexOf(',', StringComparison.Ordinal) + 1), NumberStyles.AllowLeadingWhite,
                CultureInfo.InvariantCulture, out long epoch)
            && group.Epoch >= epoch;
    }

    /// <summary>Reads the body of a read that may turn out to need the primary: one that needs a new index.</summary>
    private static async ValueTask HoldBodyAsync(
        RequestContext request, GroupView group, HeldBody? held, CancellationToken cancellation)
    {
        if (group.Role != GroupRole.Primary && held == null && HeldBody.IsShort(request))
        {
            held = await HeldBody.ReadAsync(request, cancellation).ConfigureAwait(false);
        }

        held?.GiveTo(request);
    }

    /// <summary>Sends a request to the primary.</summary>
    /// <returns>True if it is answered; false if it can be sent again.</returns>
    private async ValueTask<bool> TryPassOnAsync(
        RequestContext request, GroupView group, NodeView primary, HeldBody? held)
    {
        switch (await _forwarder.SendAsync(request, primary, group, held).ConfigureAwait(false))
        {
            case ForwardOutcome.Answered:
                return true;
            case ForwardOutcome.NotDone:
                return false;
            case ForwardOutcome.Spent:
                AnswerSpent(request, primary);
                return true;
            default:
                bool canSendAgain = held != null || !HeldBody.IsThere(request);
                bool changesNothing =
                    request.Route!.Place == Place.Any || request.Verb is HttpVerb.Get or HttpVerb.Head;
                if (canSendAgain && changesNothing)
                {
                    return false;
                }

                if (changesNothing)
                {
                    AnswerNobody(request, group);
                }
                else
                {
                    AnswerPerhaps(request, group, primary);
                }

                return true;
        }
    }

    /// <summary>Waits for another state of a group, but not for long: a node may have come back meanwhile.</summary>
    private async ValueTask WaitAsync(GroupView group, CancellationToken cancellation)
    {
        using var soon = CancellationTokenSource.CreateLinkedTokenSource(cancellation);
        Task change = _cluster.WaitForChangeAsync(group, soon.Token).AsTask();
        Task pause = Task.Delay(TryAgainAfter, _server.Time, soon.Token);
        await Task.WhenAny(change, pause).ConfigureAwait(false);
        await soon.CancelAsync().ConfigureAwait(false);
        cancellation.ThrowIfCancellationRequested();
    }

    /// <summary>Sends a change of the cluster's records to the node that looks after it. If that one is away this node
    /// does it: the store decides between the two.</summary>
    private async ValueTask<bool> TryLeaveForObserverAsync(RequestContext request)
    {
        ClusterView view = _cluster.Cluster;
        if (request.IsForwarded || view.Observer is not { } tag || tag == _cluster.Tag
            || view.Find(tag) is not { IsAlive: true } observer)
        {
            return false;
        }

        HeldBody? held = HeldBody.IsShort(request)
            ? await HeldBody.ReadAsync(request, request.Aborted).ConfigureAwait(false)
            : null;
        switch (await _forwarder.SendAsync(request, observer, null, held).ConfigureAwait(false))
        {
            case ForwardOutcome.Answered:
                return true;
            case ForwardOutcome.NotDone:
                held?.GiveTo(request);
                return false;
            case ForwardOutcome.Spent:
                AnswerSpent(request, observer);
                return true;
            default:
                AnswerPerhaps(request, null, observer);
                return true;
        }
    }

    private void AnswerGone(RequestContext request, GroupView group)
    {
        request.Response.Headers["Refresh-Topology"] = Yes;
        ErrorResponse.Write(
            request, 410, ErrorType.DatabaseNotRelevant,
            $"Node {_cluster.Tag} does not have the database '{group.Database}': its nodes are {TagsOf(group)}.");
    }

    private void AnswerNotPrimary(RequestContext request)
    {
        request.Response.Clear();
        request.Response.Headers[ForwardHeaders.NotPrimary] = Yes;
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader, $"Nothing was done: node {_cluster.Tag} is not the primary now.");
    }

    private void AnswerNotJoined(RequestContext request, bool isOfNode)
    {
        if (isOfNode)
        {
            AnswerNotPrimary(request);
            return;
        }

        request.Response.Headers.RetryAfter = "1";
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader,
            $"Nothing was done: for {HoldMax.TotalSeconds:0} seconds node {_cluster.Tag}, which has started, has not "
            + "reached the store of its cluster. GET /admin/cluster/health tells more.");
    }

    private void AnswerNobody(RequestContext request, GroupView group)
    {
        if (request.IsForwarded)
        {
            AnswerNotPrimary(request);
            return;
        }

        string why = group.Hindrance ?? (group.Primary is { } primary
            ? $"node {primary.Tag}, the last primary, was not reached, or has not taken over yet"
            : "it has no primary yet");
        request.Response.Headers.RetryAfter = "1";
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader,
            (_server.Stopping.IsCancellationRequested
                ? "Nothing was done: this node stops, and no other one could serve the database "
                : $"Nothing was done: for {HoldMax.TotalSeconds:0} seconds no node could serve the database ")
            + $"'{group.Database}' ({why}). Its nodes are {TagsOf(group)}. GET /admin/cluster/health tells more.");
    }

    private static void AnswerSpent(RequestContext request, NodeView node)
    {
        request.Response.Headers.RetryAfter = "1";
        ErrorResponse.Write(
            request, 503, ErrorType.NoLeader,
            $"Nothing was done: node {node.Tag} had to refuse the request when it had read its body. Send it again.");
    }

    private static void AnswerPerhaps(RequestContext request, GroupView? group, NodeView node) =>
        ErrorResponse.Write(
            request, 500, ErrorType.WaitTimeout,
            $"Perhaps it was done: the request was sent to node {node.Tag}, and the connection ended without an answer"
            + (group == null ? ". " : $" (database '{group.Database}', epoch {group.Epoch}). ")
            + "Read what it was to change before it is sent again.");

    private static string TagsOf(GroupView group) =>
        string.Join(", ", group.Nodes.Select(node => $"{node.Node.Tag} ({node.Role})"));
}
