using Raven.Cluster.Hosting;
using Raven.Documents;

namespace Raven.Server.Http.Cluster;

//   RELIEF-1  A primary whose disk has no room for writes hands over to a node that is in sync: that one takes
//             writes, and this one follows as long as it can.

/// <summary>Primaries that cannot write.</summary>
internal sealed partial class ClusterService
{
    private static readonly TimeSpan ReliefEvery = TimeSpan.FromSeconds(10);

    private readonly Dictionary<string, long> _relievedAt = new(StringComparer.OrdinalIgnoreCase);
    private Task _relieving = Task.CompletedTask;

    /// <summary>Looks for a database that has no room here for what is written. Nothing waits for it.</summary>
    private void Relieve()
    {
        if (!_relieving.IsCompleted)
        {
            return;
        }

        foreach (GroupEntry entry in _groups.Values)
        {
            if (entry is { Host: { } host, View: { Role: GroupRole.Primary } view }
                && _state.Databases.TryGet(entry.Name, out Database? database)
                && database.OpenStorage?.Space.Refusal is { } refusal
                && (!_relievedAt.TryGetValue(entry.Name, out long at)
                    || _state.Time.GetElapsedTime(at) >= ReliefEvery)
                && view.Nodes.FirstOrDefault(node => node.Role == GroupRole.Member && node.Node.IsAlive) is { } next)
            {
                _relievedAt[entry.Name] = _state.Time.GetTimestamp();
                ClusterLog.Relieved(_log, entry.Name, next.Node.Tag, refusal);
                _relieving = Task.Run(() => HandOverAsync(host, next.Node.Tag));
                return;
            }
        }
    }

    private async Task HandOverAsync(ReplicaHost host, string tag)
    {
        try
        {
            await host.HandOverAsync(tag, _stop.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            // The server stops.
        }
    }
}
