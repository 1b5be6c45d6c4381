using System.Text.Json;
using Raven.Cluster.Store;

namespace Raven.Cluster.Etcd;

/// <summary>
/// Looks after one member's room. A member over its quota lets etcd take nothing more: then the history is forgotten,
/// the file is made small, and the alarm is taken back if there is room again. Any thread.
/// </summary>
public sealed class EtcdKeeper : IDisposable
{
    private const int RoomPercent = 90;
    private static readonly TimeSpan AnswerMax = TimeSpan.FromSeconds(5);

    private readonly EtcdCalls _calls;
    private readonly TimeProvider _clock;
    private readonly long _quotaBytes;

    /// <param name="options">How etcd is reached; the member is the first endpoint, and no other is asked.</param>
    /// <param name="quotaBytes">Its quota.</param>
    public EtcdKeeper(EtcdStoreOptions options, long quotaBytes)
    {
        ArgumentNullException.ThrowIfNull(options);

        // To rewrite the file of 2 GB takes a while.
        _calls = new EtcdCalls(
            options with { Endpoints = [options.Endpoints[0]], CallTimeout = TimeSpan.FromMinutes(2) });
        _clock = options.Clock;
        _quotaBytes = quotaBytes;
    }

    /// <summary>Looks, and makes room if the quota is used up.</summary>
    /// <param name="full">Called if the quota is used up.</param>
    /// <param name="stop">Ends it.</param>
    public async Task<EtcdHealth> CheckAsync(Action? full = null, CancellationToken stop = default)
    {
        using var limit = new CancellationTokenSource(AnswerMax, _clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, limit.Token);
        EtcdHealth health = await StatusAsync(either.Token).ConfigureAwait(false);
        if (health.Version is null || !health.IsFull)
        {
            return health;
        }

        full?.Invoke();
        string problem = await ClearAsync(stop).ConfigureAwait(false)
            ?? "another member is full";
        EtcdHealth after = await StatusAsync(stop).ConfigureAwait(false);
        return after with
        {
            Problem = after.IsFull
                ? $"etcd is over its quota of {_quotaBytes} bytes and takes nothing more: {problem}"
                : after.Problem,
        };
    }

    /// <inheritdoc/>
    public void Dispose() => _calls.Dispose();

    private static bool IsFull(JsonElement alarms) => EtcdJson.Items(alarms, "alarms")
        .Any(each => EtcdJson.Text(each, "alarm") == "NOSPACE");

    private async Task<EtcdHealth> StatusAsync(CancellationToken stop)
    {
        EtcdAnswer status = await _calls.ReadAsync("/v3/maintenance/status", "{}"u8.ToArray(), stop)
            .ConfigureAwait(false);
        if (status.Body is not { } body)
        {
            return new EtcdHealth(null, false, 0, 0, false, status.Problem);
        }

        EtcdAnswer alarms = await _calls.ReadAsync("/v3/maintenance/alarm", """{"action":"GET"}"""u8.ToArray(), stop)
            .ConfigureAwait(false);
        bool hasLeader = EtcdJson.Text(body, "leader") is not ("" or "0");
        return new EtcdHealth(
            _calls.Current.Version, hasLeader, EtcdJson.Number(body, "dbSize"), EtcdJson.Number(body, "dbSizeInUse"),
            alarms.Body is { } all && IsFull(all),
            hasLeader ? alarms.Problem : "etcd has no leader: fewer than half of its members reach one another.");
    }

    /// <returns>Why there is no room yet; null if there is.</returns>
    private async Task<string?> ClearAsync(CancellationToken stop)
    {
        EtcdAnswer status = await _calls.ReadAsync("/v3/maintenance/status", "{}"u8.ToArray(), stop)
            .ConfigureAwait(false);
        if (status.Body is not { } before)
        {
            return status.Problem;
        }

        EtcdAnswer compacted = await _calls.WriteAsync(
            "/v3/kv/compaction",
            EtcdJson.Write(writer =>
            {
                EtcdJson.Number(writer, "revision", EtcdJson.RevisionOf(before));
                writer.WriteBoolean("physical", true);
            }),
            stop).ConfigureAwait(false);
        if (compacted.Kind != EtcdAnswerKind.Answered && !compacted.IsCompacted)
        {
            return compacted.Problem;
        }

        EtcdAnswer made = await _calls.WriteAsync("/v3/maintenance/defragment", "{}"u8.ToArray(), stop)
            .ConfigureAwait(false);
        EtcdAnswer after = await _calls.ReadAsync("/v3/maintenance/status", "{}"u8.ToArray(), stop)
            .ConfigureAwait(false);
        if (made.Kind != EtcdAnswerKind.Answered || after.Body is not { } body)
        {
            return made.Problem ?? after.Problem;
        }

        long size = EtcdJson.Number(body, "dbSize");
        if (size > _quotaBytes / 100 * RoomPercent)
        {
            return $"{size} bytes of keys are in use.";
        }

        EtcdAnswer ended = await _calls.WriteAsync(
            "/v3/maintenance/alarm",
            EtcdJson.Write(writer =>
            {
                writer.WriteString("action", "DEACTIVATE");
                writer.WriteString("memberID", EtcdJson.Text(EtcdJson.Header(body), "member_id"));
                writer.WriteString("alarm", "NOSPACE");
            }),
            stop).ConfigureAwait(false);
        return ended.Problem;
    }
}
