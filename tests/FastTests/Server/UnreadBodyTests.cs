namespace FastTests.Server;

/// <summary>What is left of a body that was not read is never taken for a request.</summary>
[Trait("Invariant", "GUARD-6")]
public sealed class UnreadBodyTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private TestServer Server => fixture.Server;

    [Fact]
    public async Task A_connection_goes_on_behind_a_refused_body_that_has_arrived()
    {
        using var connection = new RawConnection(Server.Port);
        for (int i = 0; i < 3; i++)
        {
            connection.Send(Put("a", database: "nowhere"));
            (int status, string head, _) = connection.Receive();
            Assert.Equal(503, status);
            Assert.DoesNotContain("Connection: close", head, StringComparison.Ordinal);
        }

        connection.Send(Put("behind"));
        Assert.Equal(201, connection.Receive().Status);
        Assert.Single((await Server.SendAsync("GET", "~/docs?id=behind")).Json["Results"]!.AsArray());
    }

    [Theory]
    [InlineData("Content-Length: 5000000")]
    [InlineData("Transfer-Encoding: chunked")]
    [InlineData("Content-Length: 2\r\nExpect: 100-continue")]
    public void A_connection_ends_behind_a_refused_body_that_has_not_arrived(string framing)
    {
        using var connection = new RawConnection(Server.Port);
        connection.Send($"PUT /databases/nowhere/docs?id=a HTTP/1.1\r\nHost: localhost\r\n{framing}\r\n\r\n");
        (int status, string head, _) = connection.Receive();
        Assert.Equal(503, status);
        Assert.Contains("Connection: close", head, StringComparison.Ordinal);
    }

    private static string Put(string id, string database = "db") =>
        $"PUT /databases/{database}/docs?id={id} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{{}}";
}
