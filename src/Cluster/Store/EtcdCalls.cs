using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;

namespace Raven.Cluster.Store;

/// <summary>Calls of etcd's gateway, which go from one endpoint to the next as one fails. Any thread.</summary>
internal sealed class EtcdCalls : IDisposable
{
    private const int KeepAliveSeconds = 2;
    private const int KeepAliveProbes = 2;

    private readonly EtcdStoreOptions _options;
    private readonly HttpClient _http;
    private readonly EtcdEndpoint[] _endpoints;
    private int _current;

    internal EtcdCalls(EtcdStoreOptions options, HttpMessageHandler? handler = null)
    {
        _options = options;
        _http = new HttpClient(handler ?? HandlerOf(options)) { Timeout = Timeout.InfiniteTimeSpan };
        _endpoints = [.. options.Endpoints.Select(each => new EtcdEndpoint(_http, Identity, each))];
    }

    internal EtcdIdentity Identity { get; } = new();

    /// <summary>The endpoint that is asked first.</summary>
    internal EtcdEndpoint Current => _endpoints[Volatile.Read(ref _current)];

    internal IReadOnlyList<EtcdEndpoint> Endpoints => _endpoints;

    /// <summary>A call that only reads: each endpoint is asked until one answers.</summary>
    internal Task<EtcdAnswer> ReadAsync(string path, ReadOnlyMemory<byte> body, CancellationToken stop) =>
        CallAsync(path, body, static answer => answer.IsWorthAnother, stop);

    /// <summary>A call that changes something: another endpoint is asked only if it surely was not sent.</summary>
    internal Task<EtcdAnswer> WriteAsync(string path, ReadOnlyMemory<byte> body, CancellationToken stop) =>
        CallAsync(
            path, body, static answer => answer.Kind is EtcdAnswerKind.NotSent or EtcdAnswerKind.Unfit, stop);

    /// <summary>The next endpoint is asked first, if the one that failed is the one that was.</summary>
    internal void Failed(EtcdEndpoint endpoint)
    {
        int current = Volatile.Read(ref _current);
        if (ReferenceEquals(_endpoints[current], endpoint))
        {
            Interlocked.CompareExchange(ref _current, (current + 1) % _endpoints.Length, current);
        }
    }

    internal async Task PauseAsync(CancellationToken stop) =>
        await Task.Delay(_options.RetryPause, _options.Clock, stop)
            .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);

    /// <inheritdoc/>
    public void Dispose() => _http.Dispose();

    private static SocketsHttpHandler HandlerOf(EtcdStoreOptions options) => new()
    {
        UseProxy = false,
        UseCookies = false,
        AllowAutoRedirect = false,
        ConnectTimeout = options.EndpointTimeout,
        PooledConnectionLifetime = TimeSpan.FromMinutes(10),
        SslOptions = TlsOf(options),
        ConnectCallback = async (context, stop) =>
        {
            var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            try
            {
                // A peer that is cut off says nothing: the system finds out, for watches that wait.
                socket.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.KeepAlive, true);
                socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveTime, KeepAliveSeconds);
                socket.SetSocketOption(SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveInterval, KeepAliveSeconds);
                socket.SetSocketOption(
                    SocketOptionLevel.Tcp, SocketOptionName.TcpKeepAliveRetryCount, KeepAliveProbes);
                await socket.ConnectAsync(context.DnsEndPoint, stop).ConfigureAwait(false);
                return new NetworkStream(socket, ownsSocket: true);
            }
            catch
            {
                socket.Dispose();
                throw;
            }
        },
    };

    private static SslClientAuthenticationOptions TlsOf(EtcdStoreOptions options)
    {
        var tls = new SslClientAuthenticationOptions();
        if (options.ClientCertificate is { } certificate)
        {
            tls.LocalCertificateSelectionCallback = (_, _, _, _, _) => certificate()!;
        }

        if (options.TrustedRoots is { } roots)
        {
            var policy = new X509ChainPolicy
            {
                TrustMode = X509ChainTrustMode.CustomRootTrust,
                RevocationMode = X509RevocationMode.NoCheck,
            };
            policy.CustomTrustStore.AddRange(roots);
            tls.CertificateChainPolicy = policy;
        }

        return tls;
    }

    private async Task<EtcdAnswer> CallAsync(
        string path, ReadOnlyMemory<byte> body, Func<EtcdAnswer, bool> isWorthAnother, CancellationToken stop)
    {
        long begun = _options.Clock.GetTimestamp();
        int unfit = 0;
        EtcdAnswer? last = null;
        for (int tried = 1; ; tried++)
        {
            EtcdEndpoint endpoint = Current;
            EtcdAnswer answer = await OnceAsync(endpoint, path, body, begun, stop).ConfigureAwait(false);
            if (!isWorthAnother(answer))
            {
                return answer;
            }

            Failed(endpoint);
            unfit = answer.Kind == EtcdAnswerKind.Unfit ? unfit + 1 : 0;
            if (unfit == _endpoints.Length)
            {
                return answer;
            }

            last = unfit > 0 ? last ?? answer : answer;
            if (stop.IsCancellationRequested || _options.Clock.GetElapsedTime(begun) >= _options.CallTimeout)
            {
                // Of an endpoint that is not to be used is told only if there is no other.
                return last;
            }

            if (tried % _endpoints.Length == 0)
            {
                await PauseAsync(stop).ConfigureAwait(false);
            }
        }
    }

    private async Task<EtcdAnswer> OnceAsync(
        EtcdEndpoint endpoint, string path, ReadOnlyMemory<byte> body, long begun, CancellationToken stop)
    {
        TimeSpan left = _options.CallTimeout - _options.Clock.GetElapsedTime(begun);
        TimeSpan limit = _endpoints.Length > 1 && _options.EndpointTimeout < left ? _options.EndpointTimeout : left;
        if (limit <= TimeSpan.Zero)
        {
            return new EtcdAnswer(EtcdAnswerKind.NotSent, null, Problem: $"{endpoint.Address}: no answer in time");
        }

        using var timeout = new CancellationTokenSource(limit, _options.Clock);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(stop, timeout.Token);
        try
        {
            return await endpoint.PostAsync(path, body, either.Token).ConfigureAwait(false);
        }
        catch (Exception odd) when (odd is InvalidOperationException or JsonException or ObjectDisposedException)
        {
            return new EtcdAnswer(EtcdAnswerKind.Lost, null, Problem: $"{endpoint.Address}: {odd.Message}");
        }
    }
}
