using System.Globalization;
using System.Text.Json;
using Raven.Cluster.Store;

namespace Raven.Cluster.Etcd;

/// <summary>
/// The members of etcd. A node that replaces another one replaces its member: the old one is removed, the new one is
/// added as a learner, which has no vote until it has all that there is. Each call may be repeated. Any thread.
/// </summary>
public sealed class EtcdMembers
{
    // etcd wants its members to have heard of one another for 5 s before it changes them.
    private static readonly TimeSpan HealthMax = TimeSpan.FromSeconds(15);
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(500);

    private readonly EtcdCalls _calls;
    private readonly TimeProvider _clock;

    /// <param name="store">The store, whose etcd it is.</param>
    /// <param name="clock">The clock of pauses.</param>
    public EtcdMembers(EtcdStore store, TimeProvider clock)
    {
        ArgumentNullException.ThrowIfNull(store);
        ArgumentNullException.ThrowIfNull(clock);
        _calls = store.Calls;
        _clock = clock;
    }

    /// <summary>Reads who the members are, linearizably.</summary>
    /// <param name="stop">Ends the call.</param>
    public async Task<EtcdMemberResult> ListAsync(CancellationToken stop = default)
    {
        EtcdAnswer answer = await _calls.ReadAsync(
            "/v3/cluster/member/list", EtcdJson.Write(writer => writer.WriteBoolean("linearizable", true)), stop)
            .ConfigureAwait(false);
        return answer.Body is { } body
            ? Read(body)
            : new EtcdMemberResult(answer.ReadStatus, [], answer.Problem);
    }

    /// <summary>Adds a member without a vote, unless one is there already at this address. Afterwards its process is
    /// started, with <see cref="ManagedEtcdOptions.IsJoining"/>.</summary>
    /// <param name="peerUrl">Where it will listen for the others.</param>
    /// <param name="stop">Ends the call.</param>
    /// <returns>The members, the new one among them.</returns>
    public async Task<EtcdMemberResult> AddLearnerAsync(Uri peerUrl, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(peerUrl);
        string address = peerUrl.GetLeftPart(UriPartial.Authority);
        return await ChangeAsync(
            "/v3/cluster/member/add",
            EtcdJson.Write(writer =>
            {
                writer.WriteStartArray("peerURLs");
                writer.WriteStringValue(address);
                writer.WriteEndArray();
                writer.WriteBoolean("isLearner", true);
            }),
            members => members.Any(each => each.PeerUrls.Contains(address, StringComparer.OrdinalIgnoreCase)), stop)
            .ConfigureAwait(false);
    }

    /// <summary>Removes a member, if it is there.</summary>
    /// <param name="id">Its id.</param>
    /// <param name="stop">Ends the call.</param>
    /// <returns>The members that stay.</returns>
    public Task<EtcdMemberResult> RemoveAsync(ulong id, CancellationToken stop = default) => ChangeAsync(
        "/v3/cluster/member/remove", IdOf(id), members => members.All(each => each.Id != id), stop);

    /// <summary>Gives a learner its vote. It is refused until the learner has caught up: try again a little later.
    /// </summary>
    /// <param name="id">Its id.</param>
    /// <param name="stop">Ends the call.</param>
    /// <returns>The members.</returns>
    public Task<EtcdMemberResult> PromoteAsync(ulong id, CancellationToken stop = default) => ChangeAsync(
        "/v3/cluster/member/promote", IdOf(id), members => members.Any(each => each.Id == id && !each.IsLearner), stop);

    /// <summary>Removes the member of a node that does not come back, and adds the one that takes its place.</summary>
    /// <param name="name">The name of the member, which is the node's tag.</param>
    /// <param name="peerUrl">Where the new one will listen for the others; it may be where the old one did.</param>
    /// <param name="stop">Ends the call.</param>
    /// <returns>The members, the new one among them as a learner.</returns>
    public async Task<EtcdMemberResult> ReplaceAsync(string name, Uri peerUrl, CancellationToken stop = default)
    {
        EtcdMemberResult found = await ListAsync(stop).ConfigureAwait(false);
        if (found.Status != StoreStatus.Ok)
        {
            return found;
        }

        // What an earlier call has added has not started, and so has no name.
        if (found.Members.FirstOrDefault(each => each.Name == name) is { } old)
        {
            EtcdMemberResult removed = await RemoveAsync(old.Id, stop).ConfigureAwait(false);
            if (removed.Status != StoreStatus.Ok)
            {
                return removed;
            }
        }

        return await AddLearnerAsync(peerUrl, stop).ConfigureAwait(false);
    }

    private static ReadOnlyMemory<byte> IdOf(ulong id) =>
        EtcdJson.Write(writer => writer.WriteString("ID", id.ToString(CultureInfo.InvariantCulture)));

    private static EtcdMemberResult Read(JsonElement body)
    {
        try
        {
            EtcdMember[] members = [.. EtcdJson.Items(body, "members").Select(each => new EtcdMember(
                ulong.Parse(EtcdJson.Text(each, "ID"), CultureInfo.InvariantCulture),
                EtcdJson.Text(each, "name"),
                [.. EtcdJson.Items(each, "peerURLs").Select(url => url.ToString())],
                [.. EtcdJson.Items(each, "clientURLs").Select(url => url.ToString())],
                EtcdJson.Bool(each, "isLearner")))];
            return new EtcdMemberResult(StoreStatus.Ok, members);
        }
        catch (Exception odd) when (odd is FormatException or OverflowException or InvalidOperationException)
        {
            return new EtcdMemberResult(
                StoreStatus.Unavailable, [], $"An answer of etcd cannot be read: {odd.Message}");
        }
    }

    /// <summary>Changes the members unless it is done already; whether a lost answer's change was done, the list says.
    /// </summary>
    private async Task<EtcdMemberResult> ChangeAsync(
        string path, ReadOnlyMemory<byte> body, Func<IReadOnlyList<EtcdMember>, bool> isDone, CancellationToken stop)
    {
        long begun = _clock.GetTimestamp();
        while (true)
        {
            EtcdMemberResult before = await ListAsync(stop).ConfigureAwait(false);
            if (before.Status != StoreStatus.Ok || isDone(before.Members))
            {
                return before;
            }

            EtcdAnswer answer = await _calls.WriteAsync(path, body, stop).ConfigureAwait(false);
            EtcdMemberResult after = await ListAsync(stop).ConfigureAwait(false);
            if (after.Status == StoreStatus.Ok && isDone(after.Members))
            {
                return after;
            }

            if (answer.WriteStatus != StoreStatus.Unavailable || stop.IsCancellationRequested
                || _clock.GetElapsedTime(begun) > HealthMax)
            {
                return answer.Kind == EtcdAnswerKind.Answered
                    ? new EtcdMemberResult(StoreStatus.Unknown, after.Members, after.Problem)
                    : new EtcdMemberResult(answer.WriteStatus, after.Members, answer.Problem);
            }

            await Task.Delay(Pause, _clock, stop).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }
}
