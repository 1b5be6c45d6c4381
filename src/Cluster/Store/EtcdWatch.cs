using System.Runtime.CompilerServices;

namespace Raven.Cluster.Store;

/// <summary>A watch in etcd: one stream after the other, each from where the one before ended. One reader.</summary>
internal sealed class EtcdWatch
{
    private readonly EtcdCalls _calls;
    private readonly EtcdStoreOptions _options;
    private readonly string _prefix;
    private readonly CancellationToken _ended;
    private int _endpoint;

    internal EtcdWatch(EtcdCalls calls, EtcdStoreOptions options, string prefix, CancellationToken ended)
    {
        _calls = calls;
        _options = options;
        _prefix = prefix;
        _ended = ended;
    }

    internal async IAsyncEnumerable<StoreWatchBatch> RunAsync(
        long after, [EnumeratorCancellation] CancellationToken stop)
    {
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, _ended);
        _endpoint = Math.Max(0, _calls.Endpoints.ToList().IndexOf(_calls.Current));
        while (!either.IsCancellationRequested)
        {
            using EtcdWatchStream? stream = await OpenAsync(after + 1, either.Token).ConfigureAwait(false);
            while (stream is not null
                && await stream.NextAsync(_options.Root, after, either.Token).ConfigureAwait(false) is { } batch)
            {
                if (either.IsCancellationRequested)
                {
                    yield break;
                }

                after = Math.Max(after, batch.Revision);
                yield return batch;
                if (batch.Kind == StoreWatchKind.Compacted)
                {
                    yield break;
                }
            }

            // One that was only silent is begun again where it is: if its member hears nothing, the next one begins
            // elsewhere.
            if (stream is not { IsIdle: true })
            {
                _endpoint = (_endpoint + 1) % _calls.Endpoints.Count;
                await _calls.PauseAsync(either.Token).ConfigureAwait(false);
            }
        }
    }

    private async Task<EtcdWatchStream?> OpenAsync(long from, CancellationToken stop)
    {
        ReadOnlyMemory<byte> body = EtcdJson.Write(writer =>
        {
            writer.WriteStartObject("create_request");
            EtcdJson.Prefix(writer, _options.Root + _prefix);
            EtcdJson.Number(writer, "start_revision", from);
            writer.WriteBoolean("progress_notify", true);
            writer.WriteEndObject();
        });
        using var timeout = new CancellationTokenSource(_options.EndpointTimeout, _options.Clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, timeout.Token);
        (HttpResponseMessage? response, _) = await _calls.Endpoints[_endpoint]
            .OpenAsync("/v3/watch", body, either.Token).ConfigureAwait(false);
        if (response is null)
        {
            return null;
        }

        var stream = new EtcdWatchStream(response, _options);
        try
        {
            if (await stream.IsCreatedAsync(stop).ConfigureAwait(false))
            {
                return stream;
            }
        }
        catch (Exception lost) when (EtcdEndpoint.IsOfNetwork(lost))
        {
            // As if it had not been opened.
        }

        stream.Dispose();
        return null;
    }
}
