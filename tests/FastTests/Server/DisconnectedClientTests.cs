namespace FastTests.Server;

/// <summary>A long answer whose client is gone is not made to its end.</summary>
public sealed class DisconnectedClientTests : IClassFixture<DisconnectedClientTests.LargeDocuments>
{
    private readonly InMemoryServer _server;

    public DisconnectedClientTests(LargeDocuments documents) => _server = documents.Server;

    [Theory]
    [InlineData("queries", "from Bigs")]
    [InlineData("queries", "from Bigs as b select b.T")]
    [InlineData("queries", "from Bigs as b select { T: b.T }")]
    [InlineData("streams/queries", "from Bigs")]
    [InlineData("streams/queries", "from Bigs as b select { T: b.T }")]
    [InlineData("docs", "?id=big/0&id=big/1&id=big/2&id=big/3")]
    [InlineData("docs", "?startsWith=big/")]
    [InlineData("streams/docs", "?startsWith=big/")]
    [Trait("Fault", "C1")]
    public void An_answer_whose_client_is_gone_is_abandoned_after_its_first_part(string path, string asked)
    {
        string query = asked[0] == '?' ? asked : "?query=" + Uri.EscapeDataString(asked);
        var request = new InMemoryRequest("GET", $"/databases/db/{path}", query) { IsGone = true };
        long spilled = _server.State.Answers.FileCount;
        _server.Send(request);
        Assert.True(request.WasAborted);
        Assert.Equal(1, request.FlushCount);
        Assert.Equal((0L, spilled), (_server.State.Answers.UsedBytes, _server.State.Answers.FileCount));
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void A_multi_get_whose_client_is_gone_is_abandoned_after_its_first_read()
    {
        const string one = """{"Url":"/databases/db/docs","Query":"?id=big/0"}""";
        var request = new InMemoryRequest(
            "POST", "/databases/db/multi_get", body: $"{{\"Requests\":[{one},{one},{one},{one}]}}")
        { IsGone = true };
        _server.Send(request);
        Assert.True(request.WasAborted);
        Assert.Equal(1, request.FlushCount);
    }

    /// <summary>Four documents, of which two fill the buffer of an answer.</summary>
    public sealed class LargeDocuments : IDisposable
    {
        public LargeDocuments()
        {
            byte[] noise = new byte[2_200_000];
            new Random(3).NextBytes(noise);
            string body = $"{{\"T\":\"{Convert.ToHexString(noise)}\",\"@metadata\":{{\"@collection\":\"Bigs\"}}}}";
            for (int i = 0; i < 4; i++)
            {
                Assert.Equal(201, Server.Send(new InMemoryRequest("PUT", "/databases/db/docs", $"?id=big/{i}", body)));
            }
        }

        internal InMemoryServer Server { get; } = new();

        public void Dispose() => Server.Dispose();
    }
}
