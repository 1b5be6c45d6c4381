using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Cluster.Records;
using Raven.Cluster.Store;
using Raven.Documents.Catalog;
using Raven.Documents.Indexing.Extensions;
using Raven.Security.Registry;
using Raven.Server.Http.Security;

namespace Raven.Server.Http.Cluster;

//   SHARED-1  What all nodes share (who is trusted, the configuration for clients, analyzers, sorters and tasks of all
//             databases) is changed in the store first, and counts on the node that changes it afterwards; on the
//             others when they have seen it. It waits for no database.
//   SHARED-2  Without the store nobody changes anything, and all go on with what they know.
//   SHARED-3  The first node gives the cluster what it has. One that joins takes what the cluster has, and keeps none
//             of its own.

/// <summary>What belongs to no database, and is the same on all nodes.</summary>
internal sealed partial class ClusterService
{
    /// <summary>The key of the tasks of backups of all databases.</summary>
    internal static readonly string ServerWideKey = StateOf("server-wide-tasks");

    private const string StateName = "state/";
    private const string StateBegun = "state-begun";
    private const string ClientName = "client-configuration";
    private const string AnalyzersName = "analyzers/";
    private const string SortersName = "sorters/";
    private const int StateFormat = 1;

    private static readonly TimeSpan ChangeMax = TimeSpan.FromSeconds(10);

    private readonly Lock _sharing = new();
    private readonly Dictionary<string, long> _taken = new(StringComparer.Ordinal);
    private long _takenExtensions = -1;

    /// <inheritdoc/>
    public void ShareClientConfiguration(byte[] json) => ShareState(
        [new(StateOf(ClientName), RecordOf(ClientName, (JsonObject)JsonNode.Parse(json)!))]);

    /// <inheritdoc/>
    public void ShareExtensions(IReadOnlyList<ExtensionSource> put, ExtensionKind kind, string? deleted) => ShareState(
    [
        .. put.Select(source => new StoreChange(
            KeyOf(source.Kind, source.Name),
            RecordOf("extension", new JsonObject { ["name"] = source.Name, ["code"] = source.Code }))),
        .. deleted is null ? (StoreChange[])[] : [new StoreChange(KeyOf(kind, deleted), null)],
    ]);

    /// <summary>The content of a value: of a record of the servers what it holds, else the value.</summary>
    internal static ReadOnlyMemory<byte> ContentOf(StoreEntry entry) =>
        entry.Key.StartsWith(ClusterKeys.Server, StringComparison.Ordinal)
        && ServerRecord.TryRead(entry.Value.Span, out ServerRecord? record, out _)
            ? JsonSerializer.SerializeToUtf8Bytes(record.Content)
            : entry.Value;

    /// <summary>The value with another content.</summary>
    internal static byte[] WithContent(StoreEntry entry, byte[] content) =>
        entry.Key.StartsWith(ClusterKeys.Server, StringComparison.Ordinal)
        && ServerRecord.TryRead(entry.Value.Span, out ServerRecord? record, out _)
            ? (record with { Content = (JsonObject)JsonNode.Parse(content)! }).Write()
            : content;

    /// <summary>Writes to the store, and waits until this node has seen it. Blocks: such changes are rare.</summary>
    private StoreTxnResult Write(StoreTxn change)
    {
        if (Absent is not null)
        {
            return new StoreTxnResult(
                StoreStatus.Unavailable, false, 0, [], Hindrance ?? "this node has not joined its cluster yet");
        }

        using var late = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        late.CancelAfter(ChangeMax);
        return Task.Run(async () =>
        {
            StoreTxnResult result = await _store.Store.TxnAsync(change, late.Token).ConfigureAwait(false);
            if (result.Status == StoreStatus.Ok)
            {
                await SeeAsync(result, late.Token).ConfigureAwait(false);
            }

            return result;
        }).GetAwaiter().GetResult();
    }

    /// <summary>Waits until what was done, or what was found to be otherwise, is what this node knows.</summary>
    private async Task SeeAsync(StoreTxnResult result, CancellationToken stop)
    {
        if (result.Succeeded)
        {
            await _store.Mirror.WaitForAsync(result.Revision, stop).ConfigureAwait(false);
        }
        else
        {
            await _store.Mirror.ConfirmAsync(stop).ConfigureAwait(false);
        }
    }

    /// <summary>What is thrown for a change that was not done, or perhaps not.</summary>
    private static BadRequestException Refusal(StoreTxnResult result) => result.Status switch
    {
        StoreStatus.Ok => new BadRequestException(
            409, ErrorType.Concurrency, "Nothing has changed: another node has changed it meanwhile; try again."),
        StoreStatus.Unknown => new BadRequestException(
            500, ErrorType.WaitTimeout,
            $"Perhaps it was done: the store of the cluster has not answered in time ({result.Problem}). Read it "
            + "before it is changed again."),
        StoreStatus.Refused => new BadRequestException(
            400, ErrorType.Argument, $"Nothing has changed: {result.Problem}"),
        _ => new BadRequestException(
            503, ErrorType.NoLeader,
            $"Nothing has changed: the store of the cluster cannot be written ({result.Problem})."),
    };

    private static string StateOf(string name) => ClusterKeys.ServerOf(StateName + name);

    private static string KeyOf(ExtensionKind kind, string name) => StateOf(
        (kind == ExtensionKind.Analyzer ? AnalyzersName : SortersName)
        + Uri.EscapeDataString(name.ToLowerInvariant()));

    private static byte[] RecordOf(string kind, JsonObject content) =>
        new ServerRecord { Kind = kind, Format = StateFormat, Content = content }.Write();

    /// <summary>Follows what all nodes share, in a loop of its own: no database can hold it up.</summary>
    private async Task FollowServerAsync()
    {
        while (!_stop.IsCancellationRequested)
        {
            try
            {
                await ApplyTrustAsync().ConfigureAwait(false);
                if (_node!.Hindrance is null)
                {
                    await KeepSecretsAsync().ConfigureAwait(false);
                }

                await ApplyStateAsync().ConfigureAwait(false);
            }
#pragma warning disable CA1031 // The node goes on with what it has; the failure is logged, and the next look is soon.
            catch (Exception e) when (!_stop.IsCancellationRequested)
#pragma warning restore CA1031
            {
                ClusterLog.ServerFailed(_log, e);
            }
            catch (OperationCanceledException) when (_stop.IsCancellationRequested)
            {
                return;
            }

            await PauseAsync(_serverNews).ConfigureAwait(false);
        }
    }

    /// <summary>One that takes no part any more says nothing of itself: it is not to get keys again.</summary>
    private async Task KeepSecretsAsync()
    {
        await KeepCertificateAsync().ConfigureAwait(false);
        await _secrets.ApplyAsync(_identity.ClusterId!, _stop.Token).ConfigureAwait(false);
        if (_node!.IsObserver)
        {
            await _secrets.KeepAsync(_stop.Token).ConfigureAwait(false);
        }
    }

    private async Task ApplyStateAsync()
    {
        if (_store.Mirror.Find(ClusterKeys.ServerOf(StateBegun)) is null)
        {
            await BeginStateAsync().ConfigureAwait(false);
            return;
        }

        Take(StateOf(ClientName), entry => _state.Databases.TakeClientConfiguration(
            entry is null ? null : ContentOf(entry).ToArray()));
        Take(ServerWideKey, entry =>
        {
            RecordSecrets.TakeServerWide(
                _state.Databases.Records, entry is null ? null : ContentOf(entry).ToArray());
            _state.Backups.Tasks.Wide.ReadAgain();
        });
        await TakeExtensionsAsync().ConfigureAwait(false);
    }

    /// <summary>Takes a value that is another one than this node has.</summary>
    private void Take(string key, Action<StoreEntry?> take)
    {
        lock (_sharing)
        {
            StoreEntry? entry = _store.Mirror.Find(key);
            if (!_taken.TryGetValue(key, out long revision) || revision != (entry?.ModRevision ?? 0))
            {
                take(entry);
                _taken[key] = entry?.ModRevision ?? 0;
            }
        }
    }

    private async Task TakeExtensionsAsync()
    {
        if (_state.Databases.Indexing is null)
        {
            return;
        }

        List<ExtensionSource> all = [];
        long revision = 0;
        foreach ((string key, StoreEntry entry) in _store.Mirror.Entries)
        {
            ExtensionKind? kind = key.StartsWith(StateOf(AnalyzersName), StringComparison.Ordinal)
                ? ExtensionKind.Analyzer
                : key.StartsWith(StateOf(SortersName), StringComparison.Ordinal) ? ExtensionKind.Sorter : null;
            if (kind is { } one && ServerRecord.TryRead(entry.Value.Span, out ServerRecord? record, out _)
                && record.Format == StateFormat && (string?)record.Content["name"] is { } name
                && (string?)record.Content["code"] is { } code)
            {
                all.Add(new ExtensionSource(one, name, code));
                revision = Math.Max(revision, entry.ModRevision);
            }
        }

        // A deletion changes the count, a change the revision; what was taken already is compared, and left as it is.
        long seen = (revision * 1_000_003) + all.Count;
        if (seen != _takenExtensions)
        {
            await ExtensionChanges.TakeAsync(_state.Databases, all).ConfigureAwait(false);
            _takenExtensions = seen;
        }
    }

    /// <summary>Gives what this node has to the cluster, as it has none (SHARED-3).</summary>
    private async Task BeginStateAsync()
    {
        byte[]? tasks = RecordSecrets.ReadServerWide(_state.Databases.Records);
        if (tasks is not null && _secrets.Keys.Current is null)
        {
            // They may have secrets, and this loop makes the key.
            _secrets.Want();
            return;
        }

        List<StoreChange> changes = [];
        if (_state.Databases.ClientConfiguration is { } client)
        {
            changes.Add(new(StateOf(ClientName), RecordOf(ClientName, (JsonObject)JsonNode.Parse(
                Documents.Settings.ClientConfiguration.Write(client.Etag, client.Json))!)));
        }

        if (tasks is not null)
        {
            byte[] made = _state.Security.Secrets.ToShared(RecordSecrets.ServerWide, tasks) ?? tasks;
            changes.Add(new(ServerWideKey, RecordOf("server-wide-tasks", (JsonObject)JsonNode.Parse(made)!)));
        }

        if (_state.Databases.Indexing is { } indexing)
        {
            changes.AddRange(((ExtensionKind[])[ExtensionKind.Analyzer, ExtensionKind.Sorter])
                .SelectMany(kind => indexing.Extensions.All(kind))
                .Select(source => new StoreChange(
                    KeyOf(source.Kind, source.Name),
                    RecordOf("extension", new JsonObject { ["name"] = source.Name, ["code"] = source.Code }))));
        }

        // One by one, as code may be long. Until the last one nobody takes any of them.
        string begun = ClusterKeys.ServerOf(StateBegun);
        foreach (StoreChange change in changes)
        {
            await _store.Store.TxnAsync(
                new StoreTxn([new StoreCondition(begun, 0)], [change]), _stop.Token).ConfigureAwait(false);
        }

        await _store.Store.TxnAsync(StoreTxn.Put(begun, 0, "1"u8.ToArray()), _stop.Token).ConfigureAwait(false);
    }

    /// <summary>Shares the tasks of backups of all databases, whose secrets are sealed.</summary>
    private void ShareServerWide(byte[] json) => ShareState(
        [new(ServerWideKey, RecordOf("server-wide-tasks", (JsonObject)JsonNode.Parse(json)!))], json);

    /// <summary>Writes values to the store, if this node has those that are there (SHARED-1).</summary>
    private void ShareState(IReadOnlyList<StoreChange> changes, byte[]? secrets = null)
    {
        lock (_sharing)
        {
            StoreTxnResult done = Write(new StoreTxn(
                [
                    .. changes.Select(change => new StoreCondition(change.Key, RevisionOf(change.Key))),
                    .. secrets is null ? [] : _secrets.Unchanged(secrets),
                ],
                changes));
            if (done is not { Status: StoreStatus.Ok, Succeeded: true })
            {
                throw Refusal(done);
            }

            foreach (StoreChange change in changes)
            {
                _taken[change.Key] = change.Value is null ? 0 : done.Revision;
            }
        }
    }

    private long RevisionOf(string key) => _taken.TryGetValue(key, out long revision)
        ? revision
        : _store.Mirror.Find(key)?.ModRevision ?? 0;

    /// <summary>Writes a change of who is trusted to the store before it counts here. The caller holds the lock of the
    /// registry, and waits.</summary>
    private string? Share(IReadOnlyList<TrustRecord> records)
    {
        StoreTxnResult done = Write(new StoreTxn(
            [.. records.Select(one => new StoreCondition(
                TrustPrefix + one.Key, _store.Mirror.Find(TrustPrefix + one.Key)?.ModRevision ?? 0))],
            [.. records.Select(one => new StoreChange(TrustPrefix + one.Key, one.Json))]));
        return done.Status == StoreStatus.Ok
            ? done.Succeeded ? null : "Another node has changed it meanwhile; try again."
            : done.Problem ?? "The store of the cluster cannot be reached.";
    }
}
