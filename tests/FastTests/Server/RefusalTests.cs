using System.Net;
using System.Text;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>What Kestrel refuses before there is a request has a JSON error too.</summary>
public sealed class RefusalTests
{
    private static readonly string LongHeader = $"X: {new string('x', 40_000)}";

    [Theory]
    [InlineData("GET /\u00e9 HTTP/1.1\r\nHost: localhost\r\n\r\n", 400)]
    [InlineData("GET /databases/%00/docs HTTP/1.1\r\nHost: localhost\r\n\r\n", 400)]
    [InlineData("GET / HTTP/1.1\r\n\r\n", 400)]
    [InlineData("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400)]
    [InlineData("PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n", 400)]
    [InlineData("GET / HTTP/1.1\r\nHost: localhost\r\nLONG\r\n\r\n", 431)]
    [InlineData("GET /LONG HTTP/1.1\r\nHost: localhost\r\n\r\n", 414)]
    [InlineData("nonsense\r\n\r\n", 400)]
    public async Task A_malformed_HTTP_request_is_answered_with_a_JSON_error(string request, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach (bool comesAfterARequest in new[] { false, true })
        {
            using var connection = new RawConnection(server.Port);
            if (comesAfterARequest)
            {
                connection.Send("GET /build/version HTTP/1.1\r\nHost: localhost\r\n\r\n");
                Assert.Equal(200, connection.Receive().Status);
            }

            connection.Send(request.Replace("LONG", LongHeader, StringComparison.Ordinal));
            (int actual, string head, string body) = connection.Receive();
            Assert.Equal(status, actual);
            JsonObject json = JsonNode.Parse(body)!.AsObject();
            Assert.Equal(["Url", "Type", "Message", "Error"], json.Select(one => one.Key));
            Assert.Contains("Content-Type: application/json", head, StringComparison.Ordinal);
            Assert.Contains("Raven-Server-Version: ", head, StringComparison.Ordinal);
            Assert.True(connection.IsClosed());
        }

        await server.AssertServesAsync();
    }

    [Fact]
    public async Task An_attachment_whose_content_looks_like_a_Kestrel_error_is_sent_unchanged()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        const string refusal = "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
        string text = string.Concat(Enumerable.Repeat(refusal, 20_000));
        (await server.SendAsync("PUT", "~/attachments?id=a&name=n", new StringContent(text, Encoding.ASCII)))
            .Expect(HttpStatusCode.Created);
        foreach (string range in new[] { "bytes=0-", $"bytes={refusal.Length}-{(2 * refusal.Length) - 1}" })
        {
            HttpAnswer answer = await server.SendAsync(
                "GET", "~/attachments?id=a&name=n", (string?)null, $"Range: {range}");
            Assert.Equal(range.EndsWith('-') ? text : refusal, answer.Text);
        }
    }
}
