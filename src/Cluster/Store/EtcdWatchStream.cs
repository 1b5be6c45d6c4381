using System.Text;
using System.Text.Json;

namespace Raven.Cluster.Store;

/// <summary>One stream of a watch: a JSON object a line. One thread at a time.</summary>
internal sealed class EtcdWatchStream : IDisposable
{
    private readonly HttpResponseMessage _response;
    private readonly EtcdStoreOptions _options;
    private StreamReader? _lines;

    internal EtcdWatchStream(HttpResponseMessage response, EtcdStoreOptions options)
    {
        _response = response;
        _options = options;
    }

    /// <summary>Whether it ended because nothing came for a while, and not because it failed.</summary>
    internal bool IsIdle { get; private set; }

    /// <summary>Waits until etcd says that it watches.</summary>
    internal async Task<bool> IsCreatedAsync(CancellationToken stop)
    {
        _lines = new StreamReader(
            await _response.Content.ReadAsStreamAsync(stop).ConfigureAwait(false), Encoding.UTF8);
        JsonElement? result = await ReadAsync(_options.EndpointTimeout, stop).ConfigureAwait(false);
        IsIdle = false;
        return result is { } created && EtcdJson.Bool(created, "created");
    }

    /// <summary>The next batch that says something new; null at the end of the stream.</summary>
    /// <param name="root">What all keys begin with.</param>
    /// <param name="after">The revision that the reader has.</param>
    /// <param name="stop">Ends it.</param>
    internal async Task<StoreWatchBatch?> NextAsync(string root, long after, CancellationToken stop)
    {
        try
        {
            while (await ReadAsync(_options.WatchIdleMax, stop).ConfigureAwait(false) is { } result)
            {
                if (EtcdJson.Bool(result, "canceled"))
                {
                    long first = EtcdJson.Number(result, "compact_revision");
                    return first > 0 ? new StoreWatchBatch(StoreWatchKind.Compacted, first, []) : null;
                }

                if (BatchOf(result, root, after) is { } batch)
                {
                    return batch;
                }
            }

            return null;
        }
        catch (Exception lost) when (EtcdEndpoint.IsOfNetwork(lost)
            || lost is InvalidOperationException or FormatException)
        {
            return null;
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _lines?.Dispose();
        _response.Dispose();
    }

    private static StoreWatchBatch? BatchOf(JsonElement result, string root, long after)
    {
        List<StoreChangeEvent> events = [];
        long revision = after;
        foreach (JsonElement each in EtcdJson.Items(result, "events"))
        {
            if (!each.TryGetProperty("kv", out JsonElement kv))
            {
                throw new JsonException("An event of a watch has no 'kv'.");
            }

            long at = EtcdJson.Number(kv, "mod_revision");
            revision = Math.Max(revision, at);
            if (at > after && EtcdJson.KeyOf(kv, root) is { } key)
            {
                bool isDeleted = EtcdJson.Text(each, "type") == "DELETE";
                events.Add(new StoreChangeEvent(key, isDeleted ? null : EtcdJson.EntryOf(kv, root), at));
            }
        }

        if (events.Count == 0 && !EtcdJson.Bool(result, "created"))
        {
            // A sign of progress: all up to its revision was sent.
            revision = Math.Max(revision, EtcdJson.RevisionOf(result));
        }

        return revision > after ? new StoreWatchBatch(StoreWatchKind.Changes, revision, events) : null;
    }

    /// <summary>The next line's result; null if there is none: the stream has ended, failed, or was silent.</summary>
    private async Task<JsonElement?> ReadAsync(TimeSpan limit, CancellationToken stop)
    {
        using var timeout = new CancellationTokenSource(limit, _options.Clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, timeout.Token);
        string? line;
        try
        {
            line = await _lines!.ReadLineAsync(either.Token).ConfigureAwait(false);
        }
        catch (OperationCanceledException)
        {
            IsIdle = !stop.IsCancellationRequested;
            return null;
        }

        if (line is null)
        {
            return null;
        }

        using JsonDocument document = JsonDocument.Parse(line);
        return document.RootElement.TryGetProperty("result", out JsonElement result) ? result.Clone() : null;
    }
}
