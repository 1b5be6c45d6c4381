using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Support;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>Workers over TLS: who they are says their certificate, and they end with its right.</summary>
public sealed class SubscriptionRightsTests
{
    [Fact]
    [Trait("Security", "15")]
    [Trait("Security", "38")]
    public async Task A_worker_ends_with_the_reason_when_its_right_does()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.ReadWrite);
        using HttpClient client = await WithSubscriptionAsync(server, certificate);
        JsonNode info = JsonNode.Parse(await client.GetStringAsync(
            "/info/remote-task/tcp?database=red&remote-task=mail"))!;
        await using TlsWorker worker = await TlsWorker.ConnectAsync(server, certificate);
        Assert.Equal(
            worker.ServerCertificate, Convert.FromBase64String((string)info["Certificate"]!));
        await worker.SendAsync(TlsWorker.Header + "{\"SubscriptionName\":\"mail\"}");
        Assert.Equal("Ok", (string?)(await worker.ReadAsync())["Status"]);
        Assert.Equal("Accepted", (string?)(await worker.ReadAsync())["Status"]);
        Narrow(server, certificate);
        server.Look(2);
        JsonNode end = await worker.ReadAsync();
        Assert.Equal("Error", (string?)end["Type"]);
        Assert.Contains("AuthorizationException", (string?)end["Exception"], StringComparison.Ordinal);
        Assert.Contains("ReadWrite", (string?)end["Message"], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "15")]
    [Trait("Security", "38")]
    public async Task A_right_that_ends_between_the_header_and_the_options_ends_the_worker()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.ReadWrite);
        using HttpClient client = await WithSubscriptionAsync(server, certificate);
        await using TlsWorker worker = await TlsWorker.ConnectAsync(server, certificate);
        await worker.SendAsync(TlsWorker.Header);
        Assert.Equal("Ok", (string?)(await worker.ReadAsync())["Status"]);
        Narrow(server, certificate);
        await worker.SendAsync("{\"SubscriptionName\":\"mail\"}");
        Assert.Equal("Accepted", (string?)(await worker.ReadAsync())["Status"]);
        server.Look(2);
        JsonNode end = await worker.ReadAsync();
        Assert.Contains("AuthorizationException", (string?)end["Exception"], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "15")]
    [Trait("Security", "38")]
    public async Task A_worker_over_a_WebSocket_needs_its_right_and_ends_with_the_reason_when_it_does()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.ReadWrite);
        using X509Certificate2 reader = server.Register(DatabaseRight.Read);
        using HttpClient client = await WithSubscriptionAsync(server, certificate);
        using var limit = Deadline.NewToken();
        using ClientWebSocket refused = WebSocketOf(reader);
        var url = new UriBuilder(server.Host.Url)
        {
            Scheme = "wss", Path = "/databases/red/subscriptions/ws", Query = "name=mail",
        };
        await Assert.ThrowsAsync<WebSocketException>(() => refused.ConnectAsync(url.Uri, limit.Token));
        Assert.Equal(HttpStatusCode.Forbidden, refused.HttpStatusCode);
        using ClientWebSocket socket = WebSocketOf(certificate);
        await socket.ConnectAsync(url.Uri, limit.Token);
        byte[] buffer = new byte[4096];
        ValueWebSocketReceiveResult received = await socket.ReceiveAsync(buffer.AsMemory(), limit.Token);
        Assert.Contains("Accepted", Encoding.UTF8.GetString(buffer, 0, received.Count), StringComparison.Ordinal);
        Narrow(server, certificate);
        server.Look(2);
        received = await socket.ReceiveAsync(buffer.AsMemory(), limit.Token);
        string end = Encoding.UTF8.GetString(buffer, 0, received.Count);
        Assert.Contains("AuthorizationException", end, StringComparison.Ordinal);
        Assert.Contains("ReadWrite", end, StringComparison.Ordinal);
        received = await socket.ReceiveAsync(buffer.AsMemory(), limit.Token);
        Assert.Equal(WebSocketMessageType.Close, received.MessageType);
        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, limit.Token);
    }

    [Theory]
    [InlineData("jsonl")]
    [InlineData("sse")]
    [Trait("Security", "38")]
    public async Task A_feed_ends_with_the_right_and_nothing_more_is_sent(string mode)
    {
        using var secured = new SecuredServer();
        using X509Certificate2 certificate = secured.Register("held", Clearance.ValidUser, DatabaseRight.Read);
        InMemoryRequest held = secured.Request(
            secured.Caller("held"), "GET", $"/databases/red/feed?mode={mode}");
        (_, Task done) = secured.Server.Begin(held);
        Assert.False(done.IsCompleted, held.Answer);
        secured.Narrow(certificate, DatabaseRight.None);
        secured.Clock.Ring(TimeSpan.FromMilliseconds(500));
        secured.Clock.Ring(TimeSpan.FromMilliseconds(500));
        Assert.True(held.WasAborted);
        await Task.WhenAny(done).WaitAsync(Deadline.Hang);
        Assert.Equal(201, secured.Send("O", "PUT", "/databases/red/docs?id=users/1", "{}").StatusCode);
        Assert.DoesNotContain("users/1", held.Answer, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "38")]
    public async Task A_stream_of_batches_ends_with_the_reason_when_the_right_does()
    {
        using var secured = new SecuredServer();
        using X509Certificate2 certificate = secured.Register("held", Clearance.ValidUser, DatabaseRight.ReadWrite);
        Assert.Equal(201, secured.Send(
            "W", "PUT", "/databases/red/subscriptions", "{\"Name\":\"mail\",\"Query\":\"from Users\"}").StatusCode);
        Assert.Equal(403, secured.Send("R", "GET", "/databases/red/subscriptions/stream?name=mail").StatusCode);
        InMemoryRequest held = secured.Request(
            secured.Caller("held"), "GET", "/databases/red/subscriptions/stream?name=mail");
        (_, Task done) = secured.Server.Begin(held);
        Assert.False(done.IsCompleted, held.Answer);
        secured.Narrow(certificate, DatabaseRight.Read);
        secured.Clock.Ring(TimeSpan.FromMilliseconds(500));
        secured.Clock.Ring(TimeSpan.FromMilliseconds(500));
        await done.WaitAsync(Deadline.Hang);
        Assert.False(held.WasAborted);
        Assert.Contains("event: error", held.Answer, StringComparison.Ordinal);
        Assert.Contains("AuthorizationException", held.Answer, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "15")]
    [Trait("Invariant", "SOCK-1")]
    public async Task Who_may_only_read_or_is_not_known_is_no_worker()
    {
        using var server = new TlsServer();
        using X509Certificate2 reader = server.Register(DatabaseRight.Read);
        using X509Certificate2 stranger = TestCertificates.Make("stranger");
        foreach (X509Certificate2? certificate in new[] { reader, stranger, null })
        {
            await using TlsWorker worker = await TlsWorker.ConnectAsync(server, certificate);
            await worker.SendAsync(TlsWorker.Header);
            JsonNode answer = await worker.ReadAsync();
            Assert.Equal("AuthorizationFailed", (string?)answer["Status"]);
            Assert.NotEmpty((string)answer["Message"]!);
            Assert.Equal(-1, await worker.ReadByteAsync());
        }
    }

    /// <summary>A client with the subscription "mail" in its database.</summary>
    private static async Task<HttpClient> WithSubscriptionAsync(TlsServer server, X509Certificate2 certificate)
    {
        HttpClient client = server.Client(certificate);
        using var definition = new StringContent("{\"Name\":\"mail\",\"Query\":\"from Users\"}");
        (await client.PutAsync("/databases/red/subscriptions", definition)).EnsureSuccessStatusCode();
        return client;
    }

    /// <summary>Leaves the identity the right to read.</summary>
    private static void Narrow(TlsServer server, X509Certificate2 certificate) => server.Trust.Certificates.Edit(
        TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ValidUser,
        SecuredServer.OnRed(DatabaseRight.Read));

    private static ClientWebSocket WebSocketOf(X509Certificate2 certificate)
    {
        var socket = new ClientWebSocket();
        socket.Options.ClientCertificates.Add(certificate);
        socket.Options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        socket.Options.CollectHttpResponseDetails = true;
        return socket;
    }
}
