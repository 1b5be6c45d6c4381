using System.Net;
using System.Text;
using FastTests.Support;
using Raven.Documents.Indexing;
using Raven.Server;
using Raven.Server.Options;

namespace FastTests.Server;

/// <summary>
/// A real server on a free loopback port, whose databases end with it, and a client for it; one per test or class.
/// </summary>
internal sealed class TestServer : IDisposable
{
    internal const string Database = "db";

    internal TestServer(Func<ServerOptions, ServerOptions>? configure = null)
    {
        var options = new ServerOptions
        {
            ServerUrl = new Uri("http://127.0.0.1:0"),
            RunInMemory = true,
            ShowStackTraces = true,
            DrainMax = TimeSpan.FromSeconds(2),
            Indexing = new IndexingOptions { StaleWaitMax = Deadline.Hang },
        };
        Host = ServerHost.Start(configure == null ? options : configure(options));
        Client = new HttpClient { BaseAddress = new Uri(Host.Url), Timeout = Deadline.Hang };
    }

    internal ServerHost Host { get; }

    internal HttpClient Client { get; }

    internal int Port => new Uri(Host.Url).Port;

    /// <summary>A server with the database <see cref="Database"/>.</summary>
    internal static async Task<TestServer> WithDatabaseAsync(Func<ServerOptions, ServerOptions>? configure = null)
    {
        var server = new TestServer(configure);
        (await server.SendAsync("PUT", "/admin/databases?name=db", "{\"DatabaseName\":\"db\"}"))
            .Expect(HttpStatusCode.Created);
        return server;
    }

    /// <summary>Sends a request and reads its answer.</summary>
    /// <param name="method">The method.</param>
    /// <param name="path">From the server's root; beginning with <c>~</c>, from the database's.</param>
    /// <param name="body">JSON, or null for none.</param>
    /// <param name="headers">Headers as <c>Name: value</c>.</param>
    internal Task<HttpAnswer> SendAsync(string method, string path, string? body = null, params string[] headers) =>
        SendAsync(
            method, path, body == null ? null : new StringContent(body, Encoding.UTF8, "application/json"), headers);

    internal async Task<HttpAnswer> SendAsync(string method, string path, HttpContent? body, params string[] headers)
    {
        string url = path.StartsWith('~') ? $"/databases/{Database}{path[1..]}" : path;
        using var request = new HttpRequestMessage(new HttpMethod(method), url) { Content = body };
        foreach (string header in headers)
        {
            string[] parts = header.Split(": ", 2);
            request.Headers.TryAddWithoutValidation(parts[0], parts[1]);
        }

        HttpResponseMessage message = await Client.SendAsync(request);
        return new HttpAnswer((int)message.StatusCode, message, await message.Content.ReadAsByteArrayAsync());
    }

    /// <summary>Writes a document and gives its change vector.</summary>
    internal async Task<string> PutAsync(string id, string json)
    {
        HttpAnswer answer = await SendAsync("PUT", $"~/docs?id={Uri.EscapeDataString(id)}", json);
        return (string)answer.Expect(HttpStatusCode.Created).Json["ChangeVector"]!;
    }

    /// <summary>A fresh PUT and GET work: what came before left the server well.</summary>
    internal async Task AssertServesAsync()
    {
        string id = $"check/{Guid.NewGuid():N}";
        await PutAsync(id, "{\"Alive\":true}");
        HttpAnswer answer = await SendAsync("GET", $"~/docs?id={id}");
        Assert.True((bool)answer.Expect(HttpStatusCode.OK).Json["Results"]![0]!["Alive"]!);
    }

    public void Dispose()
    {
        Client.Dispose();
        Host.Dispose();
    }
}
