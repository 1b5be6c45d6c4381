using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using FastTests.Support;

namespace FastTests.Security;

/// <summary>A client over https that trusts one certificate, and may show one of its own.</summary>
internal sealed class SecureClient : IDisposable
{
    private readonly HttpClient _client;
    private int _connections;

    /// <param name="url">The url of the server.</param>
    /// <param name="authority">The certificate that it trusts.</param>
    /// <param name="own">The certificate that it shows, with its key; null for none.</param>
    /// <param name="at">The time at which it checks the server's certificate; now if null.</param>
    internal SecureClient(
        string url, X509Certificate2 authority, X509Certificate2? own = null, DateTimeOffset? at = null)
    {
        var policy = new X509ChainPolicy
        {
            TrustMode = X509ChainTrustMode.CustomRootTrust,
            RevocationMode = X509RevocationMode.NoCheck,
        };
        policy.CustomTrustStore.Add(authority);
        if (at is { } time)
        {
            policy.VerificationTime = time.UtcDateTime;
            policy.VerificationTimeIgnored = false;
        }

        var handler = new SocketsHttpHandler
        {
            SslOptions = new SslClientAuthenticationOptions
            {
                CertificateChainPolicy = policy,
                LocalCertificateSelectionCallback = own == null ? null : (_, _, _, _, _) => own,
            },
            ConnectCallback = async (context, cancel) =>
            {
                Interlocked.Increment(ref _connections);
                var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
                try
                {
                    await socket.ConnectAsync(context.DnsEndPoint, cancel);
                    return new NetworkStream(socket, ownsSocket: true);
                }
                catch
                {
                    socket.Dispose();
                    throw;
                }
            },
        };
        _client = new HttpClient(handler) { BaseAddress = new Uri(url), Timeout = Deadline.Hang };
    }

    /// <summary>How many connections it has made.</summary>
    internal int ConnectionCount => Volatile.Read(ref _connections);

    /// <summary>What it sends as Authorization; null for nothing.</summary>
    internal string? Authorization { get; init; }

    /// <summary>Sends a request; gives the status and the body of the answer.</summary>
    internal async Task<(int Status, string Body)> SendAsync(string method, string path, string? body = null)
    {
        using var request = new HttpRequestMessage(new HttpMethod(method), path)
        {
            Content = body == null ? null : new StringContent(body),
        };
        if (Authorization != null)
        {
            request.Headers.Add("Authorization", Authorization);
        }

        using HttpResponseMessage answer = await _client.SendAsync(request);
        return ((int)answer.StatusCode, await answer.Content.ReadAsStringAsync());
    }

    internal async Task<int> GetAsync(string path) => (await SendAsync("GET", path)).Status;

    public void Dispose() => _client.Dispose();
}
