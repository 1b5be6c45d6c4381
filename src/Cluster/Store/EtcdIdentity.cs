namespace Raven.Cluster.Store;

/// <summary>
/// What must not change while a process runs: which cluster of etcd it is, and that its revision only rises. Endpoints
/// of another cluster are not used; a revision that goes back means that etcd was set back, and ends all use. Any
/// thread.
/// </summary>
internal sealed class EtcdIdentity
{
    private readonly Lock _gate = new();
    private string? _cluster;
    private long _revision;

    /// <summary>Why etcd is not used any more; null if it is.</summary>
    internal string? Fault { get; private set; }

    /// <summary>The highest revision that was answered: no later answer has a lower one.</summary>
    internal long Revision => Interlocked.Read(ref _revision);

    /// <summary>Why an endpoint is not used; null if it belongs to the cluster, of which the first one
    /// decides.</summary>
    internal string? ProblemOf(string cluster, Uri address)
    {
        lock (_gate)
        {
            _cluster ??= cluster;
            return _cluster == cluster
                ? null
                : $"{address} belongs to the etcd cluster {cluster}, the other endpoints to {_cluster}. Name "
                    + "endpoints of one cluster.";
        }
    }

    /// <summary>Takes the revision of an answer.</summary>
    /// <param name="revision">It.</param>
    /// <param name="floor">What was known before the call.</param>
    /// <returns>False if it went back.</returns>
    internal bool Take(long revision, long floor)
    {
        lock (_gate)
        {
            if (revision < floor)
            {
                Fault ??= $"The revision of etcd went back from {floor} to {revision}: it was set back to an older "
                    + "state. Nothing is read from it or written to it until this server is started again.";
                return false;
            }

            _revision = Math.Max(_revision, revision);
            return true;
        }
    }
}
