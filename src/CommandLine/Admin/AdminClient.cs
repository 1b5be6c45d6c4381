using System.Net.Http.Headers;
using System.Net.Sockets;
using System.Text;
using System.Text.Json.Nodes;
using Raven.CommandLine.Import.Server;

namespace Raven.CommandLine.Admin;

/// <summary>Talks to the server of this machine over its local socket.</summary>
internal sealed class AdminClient : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(5);

    private readonly HttpClient _http;

    /// <summary>Makes a client; it connects with its first request.</summary>
    /// <param name="path">The socket.</param>
    /// <param name="limit">The longest time of a request; five minutes if null.</param>
    internal AdminClient(string path, TimeSpan? limit = null)
    {
        Path = path;
        _http = new HttpClient(new SocketsHttpHandler
        {
            ConnectCallback = async (_, cancelled) => await ConnectAsync(path, cancelled),
            UseProxy = false,
        })
        {
            // The name is only a header here: the socket is what is called.
            BaseAddress = new Uri("http://localhost"),
            Timeout = limit ?? Limit,
        };
    }

    /// <summary>The socket.</summary>
    internal string Path { get; }

    /// <summary>Whether a server listens there.</summary>
    internal static async Task<bool> AnswersAsync(string path)
    {
        try
        {
            await using NetworkStream connected = await ConnectAsync(path, CancellationToken.None);
            return true;
        }
        catch (Exception e) when (e is SocketException or ArgumentException)
        {
            return false;
        }
    }

    /// <summary>What a route answers.</summary>
    /// <exception cref="ServerException">The server refused.</exception>
    internal async Task<JsonNode> GetAsync(string path)
    {
        using HttpResponseMessage answer = await SendAsync(HttpMethod.Get, path);
        return await ReadAsync(answer);
    }

    /// <summary>Sends a request.</summary>
    /// <param name="method">Its method.</param>
    /// <param name="path">Its path and query.</param>
    /// <param name="body">Its body; null for none.</param>
    /// <param name="isFailureWanted">Whether an answer that says of a failure is given back, too.</param>
    /// <exception cref="ServerException">The server refused.</exception>
    internal async Task<HttpResponseMessage> SendAsync(
        HttpMethod method, string path, JsonNode? body = null, bool isFailureWanted = false)
    {
        using var request = new HttpRequestMessage(method, path);
        if (body is not null)
        {
            request.Content = new ByteArrayContent(Encoding.UTF8.GetBytes(body.ToJsonString()));
            request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/json");
        }

        HttpResponseMessage answer = await _http.SendAsync(request);
        return answer.IsSuccessStatusCode || isFailureWanted ? answer : throw await ServerException.FromAsync(answer);
    }

    /// <summary>The body of an answer.</summary>
    internal static async Task<JsonNode> ReadAsync(HttpResponseMessage answer) =>
        JsonNode.Parse(await answer.Content.ReadAsStringAsync()) ?? new JsonObject();

    public void Dispose() => _http.Dispose();

    private static async Task<NetworkStream> ConnectAsync(string path, CancellationToken cancelled)
    {
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        try
        {
            await socket.ConnectAsync(new UnixDomainSocketEndPoint(path), cancelled);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
