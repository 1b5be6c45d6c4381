using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;
using Microsoft.Extensions.Logging;
using Raven.Cluster.Records;
using Raven.Cluster.Store;
using Raven.Security.Secrets;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Cluster;

//   CSEC-1  The key under which the cluster's secrets are sealed is in the store only as wrapped for each node
//           (WRAP-1). With certificates it is wrapped for a node whose public key is signed by one of the authority.
//   CSEC-2  A secret is written only together with the comparison that its key is still the one that seals: so no
//           secret under an older key comes after the key was replaced.
//           Like a server's own key it is made at the first need: a cluster without secrets has none.
//   CSEC-3  When a node is gone the key is replaced, all secrets are sealed anew, and then the older key is dropped.
//
//   server/node-keys/TAG       node-key: public, and certificate and signature where there are certificates
//   server/secrets/current     cluster-key: check
//   server/secrets/CHECK/TAG   wrapped-key: wrapped, for (SHA-256 of the public key)

/// <summary>The key of the cluster's secrets: made, given to each node, and replaced. One caller at a time, but for
/// <see cref="Keys"/> and <see cref="Unchanged"/>.</summary>
internal sealed class ClusterSecrets : IDisposable
{
    private const string NodeKeys = "node-keys/";
    private const string Wraps = "secrets/";
    private const int Format = 1;

    private static readonly TimeSpan GivenMax = TimeSpan.FromSeconds(5);

    private readonly ClusterStore _store;
    private readonly ServerSecurity _security;
    private readonly string _tag;
    private readonly ILogger _log;
    private readonly Dictionary<string, (long Revision, string Current)> _looked = new(StringComparer.Ordinal);
    private readonly Dictionary<string, (long Revision, byte[]? Public)> _nodes = new(StringComparer.Ordinal);
    private readonly HashSet<string> _told = new(StringComparer.Ordinal);
    private readonly Action _nudge;
    private readonly TaskCompletionSource _given = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private NodeKey? _own;
    private volatile bool _isWanted;
    private long _currentRevision;
    private string _clusterId = "";

    /// <param name="store">The store.</param>
    /// <param name="security">Has the key pair of this node, and its certificate.</param>
    /// <param name="tag">This node.</param>
    /// <param name="nudge">Has <see cref="ApplyAsync"/> called soon.</param>
    /// <param name="log">Told of what goes wrong.</param>
    internal ClusterSecrets(
        ClusterStore store, ServerSecurity security, string tag, Action nudge, ILogger log)
    {
        _nudge = nudge;
        Keys.Wanted = () =>
        {
            Want();
            _given.Task.Wait(GivenMax);
        };
        _store = store;
        _security = security;
        _tag = tag;
        _log = log;
    }

    /// <summary>The keys that this node has.</summary>
    internal SharedKeys Keys { get; } = new();

    private static string CurrentKey => ClusterKeys.ServerOf(Wraps + "current");

    private StoreMirror Mirror => _store.Mirror;

    /// <summary>What a transaction that writes a record compares, if it has secrets (CSEC-2).</summary>
    internal IEnumerable<StoreCondition> Unchanged(ReadOnlySpan<byte> record) =>
        record.IndexOf("\"$sealed\""u8) < 0
            ? []
            : [new StoreCondition(CurrentKey, Volatile.Read(ref _currentRevision))];

    /// <summary>What goes from the store with a node.</summary>
    internal static IEnumerable<StoreChange> Gone(string tag) =>
        [new StoreChange(ClusterKeys.ServerOf(NodeKeys + tag), null)];

    /// <summary>Has a key made if there is none. Any thread.</summary>
    internal void Want()
    {
        _isWanted = true;
        _nudge();
    }

    /// <summary>Takes the keys that were given to this node, and gives others what they lack.</summary>
    /// <param name="clusterId">The cluster.</param>
    /// <param name="stop">Ends it.</param>
    internal async Task ApplyAsync(string clusterId, CancellationToken stop)
    {
        _clusterId = clusterId;
        if (Mirror.Find(ClusterKeys.Node(_tag)) is null || (Mirror.Find(CurrentKey) is null && !_isWanted))
        {
            return;
        }

        _own ??= _security.NodeKey();
        await PublishAsync(stop).ConfigureAwait(false);
        if (Mirror.Find(CurrentKey) is null)
        {
            await BeginAsync(stop).ConfigureAwait(false);
        }

        Take();
        await GiveAsync(stop).ConfigureAwait(false);
    }

    /// <summary>Replaces the key if a node has it that is gone, and has all secrets sealed under that of now.</summary>
    /// <param name="stop">Ends it.</param>
    internal async Task KeepAsync(CancellationToken stop)
    {
        if (Keys.Current is not { } current)
        {
            return;
        }

        if (TagsWith(current).Any(tag => Mirror.Find(ClusterKeys.Node(tag)) is null))
        {
            await ReplaceAsync(stop).ConfigureAwait(false);
            return;
        }

        bool isDone = true;
        foreach ((string key, StoreEntry entry) in Mirror.Entries)
        {
            if (PlaceOf(key) is { } place && !IsLooked(entry, current))
            {
                isDone &= await SealAnewAsync(place, entry, current, stop).ConfigureAwait(false);
            }
        }

        if (isDone)
        {
            await DropOlderAsync(current, stop).ConfigureAwait(false);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Keys.Dispose();
        _own?.Dispose();
    }

    private bool IsLooked(StoreEntry entry, string current) =>
        _looked.TryGetValue(entry.Key, out (long Revision, string Current) seen)
        && seen == (entry.ModRevision, current);

    /// <summary>The name under which the secrets of a key's value are sealed; null if it has none.</summary>
    private static string? PlaceOf(string key) =>
        key == ClusterService.ServerWideKey ? RecordSecrets.ServerWide
        : ClusterKeys.TryReadDatabase(key, out string folded, out string part) && part == "record" ? folded
        : null;

    /// <summary>Says what others wrap keys for.</summary>
    private async Task PublishAsync(CancellationToken stop)
    {
        string key = ClusterKeys.ServerOf(NodeKeys + _tag);
        StoreEntry? there = Mirror.Find(key);
        X509Certificate2? certificate = _security.Certificate?.Current;
        if (there is not null && ContentOf(there, "node-key") is { } content
            && Text(content, "public") == Convert.ToBase64String(_own!.Public)
            && Text(content, "certificate") == (certificate is null
                ? null
                : Convert.ToBase64String(certificate.RawDataMemory.Span)))
        {
            return;
        }

        var made = new JsonObject { ["public"] = Convert.ToBase64String(_own!.Public) };
        if (certificate is not null)
        {
            made["certificate"] = Convert.ToBase64String(certificate.RawDataMemory.Span);
            made["signature"] = Convert.ToBase64String(Sign(certificate, SignedOf(_tag, _own.Public)));
        }

        await _store.Store.TxnAsync(
            StoreTxn.Put(key, there?.ModRevision ?? 0, RecordOf("node-key", made)), stop).ConfigureAwait(false);
    }

    private async Task BeginAsync(CancellationToken stop)
    {
        byte[] key = SharedKeys.Make();
        string check = SharedKeys.CheckOf(key);
        StoreTxn begin = new(
            [new StoreCondition(CurrentKey, 0)],
            [CurrentOf(check), WrapOf(check, key, _tag, _own!.Public)]);
        CryptographicOperations.ZeroMemory(key);
        StoreTxnResult done = await _store.Store.TxnAsync(begin, stop).ConfigureAwait(false);
        if (done is { Status: StoreStatus.Ok, Succeeded: true })
        {
            await Mirror.WaitForAsync(done.Revision, stop).ConfigureAwait(false);
        }
    }

    /// <summary>Takes what is wrapped for this node.</summary>
    private void Take()
    {
        foreach ((string check, string tag, StoreEntry entry) in All())
        {
            if (tag != _tag || Keys.Has(check))
            {
                continue;
            }

            try
            {
                byte[] key = _own!.Unwrap(
                    Convert.FromBase64String(Text(ContentOf(entry, "wrapped-key"), "wrapped") ?? ""),
                    ContextOf(check, _tag));
                if (SharedKeys.CheckOf(key) == check)
                {
                    Keys.Add(key);
                }
            }
            catch (Exception e) when (e is MasterKeyException or FormatException)
            {
                Tell($"The key {check} of the cluster's secrets cannot be taken: {e.Message}");
            }
        }

        // The key first: what is sealed under it before its revision is known is refused, and tried again.
        StoreEntry? current = Mirror.Find(CurrentKey);
        Keys.Use(current is null ? null : Text(ContentOf(current, "cluster-key"), "check"));
        Volatile.Write(ref _currentRevision, current?.ModRevision ?? 0);
        if (Keys.Current is not null)
        {
            _given.TrySetResult();
        }
    }

    /// <summary>Wraps each key that this node has for each node that lacks it.</summary>
    private async Task GiveAsync(CancellationToken stop)
    {
        (string Check, string Tag, StoreEntry Entry)[] all = [.. All()];
        foreach ((string tag, byte[] node) in Nodes())
        {
            foreach (string check in all.Select(each => each.Check).Distinct(StringComparer.Ordinal))
            {
                StoreEntry? there = Array.Find(all, each => each.Check == check && each.Tag == tag).Entry;
                if ((there is null || Text(ContentOf(there, "wrapped-key"), "for") != HashOf(node))
                    && Keys.Find(check) is { } key)
                {
                    await _store.Store.TxnAsync(
                        new StoreTxn(
                            [
                                new StoreCondition(WrapKey(check, tag), there?.ModRevision ?? 0),
                                new StoreCondition(
                                    ClusterKeys.Node(tag), Mirror.Find(ClusterKeys.Node(tag))?.ModRevision ?? 0),
                            ],
                            [WrapOf(check, key, tag, node)]), stop).ConfigureAwait(false);
                }
            }
        }
    }

    /// <summary>Another key, for the nodes that there are (CSEC-3).</summary>
    private async Task ReplaceAsync(CancellationToken stop)
    {
        byte[] key = SharedKeys.Make();
        string check = SharedKeys.CheckOf(key);
        List<StoreChange> changes = [CurrentOf(check)];
        changes.AddRange(Nodes().Select(node => WrapOf(check, key, node.Tag, node.Public)));
        CryptographicOperations.ZeroMemory(key);
        StoreTxnResult done = await _store.Store.TxnAsync(
            new StoreTxn([new StoreCondition(CurrentKey, Mirror.Find(CurrentKey)?.ModRevision ?? 0)], changes), stop)
            .ConfigureAwait(false);
        if (done is { Status: StoreStatus.Ok, Succeeded: true })
        {
            ClusterLog.KeyReplaced(_log, check);
            await Mirror.WaitForAsync(done.Revision, stop).ConfigureAwait(false);
            Take();
        }
    }

    /// <returns>False if it has secrets that are not sealed under the key of now.</returns>
    private async Task<bool> SealAnewAsync(string place, StoreEntry entry, string current, CancellationToken stop)
    {
        try
        {
            ReadOnlyMemory<byte> record = ClusterService.ContentOf(entry);
            if (_security.Secrets.ToShared(place, record) is not { } made)
            {
                _looked[entry.Key] = (entry.ModRevision, current);
                return true;
            }

            await _store.Store.TxnAsync(
                new StoreTxn(
                    [new StoreCondition(entry.Key, entry.ModRevision), .. Unchanged(made)],
                    [new StoreChange(entry.Key, ClusterService.WithContent(entry, made))]), stop)
                .ConfigureAwait(false);
        }
        catch (MasterKeyException e)
        {
            Tell($"A secret in '{entry.Key}' is not sealed under the cluster's key: {e.Message}");
        }

        return false;
    }

    private async Task DropOlderAsync(string current, CancellationToken stop)
    {
        foreach (IGrouping<string, (string Check, string Tag, StoreEntry Entry)> older in
            All().Where(each => each.Check != current).GroupBy(each => each.Check).ToArray())
        {
            await _store.Store.TxnAsync(
                new StoreTxn(
                    [.. older.Select(each => new StoreCondition(each.Entry.Key, each.Entry.ModRevision))],
                    [.. older.Select(each => new StoreChange(each.Entry.Key, null))]), stop).ConfigureAwait(false);
        }
    }

    private IEnumerable<(string Check, string Tag, StoreEntry Entry)> All()
    {
        string prefix = ClusterKeys.ServerOf(Wraps);
        foreach ((string key, StoreEntry entry) in Mirror.Entries)
        {
            if (key.StartsWith(prefix, StringComparison.Ordinal)
                && key[prefix.Length..].Split('/') is [var check, var tag])
            {
                yield return (check, tag, entry);
            }
        }
    }

    private IEnumerable<string> TagsWith(string check) =>
        All().Where(each => each.Check == check).Select(each => each.Tag);

    /// <summary>The nodes that have said what keys are wrapped for, and are what they say.</summary>
    private IEnumerable<(string Tag, byte[] Public)> Nodes()
    {
        foreach (string tag in Mirror.Entries.Keys.Where(
            key => key.StartsWith(ClusterKeys.Nodes, StringComparison.Ordinal)).Select(
            key => key[ClusterKeys.Nodes.Length..]).ToArray())
        {
            if (Mirror.Find(ClusterKeys.ServerOf(NodeKeys + tag)) is not { } entry)
            {
                continue;
            }

            if (!_nodes.TryGetValue(tag, out (long Revision, byte[]? Public) node)
                || node.Revision != entry.ModRevision)
            {
                _nodes[tag] = node = (entry.ModRevision, PublicOf(tag, ContentOf(entry, "node-key")));
            }

            if (node.Public is { } key)
            {
                yield return (tag, key);
            }
        }
    }

    /// <summary>The public key of a node; null if it is none, or not proven to be one.</summary>
    private byte[]? PublicOf(string tag, JsonObject? content)
    {
        try
        {
            byte[] key = Convert.FromBase64String(Text(content, "public") ?? "");
            _ = NodeKey.Wrap(key, [], []);
            if (_security.Certificate is null)
            {
                return key;
            }

            using X509Certificate2 certificate = X509CertificateLoader.LoadCertificate(
                Convert.FromBase64String(Text(content, "certificate") ?? ""));
            bool isOurs = NodeChain.IsOf(certificate, _store.Roots) && Verify(
                certificate, SignedOf(tag, key), Convert.FromBase64String(Text(content, "signature") ?? ""));
            if (!isOurs)
            {
                Tell($"Node {tag} has a key that no certificate of the nodes' authority has signed: it is given no "
                    + "secret.");
            }

            return isOurs ? key : null;
        }
        catch (Exception e) when (e is FormatException or CryptographicException or MasterKeyException)
        {
            Tell($"The key of node {tag} is of no use: {e.Message}");
            return null;
        }
    }

    private void Tell(string problem)
    {
        if (_told.Add(problem))
        {
            ClusterLog.SecretsProblem(_log, problem);
        }
    }

    private static byte[] Sign(X509Certificate2 certificate, byte[] data)
    {
        using ECDsa? curve = certificate.GetECDsaPrivateKey();
        using RSA? rsa = certificate.GetRSAPrivateKey();
        return curve?.SignData(data, HashAlgorithmName.SHA256)
            ?? rsa?.SignData(data, HashAlgorithmName.SHA256, RSASignaturePadding.Pss)
            ?? throw new MasterKeyException("The server's certificate has no RSA or ECDSA key.");
    }

    private static bool Verify(X509Certificate2 certificate, byte[] data, byte[] signature)
    {
        using ECDsa? curve = certificate.GetECDsaPublicKey();
        using RSA? rsa = certificate.GetRSAPublicKey();
        return curve?.VerifyData(data, signature, HashAlgorithmName.SHA256)
            ?? rsa?.VerifyData(data, signature, HashAlgorithmName.SHA256, RSASignaturePadding.Pss)
            ?? false;
    }

    private byte[] SignedOf(string tag, byte[] key) =>
        [.. Encoding.ASCII.GetBytes($"raven node key 1\n{_clusterId}\n{tag}\n"), .. key];

    private byte[] ContextOf(string check, string tag) =>
        Encoding.ASCII.GetBytes($"raven cluster key 1\n{_clusterId}\n{check}\n{tag}");

    private static string HashOf(byte[] key) => Convert.ToHexStringLower(SHA256.HashData(key));

    private static string WrapKey(string check, string tag) => ClusterKeys.ServerOf($"{Wraps}{check}/{tag}");

    private static StoreChange CurrentOf(string check) =>
        new(CurrentKey, RecordOf("cluster-key", new JsonObject { ["check"] = check }));

    private StoreChange WrapOf(string check, byte[] key, string tag, byte[] node) => new(
        WrapKey(check, tag),
        RecordOf("wrapped-key", new JsonObject
        {
            ["wrapped"] = Convert.ToBase64String(NodeKey.Wrap(node, key, ContextOf(check, tag))),
            ["for"] = HashOf(node),
        }));

    private static byte[] RecordOf(string kind, JsonObject content) =>
        new ServerRecord { Kind = kind, Format = Format, Content = content }.Write();

    private static JsonObject? ContentOf(StoreEntry entry, string kind) =>
        ServerRecord.TryRead(entry.Value.Span, out ServerRecord? record, out _) && record.Kind == kind
        && record.Format == Format
            ? record.Content
            : null;

    private static string? Text(JsonObject? content, string name) =>
        content?[name] is JsonValue value && value.TryGetValue(out string? text) ? text : null;
}
