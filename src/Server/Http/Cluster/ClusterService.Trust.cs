using Raven.Cluster.Store;
using Raven.Security.Registry;

namespace Raven.Server.Http.Cluster;

/// <summary>The identities, which all nodes share (SHARED-1).</summary>
internal sealed partial class ClusterService
{
    private const string TrustName = "trust/";
    private const string TrustBegun = "trust-begun";
    private const string LocalTrust = "trust/";
    private const int RecordsAtOnce = 50;

    private readonly Dictionary<string, long> _trusted = new(StringComparer.Ordinal);

    private static string TrustPrefix => ClusterKeys.ServerOf(TrustName);

    /// <summary>Brings the identities of this node to those of the store.</summary>
    private async Task ApplyTrustAsync()
    {
        TrustRegistry trust = _state.Security.Trust;
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
}
