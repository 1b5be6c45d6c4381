using Raven.Cluster.Etcd;
using Raven.Cluster.Records;
using Raven.Cluster.Store;

namespace Raven.Server.Http.Cluster;

//   VOTER-1  Where the nodes run etcd, a node that is added gets a member without a vote, which gets its vote when it
//            has all that there is. One that is taken out loses its member.
//   VOTER-2  A server that was taken out takes no part any more, also if it is started again, until it is added again.

/// <summary>Which nodes have a voice: the members of the etcd that the nodes run.</summary>
internal sealed partial class ClusterService
{
    private static readonly TimeSpan LookAtVotersEvery = TimeSpan.FromSeconds(5);

    private Task _voters = Task.CompletedTask;
    private long _votersSeenAt;

    private static ClusterOutcome OutcomeOf(EtcdMemberResult result, string tag) => result.Status switch
    {
        StoreStatus.Ok => new ClusterOutcome(ClusterOutcomeStatus.Done, 0) { Tags = [tag] },
        StoreStatus.Unknown => new ClusterOutcome(ClusterOutcomeStatus.Unknown, 0, result.Problem),
        StoreStatus.Refused => new ClusterOutcome(ClusterOutcomeStatus.Refused, 0, result.Problem),
        _ => new ClusterOutcome(
            ClusterOutcomeStatus.Unavailable, 0, result.Problem ?? "The store of the cluster cannot be reached."),
    };

    /// <summary>Makes room for a node that is going to be started: among the members of etcd, and if its server was
    /// taken out before that is forgotten.</summary>
    private async ValueTask<ClusterOutcome> LetInAsync(string url, string? tag, CancellationToken cancellation)
    {
        string address = url.TrimEnd('/');
        StoreChange[] forgotten = [.. _store.Mirror.Entries.Where(each =>
            each.Key.StartsWith(ClusterKeys.Removed, StringComparison.Ordinal)
            && ClusterNode.TryRead(each.Value.Value.Span, out ClusterNode? removed, out _)
            && (removed.Url == address || (tag is not null && removed.Rest?["tag"]?.ToString() == tag)))
            .Select(each => new StoreChange(each.Key, null))];
        if (forgotten.Length > 0)
        {
            ClusterOutcome outcome = OutcomeOf(
                await _store.Store.TxnAsync(new StoreTxn([], forgotten), cancellation).ConfigureAwait(false));
            if (outcome.Status != ClusterOutcomeStatus.Done || _store.Members is null)
            {
                return outcome with { Tags = [tag ?? ""] };
            }
        }

        return await AddVoterAsync(url, tag, cancellation).ConfigureAwait(false);
    }

    private async ValueTask<ClusterOutcome> AddVoterAsync(string url, string? tag, CancellationToken cancellation)
    {
        if (_store.Members is not { } members)
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.NotServed, 0,
                $"A node joins by itself: start the server at {url} with Cluster.Node and the store of this cluster "
                + "(docs/cluster.md, 'Another node').");
        }

        EtcdMemberResult added = await members.AddLearnerAsync(_store.PeerUrlOf(new Uri(url)), cancellation)
            .ConfigureAwait(false);
        ClusterOutcome outcome = OutcomeOf(added, tag ?? "");
        return outcome.Status == ClusterOutcomeStatus.Done ? outcome with { Index = SeenIndex } : outcome;
    }

    private async ValueTask<ClusterOutcome> RemoveVoterAsync(
        string tag, ClusterOutcome removed, CancellationToken cancellation)
    {
        if (_store.Members is not { } members)
        {
            return removed;
        }

        EtcdMemberResult found = await members.ListAsync(cancellation).ConfigureAwait(false);
        if (found.Status == StoreStatus.Ok)
        {
            if (found.Members.FirstOrDefault(each => each.Name == tag) is not { } own)
            {
                return removed;
            }

            found = await members.RemoveAsync(own.Id, cancellation).ConfigureAwait(false);
        }

        ClusterOutcome outcome = OutcomeOf(found, tag);
        return outcome.Status == ClusterOutcomeStatus.Done
            ? removed
            : outcome with
            {
                Message = $"Node {tag} is out of the cluster, and its etcd is a member still: {outcome.Message} Send "
                    + "this again.",
            };
    }

    private async ValueTask<ClusterOutcome> PromoteVoterAsync(string tag, CancellationToken cancellation)
    {
        if (_store.Members is not { } members)
        {
            return new ClusterOutcome(
                ClusterOutcomeStatus.NotServed, 0,
                "The nodes do not run etcd: its members are changed with its own tools (docs/cluster.md, 'etcd').");
        }

        EtcdMemberResult found = await members.ListAsync(cancellation).ConfigureAwait(false);
        EtcdMember? own = found.Members.FirstOrDefault(each => each.Name == tag);
        return found.Status != StoreStatus.Ok ? OutcomeOf(found, tag)
            : own is null ? new ClusterOutcome(ClusterOutcomeStatus.Missing, 0, $"Node {tag} runs no etcd.")
            : own.IsLearner
                ? OutcomeOf(await members.PromoteAsync(own.Id, cancellation).ConfigureAwait(false), tag)
                : new ClusterOutcome(ClusterOutcomeStatus.Unchanged, SeenIndex) { Tags = [tag] };
    }

    /// <summary>Looks for members that have caught up, now and then. Nothing waits for it.</summary>
    private void KeepVoters()
    {
        if (_node!.IsObserver && _voters.IsCompleted
            && _state.Time.GetElapsedTime(_votersSeenAt) >= LookAtVotersEvery && _store.Members is { } members)
        {
            _votersSeenAt = _state.Time.GetTimestamp();
            _voters = Task.Run(() => KeepVotersAsync(members));
        }
    }

    /// <summary>Gives members their votes that have caught up. etcd refuses it before.</summary>
    private async Task KeepVotersAsync(EtcdMembers members)
    {
        EtcdMemberResult found = await members.ListAsync(_stop.Token).ConfigureAwait(false);
        foreach (EtcdMember learner in found.Members.Where(each => each.IsLearner && each.Name.Length > 0))
        {
            await members.PromoteAsync(learner.Id, _stop.Token).ConfigureAwait(false);
        }
    }
}
