using System.Text.Json;

namespace Raven.Cluster.Store;

/// <summary>
/// The store in etcd, by the JSON gateway of its endpoints (docs/decisions/0031). A transaction is sent once, so that
/// its outcome may be unknown: <see cref="CertainStore"/> around it finds out. Any thread.
/// </summary>
public sealed class EtcdStore : IClusterStore
{
    private const int PageCount = 500;
    private const int BadReadsMax = 3;

    private readonly EtcdStoreOptions _options;
    private readonly EtcdCalls _calls;
    private readonly CancellationTokenSource _ended = new();

    /// <param name="options">Where etcd is.</param>
    /// <exception cref="ArgumentException">The options are wrong; the message says how.</exception>
    public EtcdStore(EtcdStoreOptions options)
        : this(options, null)
    {
    }

    internal EtcdStore(EtcdStoreOptions options, HttpMessageHandler? handler)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (options.ProblemOf() is { } problem)
        {
            throw new ArgumentException(problem, nameof(options));
        }

        _options = options;
        _calls = new EtcdCalls(options, handler);
    }

    /// <inheritdoc/>
    public string Kind => "etcd";

    /// <summary>The highest revision that it has answered.</summary>
    public long Revision => _calls.Identity.Revision;

    /// <summary>The calls, for what keeps etcd itself.</summary>
    internal EtcdCalls Calls => _calls;

    /// <inheritdoc/>
    public async ValueTask<StoreGetResult> GetAsync(string key, CancellationToken stop = default)
    {
        if (StoreTxn.ProblemOfKey(key) is { } problem)
        {
            return new StoreGetResult(StoreStatus.Refused, null, 0, problem);
        }

        long floor = _calls.Identity.Revision;
        EtcdAnswer answer = await ReadAsync(
            "/v3/kv/range", EtcdJson.Write(writer => EtcdJson.Key(writer, _options.Root + key)), stop)
            .ConfigureAwait(false);
        if (answer.Body is not { } body)
        {
            return new StoreGetResult(StatusOf(answer, stop), null, 0, answer.Problem);
        }

        return Parsed(
            () =>
            {
                long revision = EtcdJson.RevisionOf(body);
                return _calls.Identity.Take(revision, floor)
                    ? new StoreGetResult(
                        StoreStatus.Ok, Entries(body).FirstOrDefault(), revision)
                    : new StoreGetResult(StoreStatus.Refused, null, 0, _calls.Identity.Fault);
            },
            why => new StoreGetResult(StoreStatus.Unavailable, null, 0, why));
    }

    /// <inheritdoc/>
    public async ValueTask<StoreRangeResult> RangeAsync(string prefix, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        for (int tried = 1; ; tried++)
        {
            (StoreRangeResult result, bool isAgain) = await PagesAsync(prefix, stop).ConfigureAwait(false);
            if (!isAgain || tried == BadReadsMax)
            {
                return result;
            }
        }
    }

    /// <inheritdoc/>
    public async ValueTask<StoreTxnResult> TxnAsync(StoreTxn txn, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(txn);
        if (txn.ProblemOf() is { } problem)
        {
            return new StoreTxnResult(StoreStatus.Refused, false, 0, [], problem);
        }

        if (stop.IsCancellationRequested)
        {
            return new StoreTxnResult(StoreStatus.Cancelled, false, 0, [], "The call was called off.");
        }

        long floor = _calls.Identity.Revision;
        EtcdAnswer answer = await WriteAsync("/v3/kv/txn", EtcdTxn.Write(txn, _options.Root), stop)
            .ConfigureAwait(false);
        if (answer.Body is not { } body)
        {
            StoreStatus status = answer.WriteStatus == StoreStatus.Unavailable && stop.IsCancellationRequested
                ? StoreStatus.Cancelled
                : answer.WriteStatus;
            return new StoreTxnResult(status, false, 0, [], answer.Problem);
        }

        return Parsed(
            () => _calls.Identity.Take(EtcdJson.RevisionOf(body), floor)
                ? EtcdTxn.Read(body, _options.Root)
                : new StoreTxnResult(StoreStatus.Unknown, false, 0, [], _calls.Identity.Fault),
            why => new StoreTxnResult(StoreStatus.Unknown, false, 0, [], why));
    }

    /// <inheritdoc/>
    public IAsyncEnumerable<StoreWatchBatch> WatchAsync(
        string prefix, long afterRevision, CancellationToken stop = default)
    {
        ArgumentNullException.ThrowIfNull(prefix);
        return new EtcdWatch(_calls, _options, prefix, _ended.Token).RunAsync(afterRevision, stop);
    }

    /// <inheritdoc/>
    public async ValueTask<StoreLeaseResult> GrantAsync(TimeSpan timeToLive, CancellationToken stop = default)
    {
        if (StoreLimits.ProblemOfLease(timeToLive) is { } problem)
        {
            return new StoreLeaseResult(StoreStatus.Refused, 0, default, problem);
        }

        EtcdAnswer answer = await WriteAsync(
            "/v3/lease/grant",
            EtcdJson.Write(writer => EtcdJson.Number(writer, "TTL", (long)timeToLive.TotalSeconds)), stop)
            .ConfigureAwait(false);
        return LeaseOf(answer, answer.Body, 0, stop);
    }

    /// <inheritdoc/>
    public async ValueTask<StoreLeaseResult> KeepAliveAsync(long lease, CancellationToken stop = default)
    {
        // Repeated without harm.
        EtcdAnswer answer = await ReadAsync("/v3/lease/keepalive", IdOf(lease), stop).ConfigureAwait(false);
        return LeaseOf(
            answer,
            answer.Body is { } body && body.TryGetProperty("result", out JsonElement result) ? result : answer.Body,
            lease, stop);
    }

    /// <inheritdoc/>
    public async ValueTask<StoreLeaseResult> RevokeAsync(long lease, CancellationToken stop = default)
    {
        EtcdAnswer answer = await WriteAsync("/v3/lease/revoke", IdOf(lease), stop).ConfigureAwait(false);
        StoreStatus status = answer.WriteStatus == StoreStatus.Unavailable && stop.IsCancellationRequested
            ? StoreStatus.Cancelled
            : answer.WriteStatus;
        return new StoreLeaseResult(status, lease, default, answer.Problem);
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync().ConfigureAwait(false);
        _calls.Dispose();
    }

    private static ReadOnlyMemory<byte> IdOf(long lease) =>
        EtcdJson.Write(writer => EtcdJson.Number(writer, "ID", lease));

    /// <summary>Reads an answer; one that is not what etcd answers is as good as none.</summary>
    private static T Parsed<T>(Func<T> read, Func<string, T> odd)
    {
        try
        {
            return read();
        }
        catch (Exception wrong) when (wrong is JsonException or InvalidOperationException or FormatException)
        {
            return odd($"An answer of etcd cannot be read: {wrong.Message}");
        }
    }

    private static StoreStatus StatusOf(EtcdAnswer answer, CancellationToken stop) =>
        answer.ReadStatus == StoreStatus.Unavailable && stop.IsCancellationRequested
            ? StoreStatus.Cancelled
            : answer.ReadStatus;

    private static StoreLeaseResult LeaseOf(
        EtcdAnswer answer, JsonElement? body, long lease, CancellationToken stop)
    {
        if (body is not { } found)
        {
            return new StoreLeaseResult(
                lease == 0 && answer.ReadStatus == StoreStatus.Unavailable && !stop.IsCancellationRequested
                    ? answer.WriteStatus
                    : StatusOf(answer, stop),
                lease, default, answer.Problem);
        }

        return Parsed(
            () =>
            {
                long id = EtcdJson.Number(found, "ID");
                long seconds = EtcdJson.Number(found, "TTL");
                return seconds > 0
                    ? new StoreLeaseResult(StoreStatus.Ok, id, TimeSpan.FromSeconds(seconds))
                    : new StoreLeaseResult(StoreStatus.LeaseGone, id, default, $"The lease {id} is not there.");
            },
            why => new StoreLeaseResult(StoreStatus.Unavailable, lease, default, why));
    }

    private async Task<EtcdAnswer> ReadAsync(string path, ReadOnlyMemory<byte> body, CancellationToken stop)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, _ended.Token);
        return await _calls.ReadAsync(path, body, either.Token).ConfigureAwait(false);
    }

    private async Task<EtcdAnswer> WriteAsync(string path, ReadOnlyMemory<byte> body, CancellationToken stop)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, _ended.Token);
        return await _calls.WriteAsync(path, body, either.Token).ConfigureAwait(false);
    }

    /// <summary>Reads a range page by page, all of one revision.</summary>
    /// <returns>What was read, and whether it is to be read again: the revision was compacted between two
    /// pages.</returns>
    private async Task<(StoreRangeResult Result, bool IsAgain)> PagesAsync(string prefix, CancellationToken stop)
    {
        List<StoreEntry> all = [];
        long floor = _calls.Identity.Revision;
        long revision = 0;
        string? from = null;
        while (true)
        {
            EtcdAnswer answer = await ReadAsync("/v3/kv/range", PageOf(prefix, from, revision), stop)
                .ConfigureAwait(false);
            if (answer.Body is not { } body)
            {
                return (
                    new StoreRangeResult(StatusOf(answer, stop), [], 0, answer.Problem),
                    answer.Kind == EtcdAnswerKind.Error && answer.IsCompacted);
            }

            try
            {
                long found = EtcdJson.RevisionOf(body);
                if (!_calls.Identity.Take(found, floor))
                {
                    return (new StoreRangeResult(StoreStatus.Refused, [], 0, _calls.Identity.Fault), false);
                }

                revision = revision == 0 ? found : revision;
                all.AddRange(Entries(body));
                if (!EtcdJson.Bool(body, "more"))
                {
                    return (new StoreRangeResult(StoreStatus.Ok, all, revision), false);
                }

                from = _options.Root + all[^1].Key + '\0';
            }
            catch (Exception wrong) when (wrong is JsonException or InvalidOperationException or FormatException)
            {
                return (
                    new StoreRangeResult(
                        StoreStatus.Unavailable, [], 0, $"An answer of etcd cannot be read: {wrong.Message}"),
                    false);
            }
        }
    }

    private ReadOnlyMemory<byte> PageOf(string prefix, string? from, long revision) => EtcdJson.Write(writer =>
    {
        EtcdJson.Prefix(writer, _options.Root + prefix, from);
        EtcdJson.Number(writer, "limit", PageCount);
        if (revision != 0)
        {
            EtcdJson.Number(writer, "revision", revision);
        }
    });

    private IEnumerable<StoreEntry> Entries(JsonElement body) =>
        EtcdJson.Items(body, "kvs").Select(kv => EtcdJson.EntryOf(kv, _options.Root)).OfType<StoreEntry>();
}
