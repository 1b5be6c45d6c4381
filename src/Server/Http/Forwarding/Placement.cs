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
//          503. A body that cannot be sent twice is not read before a node asks for it; a primary keeps a copy of a
//          short one while it reads it.
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
    private readonly PlacementAnswers _answers;

    internal Placement(ServerState server, IClusterNode cluster)
    {
        _server = server;
        _cluster = cluster;
        _forwarder = new Forwarder(server, cluster);
        _answers = new PlacementAnswers(server, cluster);
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
            _answers.Gone(request, group);
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
            if (now != ReadState.Readable)
            {
                return HoldAsync(request, group, wish, Task.FromResult(now));
            }

            KeepBody(request, group);
            return new ValueTask<bool>(false);
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
            _answers.NotJoined(request, isOfNode);
            return false;
        }
    }

    /// <summary>Finds another place for a request that this node has begun to serve, and found that it may not: nothing
    /// was done. It may be this node again, which has become the primary meanwhile.</summary>
    internal async ValueTask<LostPlace> LeaveAsync(RequestContext request)
    {
        if (request.Response.HasStarted || !request.Route!.NeedsDatabase)
        {
            return LostPlace.Refused;
        }

        if (request.HasWrittenPart)
        {
            _answers.Part(request);
            return LostPlace.Answered;
        }

        if (request.IsForwarded)
        {
            _answers.NotPrimary(request);
            return LostPlace.Answered;
        }

        HeldBody? held = request.Kept.IsKept
            ? await request.Kept.TakeAsync(request, request.Aborted).ConfigureAwait(false)
            : request.Features.Get<IRequestBodyPipeFeature>() as HeldBody;
        if ((held == null && HeldBody.IsThere(request))
            || !_cluster.TryGetGroup(request.Capture(0), out GroupView? group))
        {
            return LostPlace.Refused;
        }

        request.BeginAgain();
        return await HoldAsync(request, group, ReadWishes.Of(request), null, held, mustLeave: true)
            .ConfigureAwait(false)
            ? LostPlace.Answered
            : LostPlace.Again;
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
                PlacementAnswers.Perhaps(request, group, node);
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
            bool isLate = mustLeave && now.Role == GroupRole.Primary;
            while (true)
            {
                if (isLate)
                {
                    // What is known of the group is older than what has been found out: it is looked at again.
                    await WaitAsync(now, token).ConfigureAwait(false);
                    isLate = false;
                    if (!_cluster.TryGetGroup(request.Capture(0), out now))
                    {
                        DatabaseResolver.AnswerMissing(request, request.Capture(0).ToString());
                        return true;
                    }
                }

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
                    _answers.NotPrimary(request);
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
            _answers.Nobody(request, now ?? group);
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

    /// <summary>Holds the body of what may turn out to need another node: a read that needs a new index, or a write
    /// while the primary changes.</summary>
    private static async ValueTask HoldBodyAsync(
        RequestContext request, GroupView group, HeldBody? held, CancellationToken cancellation)
    {
        if (held == null && group.Role == GroupRole.Primary)
        {
            KeepBody(request, group);
            return;
        }

        if (held == null && HeldBody.IsShort(request))
        {
            held = await HeldBody.ReadAsync(request, cancellation).ConfigureAwait(false);
        }

        held?.GiveTo(request);
    }

    /// <summary>Lets a short body be copied as it is read, if another node could have to do the request. A node that
    /// has passed a request on holds the body itself.</summary>
    private static void KeepBody(RequestContext request, GroupView group)
    {
        if (!request.IsForwarded && group.Nodes.Count > 1 && HeldBody.IsShort(request))
        {
            request.Kept.Begin(request);
        }
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
                PlacementAnswers.Spent(request, primary);
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
                    _answers.Nobody(request, group);
                }
                else
                {
                    PlacementAnswers.Perhaps(request, group, primary);
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
                PlacementAnswers.Spent(request, observer);
                return true;
            default:
                PlacementAnswers.Perhaps(request, null, observer);
                return true;
        }
    }
}
