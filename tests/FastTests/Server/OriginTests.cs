namespace FastTests.Server;

/// <summary>Which pages may talk to the server: its own, and no others.</summary>
public sealed class OriginTests
{
    [Fact]
    public async Task The_page_of_this_server_may_read_answers_and_ask_before_it_sends()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string own = $"Origin: http://127.0.0.1:{server.Port}";
        HttpAnswer asked = await server.SendAsync(
            "OPTIONS", "~/docs", (string?)null, own, "Access-Control-Request-Method: PUT",
            "Access-Control-Request-Headers: if-match");
        Assert.Equal(204, asked.Status);
        Assert.Equal($"http://127.0.0.1:{server.Port}", Header(asked, "Access-Control-Allow-Origin"));
        Assert.Contains("PUT", Header(asked, "Access-Control-Allow-Methods"), StringComparison.Ordinal);
        Assert.Equal("if-match", Header(asked, "Access-Control-Allow-Headers"));
        HttpAnswer read = await server.SendAsync("GET", "~/stats", (string?)null, own);
        Assert.Equal(200, read.Status);
        Assert.NotNull(Header(read, "Access-Control-Allow-Origin"));
    }

    [Theory]
    [InlineData("http://localhost:1", 200)]
    [InlineData("http://example.com", 403)]
    [InlineData("null", 403)]
    public async Task Other_pages_get_no_leave_to_read(string origin, int status)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync("GET", "~/stats", (string?)null, $"Origin: {origin}");
        Assert.Equal(status, answer.Status);
        Assert.Null(Header(answer, "Access-Control-Allow-Origin"));
    }

    private static string? Header(HttpAnswer answer, string name) =>
        answer.Message.Headers.TryGetValues(name, out IEnumerable<string>? values) ? string.Join(", ", values) : null;
}
