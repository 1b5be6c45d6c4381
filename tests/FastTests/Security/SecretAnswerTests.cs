using FastTests.Server;
using Raven.Server.Http.Routing;

namespace FastTests.Security;

/// <summary>An answer with secrets stays in no cache, and its length says nothing about them.</summary>
[Trait("Security", "21")]
public sealed class SecretAnswerTests
{
    /// <summary>Routes whose answers have, or will have, what only their caller may know.</summary>
    private static readonly string[] Secret =
    [
        "DELETE /admin/api-keys", "GET /admin/api-keys", "POST /admin/api-keys", "PUT /admin/api-keys",
        "POST /admin/api-keys/rotate", "DELETE /admin/certificates", "GET /admin/certificates",
        "POST /admin/certificates", "PUT /admin/certificates", "POST /admin/certificates/edit",
        "GET /admin/certificates/export", "DELETE /admin/certificates/purge", "POST /admin/certificates/refresh",
        "POST /admin/certificates/replace-cluster-cert", "GET /admin/databases", "GET /certificates/whoami",
        "GET /databases/*/admin/record", "GET /replication/log", "DELETE /studio/session", "POST /studio/session",
    ];

    [Theory]
    [InlineData("/admin/databases?name=big")]
    [InlineData("/databases/big/admin/record")]
    public void A_record_is_sent_uncompressed_and_kept_by_no_cache(string url)
    {
        using var server = new GuardedServer();
        string canary = string.Concat(Enumerable.Repeat("canary ", 1000));
        Assert.Equal(
            201,
            server.Send(
                "PUT", "/admin/databases?name=big",
                $$$"""{"DatabaseName":"big","Studio":{"Note":"{{{canary}}}"}}""").StatusCode);
        InMemoryRequest answer = server.Send("GET", url, "", "Accept-Encoding: gzip, br, zstd");
        Assert.Equal(200, answer.StatusCode);
        Assert.Contains(canary, answer.Answer, StringComparison.Ordinal);
        Assert.Equal("no-store", GuardedServer.Header(answer, "Cache-Control"));
        Assert.Equal("", GuardedServer.Header(answer, "Content-Encoding"));

        server.Send("PUT", "/databases/big/docs?id=a", $$"""{"Note":"{{canary}}"}""");
        InMemoryRequest other = server.Send("GET", "/databases/big/docs?id=a", "", "Accept-Encoding: gzip");
        Assert.Equal("gzip", GuardedServer.Header(other, "Content-Encoding"));
        Assert.Equal("", GuardedServer.Header(other, "Cache-Control"));
    }

    [Fact]
    public void An_answer_with_secrets_is_no_part_of_a_multi_get()
    {
        using var server = new GuardedServer();
        InMemoryRequest answer = server.Send(
            "POST", "/databases/db/multi_get", """{"Requests":[{"Url":"/databases/db/admin/record","Query":""}]}""");
        Assert.Equal(200, answer.StatusCode);
        Assert.Contains("\"StatusCode\":400", answer.Answer, StringComparison.Ordinal);
        Assert.DoesNotContain("LockMode", answer.Answer, StringComparison.Ordinal);
    }

    [Fact]
    public void The_routes_of_secrets_say_so() => Assert.Equal(
        Secret.Order(StringComparer.Ordinal),
        RouteTable.Default.Routes.Where(route => route.HoldsSecrets)
            .Select(route => $"{HttpVerbs.Name(route.Verb)} {route.Path}").Order(StringComparer.Ordinal));

    [Theory]
    [InlineData("GET", "/nothing", 404)]
    [InlineData("BREW", "/databases/db/docs", 405)]
    [InlineData("GET", "/admin/databases?name=none", 404)]
    [InlineData("GET", "/databases/none/docs?id=a", 503)]
    [InlineData("GET", "/databases/db/docs?id=a&id=%ff", 400)]
    public void No_cache_keeps_an_error(string method, string url, int status)
    {
        using var server = new GuardedServer();
        InMemoryRequest answer = server.Send(method, url);
        Assert.Equal(status, answer.StatusCode);
        Assert.Equal("no-store", GuardedServer.Header(answer, "Cache-Control"));
    }
}
