using System.Text;
using Raven.Client.Documents.Subscriptions;

namespace FastTests.Client;

/// <summary>Messages of a subscription, whatever the pieces in which they come.</summary>
public sealed class SubscriptionMessageReaderTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(7)]
    [InlineData(1000)]
    [InlineData(65_536)]
    [InlineData(int.MaxValue)]
    public async Task Messages_are_read_whatever_their_pieces_and_stay_as_they_are(int pieceMax)
    {
        var random = new Random(pieceMax);
        List<string> documents = [];
        var sent = new StringBuilder();
        foreach (int length in (int[])[0, 10, 900, 70_000, 3, 200_000, 64_000, 1, 17_000])
        {
            int count = pieceMax == 1 ? length / 100 : length / 10;
            string text = string.Concat(Enumerable.Range(0, count).Select(_ => $"\"{random.Next()}\","));
            documents.Add($"{{\"a\":[{text}{{}}],\"Type\":\"not this\",\"b\":{{\"Data\":[1,{{\"c\":\"}}\"}}]}}}}");
            sent.Append("\r\n {\"Type\":\"Data\",\"Data\":").Append(documents[^1]);
            sent.Append(length == 3 ? ",\"Exception\":\"it \\u0074hrew\"}" : "}");
        }

        sent.Append("{\"Unknown\":[[1]],\"CounterIncludes\":{\"x\":1},\"IncludedCounterNames\":{\"y\":[]},")
            .Append("\"Type\":\"CounterIncludes\"}\r\n{\"Type\":\"EndOfBatch\"}");
        await using var stream = new PieceStream(Encoding.UTF8.GetBytes(sent.ToString()), pieceMax);
        var reader = new SubscriptionMessageReader();
        List<SubscriptionMessage> messages = [];
        do
        {
            messages.Add(await reader.ReadAsync(stream, TestContext.Current.CancellationToken));
        }
        while (messages[^1].Type != "EndOfBatch");

        Assert.Equal(
            documents, messages.Where(m => m.Type == "Data").Select(m => Encoding.UTF8.GetString(m.Data.Span)));
        Assert.Equal("it threw", messages[4].Exception);
        Assert.Equal("{\"x\":1}", Encoding.UTF8.GetString(messages[^2].Data.Span));
        Assert.Equal("CounterIncludes", messages[^2].Type);
        Assert.Contains("closed", (await Assert.ThrowsAsync<IOException>(
            async () => await reader.ReadAsync(stream, TestContext.Current.CancellationToken))).Message);
    }

    [Fact]
    public async Task What_is_no_JSON_is_refused()
    {
        await using var stream = new PieceStream("{\"Type\":tru}"u8.ToArray(), 3);
        await Assert.ThrowsAnyAsync<System.Text.Json.JsonException>(async () =>
            await new SubscriptionMessageReader().ReadAsync(stream, TestContext.Current.CancellationToken));
    }

    /// <summary>Gives at most so many bytes at once.</summary>
    private sealed class PieceStream(byte[] bytes, int pieceMax) : MemoryStream(bytes)
    {
        public override ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default) =>
            base.ReadAsync(buffer[..Math.Min(buffer.Length, pieceMax)], cancellationToken);
    }
}
