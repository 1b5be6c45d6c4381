using System.Globalization;
using System.Net;
using System.Net.WebSockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Operations;
using Raven.Security.Rights;

namespace FastTests.Security;

/// <summary>
/// Requests that a follower passes on to the primary, over TLS and HTTP/2 with the certificates of the nodes: what ends
/// a right on one server does so here, by what the primary knows.
/// </summary>
[Trait("Invariant", "FWD-5")]
public sealed class ForwardedRightsTests
{
    /// <summary>More than the buffers of the ends of two connections hold.</summary>
    private const int Documents = 200;

    [Fact]
    [Trait("Invariant", "FWD-1")]
    public async Task A_write_at_a_follower_is_done_by_the_primary_as_that_of_its_client()
    {
        using var nodes = new TlsNodes();
        using HttpClient writer = nodes.Client(nodes.Register(DatabaseRight.ReadWrite));
        using HttpClient reader = nodes.Client(nodes.Register(DatabaseRight.Read));
        using HttpResponseMessage put = await writer.PutAsync("/databases/red/docs?id=a", new StringContent("{}"));
        Assert.Equal(HttpStatusCode.Created, put.StatusCode);
        Assert.Equal(HttpVersion.Version20, put.Version);
        using HttpResponseMessage refused = await reader.PutAsync("/databases/red/docs?id=b", new StringContent("{}"));
        Assert.Equal(HttpStatusCode.Forbidden, refused.StatusCode);
        using HttpResponseMessage read = await reader.GetAsync("/databases/red/docs?id=a");
        Assert.Equal(HttpStatusCode.OK, read.StatusCode);
        Assert.Equal(1, Count(nodes.A));
        Assert.Equal(0, Count(nodes.B));
    }

    [Fact]
    public async Task The_certificate_of_a_node_that_the_primary_does_not_know_passes_nothing_on()
    {
        using var nodes = new TlsNodes();
        using HttpClient writer = nodes.Client(nodes.Register(DatabaseRight.ReadWrite));
        nodes.OfA.NodeDigest = "another";
        using HttpResponseMessage put = await writer.PutAsync("/databases/red/docs?id=a", new StringContent("{}"));
        Assert.Equal(HttpStatusCode.Forbidden, put.StatusCode);
        Assert.Equal(0, Count(nodes.A));
    }

    /// <summary>Only over HTTP/2 is an answer seen before the body has ended.</summary>
    [Theory]
    [InlineData("""[{"Id":"a","Type":"PUT","Document":{"A":"x} """, 400)]
    [InlineData("""[{"Id":"a","Type":"PUT","Document":{}},{"Id":"b","Type":"NONE"}, """, 400)]
    [Trait("Invariant", "FWD-1")]
    public async Task The_answer_of_the_primary_comes_before_the_body_of_the_client_ends(string begin, int status)
    {
        using var nodes = new TlsNodes();
        using HttpClient writer = nodes.Client(nodes.Register(DatabaseRight.ReadWrite));
        using var body = new OpenContent();
        Task<HttpResponseMessage> sending = writer.PostAsync("/databases/red/bulk_insert", body);
        await body.WriteAsync(begin + "\u0001");
        using HttpResponseMessage answer = await sending.WaitAsync(Deadline.Hang);
        Assert.Equal(status, (int)answer.StatusCode);
        body.End();
    }

    [Fact]
    [Trait("Security", "38")]
    public async Task A_bulk_insert_through_a_follower_ends_with_the_reason_and_nothing_more_is_written()
    {
        using var nodes = new TlsNodes();
        X509Certificate2 certificate = nodes.Register(DatabaseRight.ReadWrite);
        using HttpClient client = nodes.Client(certificate);
        using var body = new OpenContent();
        Task<HttpResponseMessage> sending = client.PostAsync("/databases/red/bulk_insert", body);
        await body.WriteAsync("""[{"Id":"a","Type":"PUT","Document":{}}""");
        OperationRegistry operations = nodes.A.Host.State.Operations;
        await Deadline.UntilAsync(
            () => sending.IsCompleted || operations.All.Any(operation => operation.Processed == 1));
        Assert.False(sending.IsCompleted);
        nodes.Narrow(certificate, DatabaseRight.Read);
        using HttpResponseMessage answer = await sending.WaitAsync(Deadline.Hang);
        Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.Contains("right ReadWrite", text, StringComparison.Ordinal);
        Assert.Contains("1 documents are in", text, StringComparison.Ordinal);
        body.End();
        Assert.Equal(1, Count(nodes.A));
    }

    [Fact]
    [Trait("Security", "38")]
    public async Task Watching_changes_through_a_follower_ends_with_the_reason_when_the_right_does()
    {
        using var nodes = new TlsNodes();
        X509Certificate2 certificate = nodes.Register(DatabaseRight.Read);
        using var socket = new ClientWebSocket();
        socket.Options.ClientCertificates.Add(certificate);
        socket.Options.RemoteCertificateValidationCallback = (_, _, _, _) => true;
        using var limit = Deadline.NewToken();
        var url = new UriBuilder(nodes.B.Host.Url) { Scheme = "wss", Path = "/databases/red/changes" };
        await socket.ConnectAsync(url.Uri, limit.Token);
        byte[] buffer = new byte[4096];
        Assert.Equal(WebSocketMessageType.Text, (await socket.ReceiveAsync(buffer, limit.Token)).MessageType);
        nodes.Narrow(certificate, DatabaseRight.None);
        Assert.Equal(WebSocketMessageType.Close, (await socket.ReceiveAsync(buffer, limit.Token)).MessageType);
        Assert.Equal(WebSocketCloseStatus.PolicyViolation, socket.CloseStatus);
        Assert.Contains("right Read", socket.CloseStatusDescription, StringComparison.Ordinal);
        await socket.CloseOutputAsync(WebSocketCloseStatus.NormalClosure, null, limit.Token);
    }

    [Theory]
    [InlineData("/databases/red/streams/docs")]
    [InlineData("/databases/red/smuggler/export")]
    [Trait("Security", "38")]
    public async Task A_stream_through_a_follower_breaks_off_and_no_more_documents_are_sent(string target)
    {
        using var nodes = new TlsNodes();
        X509Certificate2 certificate = nodes.Register(DatabaseRight.ReadWrite);
        using HttpClient client = nodes.Client(certificate);
        var random = new Random(1);
        var puts = new StringBuilder();
        byte[] bytes = new byte[48 * 1024];
        for (int i = 0; i < Documents; i++)
        {
            random.NextBytes(bytes);
            puts.Append(i == 0 ? "" : ",").Append(
                CultureInfo.InvariantCulture,
                $"{{\"Type\":\"PUT\",\"Id\":\"{i}\",\"Document\":{{\"T\":\"{Convert.ToBase64String(bytes)}\"}}}}");
        }

        using (HttpResponseMessage put = await client.PostAsync(
            "/databases/red/bulk_docs", new StringContent($"{{\"Commands\":[{puts}]}}")))
        {
            Assert.True(put.IsSuccessStatusCode, await put.Content.ReadAsStringAsync());
        }

        bool isExport = target.EndsWith("export", StringComparison.Ordinal);
        using var request = new HttpRequestMessage(isExport ? HttpMethod.Post : HttpMethod.Get, target)
        {
            Content = isExport ? new StringContent("{}") : null,
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
        };

        // A reader that has stopped: what was sent so far fills what is between.
        using HttpResponseMessage answer = await client.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);
        Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
        nodes.Narrow(certificate, DatabaseRight.None);
        await Assert.ThrowsAsync<HttpRequestException>(() => answer.Content.CopyToAsync(Stream.Null));
        using HttpResponseMessage again = await client.GetAsync("/databases/red/streams/docs");
        Assert.Equal(HttpStatusCode.Forbidden, again.StatusCode);
    }

    [Fact]
    [Trait("Security", "39")]
    public async Task The_next_request_of_an_open_connection_to_a_follower_has_the_new_rights()
    {
        using var nodes = new TlsNodes();
        X509Certificate2 certificate = nodes.Register(DatabaseRight.Read);
        using HttpClient client = nodes.Client(certificate);
        for (int i = 0; i < 40; i++)
        {
            bool may = i % 2 == 0;
            nodes.A.Trust.Certificates.Edit(
                TrustFixture.Local, certificate.Thumbprint, "client", Clearance.ValidUser,
                may ? SecuredServer.OnRed(DatabaseRight.Read) : Permissions.None);
            using HttpResponseMessage answer = await client.GetAsync("/databases/red/stats/essential");
            Assert.Equal(may ? HttpStatusCode.OK : HttpStatusCode.Forbidden, answer.StatusCode);
        }
    }

    [Fact]
    [Trait("Security", "44")]
    public async Task What_a_client_of_a_follower_says_of_another_has_no_effect_at_the_primary()
    {
        using var nodes = new TlsNodes();
        X509Certificate2 administrator = nodes.Register(DatabaseRight.None, Clearance.ClusterAdmin);
        using HttpClient client = nodes.Client(nodes.Register(DatabaseRight.Read));
        foreach (string forwarded in new[] { "A, 1", "B, 1", "C, 1" })
        {
            using var request = new HttpRequestMessage(HttpMethod.Put, "/databases/red/docs?id=a")
            {
                Content = new StringContent("{}"),
                Version = HttpVersion.Version20,
                Headers =
                {
                    { "Raven-Forwarded", forwarded },
                    { "X-Raven-Client-Cert", Convert.ToBase64String(administrator.RawData) },
                    { "X-Forwarded-For", "127.0.0.1" },
                    { "Raven-Forwarded-Session", "x" },
                },
            };
            using HttpResponseMessage answer = await client.SendAsync(request);
            Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
        }

        Assert.Equal(0, Count(nodes.A));
    }

    private static long Count(TlsServer node)
    {
        Assert.True(node.Host.State.Databases.TryGet("red", out Database? red));
        using DocumentSnapshot snapshot = red!.BeginRead();
        return snapshot.DocumentCount;
    }
}
