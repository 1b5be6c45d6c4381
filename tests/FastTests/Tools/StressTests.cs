using System.Text.Json;
using Raven.Tools.Stress;
using Raven.Tools.Stress.Mixed;

namespace FastTests.Tools;

public sealed class StressTests
{
    [Fact]
    public void The_check_misses_no_acknowledged_document_in_an_older_version()
    {
        Ledger ledger = Acknowledged(("a", 1), ("b", 2), ("a", 3), ("c", 4), ("c", Ledger.Absent));

        Assert.Empty(Judge(ledger, ("a", 3), ("b", 2), ("c", Ledger.Absent)));
        Assert.Equal(["'a' was acknowledged in version 3 and is in version 1"],
            Judge(Acknowledged(("a", 1), ("a", 3)), ("a", 1)));
        Assert.Equal(["'a' was acknowledged in version 3 and is in no version"],
            Judge(Acknowledged(("a", 3)), ("a", Ledger.Absent)));
        Assert.Equal(["'a' was acknowledged in no version and is in version 3"],
            Judge(Acknowledged(("a", 3), ("a", Ledger.Absent)), ("a", 3)));
        Assert.Equal(["'a' was acknowledged in version 3 and is in a version that is not whole"],
            Judge(Acknowledged(("a", 3)), ("a", Ledger.Broken)));
    }

    [Theory]
    [InlineData(1, 5, 0, true)]
    [InlineData(2, 6, 0, true)]
    [InlineData(2, 5, 0, false)]
    [InlineData(1, 6, 0, false)]
    [InlineData(2, Ledger.Broken, 0, false)]
    public void The_check_accepts_a_batch_without_an_answer_only_whole_or_not_at_all(
        long a, long b, long c, bool isWhole)
    {
        Ledger ledger = Acknowledged(("a", 1), ("b", 5));
        ledger.Begin([new("a", 2), new("b", 6), new("c", Ledger.Absent)]);

        Assert.Equal(isWhole, Judge(ledger, ("a", a), ("b", b), ("c", c)).Count == 0);
    }

    [Fact]
    public void The_check_takes_the_state_after_a_restart_as_the_expected_one()
    {
        Ledger ledger = Acknowledged(("a", 1));
        ledger.Begin([new("a", 2)]);
        Assert.Empty(Judge(ledger, ("a", 2)));

        Assert.NotEmpty(Judge(ledger, ("a", 1)));
    }

    [Fact]
    public void The_check_accepts_a_document_only_with_the_content_of_its_version()
    {
        string json = DocumentContent.Create("w1/7", 12);
        using JsonDocument whole = JsonDocument.Parse(json);
        using JsonDocument other = JsonDocument.Parse(DocumentContent.Create("w1/7", 13));
        using JsonDocument mixed = JsonDocument.Parse(
            json.Replace("\"Version\":12", "\"Version\":13", StringComparison.Ordinal));

        Assert.True(DocumentContent.TryGetVersion("w1/7", whole.RootElement, out long version));
        Assert.Equal(12, version);
        Assert.False(DocumentContent.TryGetVersion("w1/7", mixed.RootElement, out _));
        Assert.False(DocumentContent.TryGetVersion("w1/8", whole.RootElement, out _));
        Assert.NotEqual(
            whole.RootElement.GetProperty("Payload").GetString(), other.RootElement.GetProperty("Payload").GetString());
    }

    [Fact]
    public void The_check_accepts_a_shared_counter_between_its_acknowledged_and_its_attempted_increments()
    {
        var totals = new SharedTotals();
        totals.Begin("n", 3);
        totals.Acknowledge("n", 3);
        totals.Begin("n", 4);
        Assert.Null(totals.Judge("n", 7));
        Assert.Equal("'n' was acknowledged up to 7 and is 6", totals.Judge("n", 6));
        Assert.Equal("'n' is 8, though only 6 were ever added", totals.Judge("n", 8));
        totals.Begin("n", 1);
        totals.Withdraw("n", 1);
        Assert.NotNull(totals.Judge("n", 9));
    }

    [Fact]
    public void The_check_accepts_an_attachment_only_with_the_bytes_of_its_version()
    {
        byte[] bytes = AttachmentBytes.Create("a", "n", 12);
        Assert.Equal(12, AttachmentBytes.VersionOf("a", "n", bytes));
        Assert.Equal(Ledger.Broken, AttachmentBytes.VersionOf("a", "m", bytes));
        Assert.Equal(Ledger.Broken, AttachmentBytes.VersionOf("a", "n", bytes.AsSpan(0, bytes.Length - 1)));
        bytes[^1] ^= 1;
        Assert.Equal(Ledger.Broken, AttachmentBytes.VersionOf("a", "n", bytes));
    }

    [Fact]
    public async Task The_check_accepts_only_a_prefix_of_a_killed_bulk_insert()
    {
        await using FakeDatabase database = await FakeDatabase.StartAsync(DatabaseClient.DefaultName);
        using var client = new DatabaseClient(database.Url.ToString());
        var stream = new BulkStream("bulk/r0s0/", 700);
        Assert.True(await stream.RunAsync(client, CancellationToken.None));
        Assert.Empty(await stream.CheckAsync(client));
        Assert.Equal((700, 700), (stream.Kept, database.Documents.Count));

        database.Documents.Remove(stream.IdOf(699));
        Assert.Contains("was acknowledged", Assert.Single(await stream.CheckAsync(client)), StringComparison.Ordinal);

        database.Documents.Remove(stream.IdOf(600));
        Assert.Contains(
            await stream.CheckAsync(client),
            problem => problem.Contains("though one before it is missing", StringComparison.Ordinal));

        database.Documents[stream.IdOf(5)]["Payload"] = "cut";
        Assert.Contains(
            await stream.CheckAsync(client), problem => problem.Contains("is not whole", StringComparison.Ordinal));
    }

    private static Ledger Acknowledged(params (string Id, long Version)[] writes)
    {
        var ledger = new Ledger();
        foreach ((string id, long version) in writes)
        {
            ledger.Begin([new(id, version)]);
            ledger.Acknowledge();
        }

        return ledger;
    }

    private static List<string> Judge(Ledger ledger, params (string Id, long Version)[] found) =>
        ledger.Judge(found.ToDictionary(each => each.Id, each => each.Version));
}
