using System.Text;
using FastTests.Server;

namespace FastTests.Security;

/// <summary>A server with two databases, each with a document of its own.</summary>
public sealed class TwoDatabases : IAsyncLifetime
{
    private TestServer _server = null!;

    public async ValueTask InitializeAsync()
    {
        _server = new TestServer();
        foreach (string name in new[] { "red", "blue" })
        {
            await _server.SendAsync("PUT", $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}""");
            await _server.SendAsync("PUT", $"/databases/{name}/docs?id=a", $$"""{"Text":"canary-of-{{name}}"}""");
        }
    }

    public ValueTask DisposeAsync()
    {
        _server.Dispose();
        return ValueTask.CompletedTask;
    }

    internal (int Status, string Head, string Body) Send(
        string method, string target, string? header = null, bool isHead = false)
    {
        using var connection = new RawConnection(_server.Port);
        string line = header == null ? "" : header + "\r\n";
        connection.Send($"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{line}\r\n");
        return isHead ? (connection.ReceiveStatusOrClose() ?? 0, "", "") : connection.Receive();
    }

    /// <summary>Sends a request with a body, its target as it is.</summary>
    internal (int Status, string Head, string Body) SendBody(string method, string target, string body)
    {
        using var connection = new RawConnection(_server.Port);
        connection.Send(
            $"{method} {target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {Encoding.UTF8.GetByteCount(body)}\r\n"
            + $"Connection: close\r\n\r\n{body}");
        return connection.Receive();
    }
}
