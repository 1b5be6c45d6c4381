using System.Text.RegularExpressions;
using FastTests.Support;
using Raven.Documents.Patching;

namespace FastTests.Server;

/// <summary>Queries whose scripts look at large texts wait for memory, and then give the same answers.</summary>
public sealed partial class LongTextQueryTests : IClassFixture<LongTextQueryTests.LargeTexts>
{
    private readonly InMemoryServer _server;
    private readonly ScriptTextBudget _texts;

    public LongTextQueryTests(LargeTexts documents)
    {
        _server = documents.Server;
        _texts = _server.State.Queries.Scripts.Texts;
    }

    [Theory]
    [InlineData("queries", "from Bigs as b select { l: b.T.length, s: b.T.slice(0, 3) }")]
    [InlineData("queries", "from Bigs as b select distinct { l: b.T.length }")]
    [InlineData("queries", "from Bigs as b select distinct { l: b.T.length } limit 1, 1")]
    [InlineData("queries", "from Bigs as b load b.R as r select { l: r.T.length + b.T.length, t: b.N }")]
    [InlineData("queries", "declare function f(b) { try { return b.T.length; } catch (e) { return -1; } } "
        + "from Bigs as b select f(b) as l")]
    [InlineData("streams/queries", "from Bigs as b select { l: b.T.length }")]
    [InlineData("streams/queries", "from Bigs as b select distinct { l: b.T.length }")]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "TEXTS-3")]
    public async Task A_query_with_large_texts_waits_for_memory_and_then_has_the_same_answer(string path, string query)
    {
        InMemoryRequest request = RequestOf(path, query);
        Assert.Equal(200, _server.Send(request));
        string expected = ResultsOf(request);
        Assert.Contains("\"l\":", expected, StringComparison.Ordinal);
        Assert.Equal(0, _texts.UsedBytes);

        var other = new ScriptTextReservation(_texts, waits: false);
        Assert.True(other.TryTake(ScriptTextBudget.BytesMaxOfServer));
        Task<int> waiting = Task.Run(() => _server.Send(request));
        await Deadline.UntilAsync(() => _texts.WaitingCount == 1);

        // No one else waits meanwhile, and no thread is taken.
        Assert.Equal(200, _server.Send(RequestOf("queries", "from Bigs as b select { n: b.N, t: b.R }")));
        Assert.False(waiting.IsCompleted);
        other.GiveBack();
        Assert.Equal(200, await waiting.WaitAsync(Deadline.Hang));
        Assert.Equal(expected, ResultsOf(request));
        Assert.Equal((0L, 0), (_texts.UsedBytes, _texts.WaitingCount));
    }

    [Fact]
    [Trait("Fault", "C1")]
    public async Task A_query_that_waits_for_memory_ends_when_its_client_disconnects()
    {
        using var gone = new CancellationTokenSource();
        var request = new InMemoryRequest(
            "GET", "/databases/db/queries",
            "?query=" + Uri.EscapeDataString("from Bigs as b select { l: b.T.length }"))
        {
            IsGone = true,
            RequestAborted = gone.Token,
        };
        var other = new ScriptTextReservation(_texts, waits: false);
        Assert.True(other.TryTake(ScriptTextBudget.BytesMaxOfServer));
        Task<int> waiting = Task.Run(() => _server.Send(request));
        await Deadline.UntilAsync(() => _texts.WaitingCount == 1);
        await gone.CancelAsync();
        await waiting.WaitAsync(Deadline.Hang);
        Assert.Equal(0, _texts.WaitingCount);
        other.GiveBack();
        Assert.Equal(0, _texts.UsedBytes);
    }

    [Fact]
    [Trait("Fault", "C1")]
    public void A_filter_with_large_texts_does_not_wait_for_memory_and_gives_its_memory_back()
    {
        var other = new ScriptTextReservation(_texts, waits: false);
        Assert.True(other.TryTake(ScriptTextBudget.BytesMaxOfServer));
        Assert.Equal(200, _server.Send(RequestOf(
            "queries", "declare function f(b) { return b.T.length > 5; } from Bigs as b filter f(b) select b.N")));
        Assert.Equal(ScriptTextBudget.BytesMaxOfServer, _texts.UsedBytes);
        other.GiveBack();
    }

    private static InMemoryRequest RequestOf(string path, string query) =>
        new("GET", $"/databases/db/{path}", "?query=" + Uri.EscapeDataString(query));

    private static string ResultsOf(InMemoryRequest request) =>
        Results().Match(request.Answer).Value;

    [GeneratedRegex("\"Results\":\\[.*?\\](,\"Includes|\\}$)")]
    private static partial Regex Results();

    /// <summary>Three documents with texts that count.</summary>
    public sealed class LargeTexts : IDisposable
    {
        public LargeTexts()
        {
            byte[] noise = new byte[300_000];
            new Random(3).NextBytes(noise);
            for (int i = 0; i < 3; i++)
            {
                string text = Convert.ToHexString(noise) + new string('x', i / 2);
                string body = $"{{\"N\":{i},\"R\":\"big/{(i + 1) % 3}\",\"T\":\"{text}\","
                    + "\"@metadata\":{\"@collection\":\"Bigs\"}}";
                Assert.Equal(201, Server.Send(new InMemoryRequest("PUT", "/databases/db/docs", $"?id=big/{i}", body)));
            }
        }

        internal InMemoryServer Server { get; } = new();

        public void Dispose() => Server.Dispose();
    }
}
