using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>What a client holds open over the network ends when its right does, with a reason.</summary>
public sealed class HeldConnectionTests
{
    /// <summary>More than the buffers of two ends of a connection hold.</summary>
    private const int Documents = 90;

    [Fact]
    [Trait("Security", "38")]
    public async Task Watching_changes_ends_with_the_reason_when_the_right_does()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.Read);
        using var socket = new ClientWebSocket();
        socket.Options.ClientCertificates.Add(certificate);
        socket.Options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        using var limit = Deadline.NewToken();
        var url = new UriBuilder(server.Host.Url) { Scheme = "wss", Path = "/databases/red/changes" };
        await socket.ConnectAsync(url.Uri, limit.Token);
        byte[] buffer = new byte[4096];
        Assert.Equal(WebSocketMessageType.Text, (await socket.ReceiveAsync(buffer, limit.Token)).MessageType);
        server.Trust.Certificates.Edit(
            TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ValidUser, Permissions.None);
        server.Look(2);
        Assert.Equal(WebSocketMessageType.Close, (await socket.ReceiveAsync(buffer, limit.Token)).MessageType);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, socket.CloseStatus);
        Assert.Contains("right Read", socket.CloseStatusDescription, StringComparison.Ordinal);
        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, limit.Token);
    }

    [Fact]
    [Trait("Security", "38")]
    public async Task A_bulk_insert_ends_with_the_reason_and_nothing_more_is_written()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.ReadWrite);
        using HttpClient client = server.Client(certificate);
        using var body = new OpenContent();
        using var request = new HttpRequestMessage(HttpMethod.Post, "/databases/red/bulk_insert")
        {
            Content = body,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };
        Task<HttpResponseMessage> sending = client.SendAsync(request);
        await body.WriteAsync("""[{"Id":"a","Type":"PUT","Document":{}}""");
        OperationRegistry operations = server.Host.State.Operations;
        await Deadline.UntilAsync(
            () => sending.IsCompleted || operations.All.Any(operation => operation.Processed == 1));
        Assert.False(sending.IsCompleted, $"{sending.Status} {sending.Exception} "
            + (sending.IsCompletedSuccessfully ? await (await sending).Content.ReadAsStringAsync() : ""));
        server.Trust.Certificates.Delete(TrustFixture.Local, certificate.Thumbprint);
        server.Look(2);
        using HttpResponseMessage answer = await sending.WaitAsync(Deadline.Hang);
        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.Contains("right ReadWrite", text, StringComparison.Ordinal);
        Assert.Contains("1 documents are in", text, StringComparison.Ordinal);
        body.End();
        Assert.True(server.Host.State.Databases.TryGet("red", out Database? red));
        using DocumentSnapshot snapshot = red!.BeginRead();
        Assert.Equal(1, snapshot.DocumentCount);
    }

    [Theory]
    [InlineData("/databases/red/streams/docs")]
    [InlineData("/databases/red/streams/queries?query=from%20%40all_docs")]
    [Trait("Security", "38")]
    public async Task A_stream_breaks_off_and_no_more_documents_are_sent(string target)
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.ReadWrite);
        using HttpClient client = server.Client(certificate);
        string text = new('x', 64 * 1024);
        string puts = string.Join(',', Enumerable.Range(0, Documents).Select(
            i => $"{{\"Type\":\"PUT\",\"Id\":\"{i}\",\"Document\":{{\"T\":\"{text}\"}}}}"));
        using (HttpResponseMessage put = await client.PostAsync(
            "/databases/red/bulk_docs", new StringContent($"{{\"Commands\":[{puts}]}}")))
        {
            Assert.True(put.IsSuccessStatusCode, await put.Content.ReadAsStringAsync());
        }

        // A reader that has stopped: what was sent so far fills what is between.
        using HttpResponseMessage answer = await client.GetAsync(target, HttpCompletionOption.ResponseHeadersRead);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        server.Trust.Certificates.Edit(
            TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ValidUser, Permissions.None);
        server.Look(2);
        await Assert.ThrowsAsync<HttpRequestException>(() => answer.Content.CopyToAsync(Stream.Null));
        using HttpResponseMessage again = await client.GetAsync(target);
        Assert.Equal(HttpStatusCode.Forbidden, again.StatusCode);
    }

    [Fact]
    [Trait("Security", "39")]
    public async Task The_next_request_of_an_open_HTTP2_connection_has_the_new_rights()
    {
        using var server = new TlsServer();
        using X509Certificate2 certificate = server.Register(DatabaseRight.Read);
        using HttpClient client = server.Client(certificate);
        client.DefaultRequestVersion = HttpVersion.Version20;
        client.DefaultVersionPolicy = HttpVersionPolicy.RequestVersionExact;
        for (int i = 0; i < 20; i++)
        {
            bool may = i % 2 == 0;
            server.Trust.Certificates.Edit(
                TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ValidUser,
                may ? SecuredServer.OnRed(DatabaseRight.Read) : Permissions.None);
            using HttpResponseMessage answer = await client.GetAsync("/databases/red/stats/essential");
            Assert.Equal(may ? HttpStatusCode.OK : HttpStatusCode.Forbidden, answer.StatusCode);
        }
    }
}
