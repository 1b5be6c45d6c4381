using Raven.Cluster.Hosting;

namespace Raven.Server.Http.Cluster;

/// <summary>What this node has of one database of the cluster: how it sees the group, and its own part. Any thread.
/// </summary>
internal sealed class GroupEntry(string name)
{
    private TaskCompletionSource _changed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private GroupView? _view;

    /// <summary>The name of the database.</summary>
    internal string Name => name;

    /// <summary>The part of this node; null if it has none.</summary>
    internal ReplicaHost? Host { get; set; }

    /// <summary>Why this node has no part, though it should, or has files that are not the cluster's; null if nothing
    /// is wrong.</summary>
    internal string? Problem { get; set; }

    /// <summary>The group as it is known; null until it is, and when it is gone.</summary>
    internal GroupView? View => Volatile.Read(ref _view);

    /// <summary>Shows another view, and wakes those that wait for one.</summary>
    internal void Show(GroupView? view)
    {
        if (view is not null && view.HasSameState(View))
        {
            return;
        }

        Volatile.Write(ref _view, view);
        Interlocked.Exchange(ref _changed, new(TaskCreationOptions.RunContinuationsAsynchronously)).SetResult();
    }

    /// <summary>Waits until another view is shown.</summary>
    internal async ValueTask WaitAsync(GroupView? seen, CancellationToken cancellation)
    {
        while (ReferenceEquals(View, seen))
        {
            Task changed = Volatile.Read(ref _changed).Task;
            if (!ReferenceEquals(View, seen))
            {
                return;
            }

            await changed.WaitAsync(cancellation).ConfigureAwait(false);
        }
    }
}
