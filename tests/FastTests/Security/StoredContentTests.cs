using System.Net.Http.Headers;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Server.Http.Attachments;

namespace FastTests.Security;

/// <summary>What clients store is never run as a page of the server, whatever content type they gave it.</summary>
[Trait("Security", "20")]
public sealed class StoredContentTests
{
    private const string Attachments = "/databases/db/attachments";

    [Theory]
    [InlineData("text/html", "<script>alert(1)</script>")]
    [InlineData("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>")]
    [InlineData("", "<html><script>alert(1)</script></html>")]
    public void An_attachment_is_a_sandboxed_download_whichever_way_it_is_read(string contentType, string content)
    {
        using var server = new GuardedServer();
        server.Send(
            "POST", "/databases/db/admin/revisions/config",
            """{"Default":{"Disabled":false,"MinimumRevisionsToKeep":5}}""");
        Assert.Equal(201, server.Send("PUT", "/databases/db/docs?id=a", "{}").StatusCode);
        Assert.Equal(
            201,
            server.Send("PUT", $"{Attachments}?id=a&name=p%20%C3%A4.html&contentType={Escaped(contentType)}", content)
                .StatusCode);
        string url = $"{Attachments}?id=a&name=p%20%C3%A4.html";
        JsonNode revisions = JsonNode.Parse(server.Send("GET", "/databases/db/revisions?id=a").Answer)!;
        string version = (string)revisions["Results"]![0]!["@metadata"]!["@change-vector"]!;
        InMemoryRequest[] answers =
        [
            server.Send("GET", url),
            server.Send("GET", url, "", "Range: bytes=1-"),
            server.Send("HEAD", url),
            server.Send("POST", url, """{"Type":"Document"}"""),
            server.Send("POST", url, $$"""{"Type":"Revision","ChangeVector":"{{version}}"}"""),
        ];
        foreach (InMemoryRequest answer in answers)
        {
            Assert.InRange(answer.StatusCode, 200, 206);
            AssertIsHarmless(answer);
            Assert.Equal(
                contentType.Length == 0 ? "application/octet-stream" : contentType,
                GuardedServer.Header(answer, "Content-Type"));
            var disposition = ContentDispositionHeaderValue.Parse(
                GuardedServer.Header(answer, "Content-Disposition"));
            Assert.Equal("p \u00e4.html", disposition.FileNameStar);
        }

        InMemoryRequest cached = server.Send(
            "GET", url, "", $"If-None-Match: {GuardedServer.Header(answers[0], "ETag")}");
        Assert.Equal(304, cached.StatusCode);
        AssertIsHarmless(cached);
    }

    [Fact]
    public void An_attachment_is_no_script_worker_or_style_of_any_page()
    {
        using var server = new GuardedServer();
        Assert.Equal(201, server.Send("PUT", "/databases/db/docs?id=a", "{}").StatusCode);
        const string url = $"{Attachments}?id=a&name=n";
        Assert.Equal(201, server.Send("PUT", $"{url}&contentType=text%2Fjavascript", "alert(1)").StatusCode);
        foreach (string use in new[]
        {
            "script", "style", "xslt", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet",
        })
        {
            InMemoryRequest refused = server.Send(
                "GET", url, "", "Sec-Fetch-Site: same-origin", $"Sec-Fetch-Dest: {use}");
            Assert.Equal(403, refused.StatusCode);
            Assert.Contains($"Sec-Fetch-Dest: {use}", refused.Answer, StringComparison.Ordinal);
        }

        foreach (string use in new[] { "empty", "image", "document" })
        {
            InMemoryRequest answer = server.Send(
                "GET", url, "", "Sec-Fetch-Site: same-origin", $"Sec-Fetch-Dest: {use}");
            Assert.Equal((200, "alert(1)"), (answer.StatusCode, answer.Answer));
        }
    }

    [Fact]
    public void Several_attachments_in_one_answer_are_a_sandboxed_download()
    {
        using var server = new GuardedServer();
        server.Send("PUT", "/databases/db/docs?id=a", "{}");
        server.Send("PUT", $"{Attachments}?id=a&name=n&contentType=text%2Fhtml", "<script>alert(1)</script>");
        InMemoryRequest answer = server.Send(
            "POST", $"{Attachments}/bulk", """{"Attachments":[{"DocumentId":"a","Name":"n"}]}""");
        Assert.Equal(200, answer.StatusCode);
        Assert.EndsWith("</script>", answer.Answer, StringComparison.Ordinal);
        AssertIsHarmless(answer);
        Assert.Equal("application/octet-stream", GuardedServer.Header(answer, "Content-Type"));
    }

    [Theory]
    [InlineData("note.txt", "note.txt")]
    [InlineData("a b", "a%20b")]
    [InlineData("\"; filename=evil.exe", "%22%3B%20filename%3Devil.exe")]
    [InlineData("a\r\nSet-Cookie: x=1", "a%0D%0ASet-Cookie%3A%20x%3D1")]
    [InlineData("../../etc/passwd", "..%2F..%2Fetc%2Fpasswd")]
    [InlineData("100%'*\\", "100%25%27%2A%5C")]
    [InlineData("\u00e4\u05d0\U0001F600", "%C3%A4%D7%90%F0%9F%98%80")]
    [InlineData("\0\u007f", "%00%7F")]
    [InlineData("!#$&+-.^_`|~", "!#$&+-.^_`|~")]
    public void A_name_is_encoded_whatever_characters_it_has(string name, string encoded)
    {
        string header = StoredContent.Disposition(Encoding.UTF8.GetBytes(name));
        Assert.Equal($"attachment; filename*=UTF-8''{encoded}", header);
        Assert.Equal(name, ContentDispositionHeaderValue.Parse(header).FileNameStar);
    }

    [Theory]
    [InlineData("GET", "/build/version")]
    [InlineData("GET", "/databases")]
    [InlineData("GET", "/metrics")]
    [InlineData("GET", "/openapi.json")]
    [InlineData("GET", "/databases/db/docs?id=none")]
    [InlineData("GET", "/nothing/%3Cscript%3E")]
    [InlineData("BREW", "/databases/db/docs")]
    [InlineData("OPTIONS", "/databases/db/docs")]
    public void No_browser_guesses_the_type_of_any_answer(string method, string url)
    {
        using var server = new GuardedServer();
        Assert.Equal("nosniff", GuardedServer.Header(server.Send(method, url), "X-Content-Type-Options"));
    }

    private static string Escaped(string text) => Uri.EscapeDataString(text);

    private static void AssertIsHarmless(InMemoryRequest answer)
    {
        Assert.StartsWith(
            "attachment", GuardedServer.Header(answer, "Content-Disposition"), StringComparison.Ordinal);
        Assert.Equal("nosniff", GuardedServer.Header(answer, "X-Content-Type-Options"));
        Assert.Equal("sandbox; default-src 'none'", GuardedServer.Header(answer, "Content-Security-Policy"));
    }
}
