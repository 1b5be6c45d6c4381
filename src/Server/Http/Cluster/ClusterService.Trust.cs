using Raven.Cluster.Store;
using Raven.Security.Registry;

namespace Raven.Server.Http.Cluster;

// Who is trusted is the same on all nodes: a change is in the store before it counts on the node that makes it, and
// counts on the others when they have seen it. Without the store nobody changes anything, and all go on with what they
// know. The first node gives its identities to the cluster; one that joins takes those of the cluster, and keeps none
// of its own.

/// <summary>The identities of all nodes.</summary>
internal sealed partial class ClusterService
{
    private const string TrustName = "trust/";
    private const string TrustBegun = "trust-begun";
    private const string LocalTrust = "trust/";
    private const int RecordsAtOnce = 50;

    private static readonly TimeSpan ChangeMax = TimeSpan.FromSeconds(10);

    private readonly Dictionary<string, long> _trusted = new(StringComparer.Ordinal);

    private static string TrustPrefix => ClusterKeys.ServerOf(TrustName);

    /// <summary>Brings the identities of this node to those of the store.</summary>
    private async Task ApplyTrustAsync()
    {
        TrustRegistry trust = _state.Security.Trust;
        trust.Shared ??= Share;
        if (_store.Mirror.Find(ClusterKeys.ServerOf(TrustBegun)) is null)
        {
            await BeginTrustAsync().ConfigureAwait(false);
            return;
        }

        // Read before the store's: what is here, and was changed here, is in the mirror by then.
        string[] own = [.. _state.Databases.Records.Read(LocalTrust).Select(one => one.Key[LocalTrust.Length..])];
        List<TrustRecord> changes = [];
        HashSet<string> there = new(StringComparer.Ordinal);
        foreach ((string key, StoreEntry entry) in _store.Mirror.Entries)
        {
            if (key.StartsWith(TrustPrefix, StringComparison.Ordinal))
            {
                string name = key[TrustPrefix.Length..];
                there.Add(name);
                if (_trusted.GetValueOrDefault(name) != entry.ModRevision)
                {
                    _trusted[name] = entry.ModRevision;
                    changes.Add(new TrustRecord(name, entry.Value.ToArray()));
                }
            }
        }

        foreach (string name in own)
        {
            if (!there.Contains(name))
            {
                _trusted.Remove(name);
                changes.Add(new TrustRecord(name, null));
            }
        }

        if (changes.Count > 0)
        {
            trust.Take(changes);
        }
    }

    /// <summary>Gives the identities of this node to the cluster, as it has none.</summary>
    private async Task BeginTrustAsync()
    {
        List<StoreChange> changes = [.. _state.Databases.Records.Read(LocalTrust)
            .Select(one => new StoreChange(TrustPrefix + one.Key[LocalTrust.Length..], one.Value))];
        foreach (StoreChange[] some in changes.Chunk(RecordsAtOnce))
        {
            await _store.Store.TxnAsync(
                new StoreTxn([new StoreCondition(ClusterKeys.ServerOf(TrustBegun), 0)], some), _stop.Token)
                .ConfigureAwait(false);
        }

        await _store.Store.TxnAsync(
            StoreTxn.Put(ClusterKeys.ServerOf(TrustBegun), 0, "1"u8.ToArray()), _stop.Token).ConfigureAwait(false);
    }

    /// <summary>Writes a change to the store before it counts here. The caller holds the lock of the registry,
    /// and waits: such changes are rare.</summary>
    private string? Share(IReadOnlyList<TrustRecord> records)
    {
        using var late = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        late.CancelAfter(ChangeMax);
        StoreTxn change = new(
            [.. records.Select(one => new StoreCondition(
                TrustPrefix + one.Key, _store.Mirror.Find(TrustPrefix + one.Key)?.ModRevision ?? 0))],
            [.. records.Select(one => new StoreChange(TrustPrefix + one.Key, one.Json))]);
        StoreTxnResult done = Task.Run(async () =>
        {
            StoreTxnResult result = await _store.Store.TxnAsync(change, late.Token).ConfigureAwait(false);
            if (result is { Status: StoreStatus.Ok, Succeeded: true })
            {
                await _store.Mirror.WaitForAsync(result.Revision, late.Token).ConfigureAwait(false);
            }

            return result;
        }).GetAwaiter().GetResult();
        return done.Status == StoreStatus.Ok
            ? done.Succeeded ? null : "Another node has changed it meanwhile; try again."
            : done.Problem ?? "The store of the cluster cannot be reached.";
    }
}
