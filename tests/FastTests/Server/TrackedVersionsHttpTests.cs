using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary><c>BatchTrackChanges</c>: a batch is done only if what its session has read is still as it was.</summary>
public sealed class TrackedVersionsHttpTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private static int _count;

    private readonly string _name = $"t{Interlocked.Increment(ref _count)}";

    private TestServer Server => fixture.Server;

    [Fact]
    public async Task A_batch_is_done_while_what_was_read_holds_and_else_is_a_conflict_that_names_it()
    {
        string read = await Server.PutAsync($"{_name}/read", "{}");
        HttpAnswer done = await SaveAsync($"{{\"{_name}/READ\":\"{read}\",\"{_name}/none\":null}}");
        JsonNode result = done.Expect(HttpStatusCode.Created).Json["Results"]![1]!;
        Assert.Equal("{\"Type\":\"BatchTrackChanges\"}", result.ToJsonString());
        string changed = await Server.PutAsync($"{_name}/read", "{\"A\":1}");
        JsonNode conflict = (await SaveAsync($"{{\"{_name}/read\":\"{read}\"}}")).ExpectError(409, "expected").Json;
        Assert.EndsWith("ConcurrencyException", (string?)conflict["Type"], StringComparison.Ordinal);
        Assert.Equal($"{_name}/read", (string?)conflict["Id"]);
        Assert.Equal(read, (string?)conflict["ExpectedChangeVector"]);
        Assert.Equal(changed, (string?)conflict["ActualChangeVector"]);
        (await SaveAsync($"{{\"{_name}/read\":null}}")).ExpectError(409, "must not exist");
        (await Server.SendAsync("GET", $"~/docs?id={_name}/second")).Expect(HttpStatusCode.NotFound);
    }

    [Fact]
    public async Task It_counts_alone_too()
    {
        string read = await Server.PutAsync($"{_name}/read", "{}");
        string body = Alone($"{{\"{_name}/read\":\"{read}\"}}");
        (await Server.SendAsync("POST", "~/bulk_docs", body)).Expect(HttpStatusCode.Created);
        await Server.SendAsync("DELETE", $"~/docs?id={_name}/read");
        (await Server.SendAsync("POST", "~/bulk_docs", body)).ExpectError(409, "does not exist");
    }

    [Fact]
    public async Task Two_that_each_read_what_the_other_writes_are_not_both_done()
    {
        // Each of two goes off duty if the other is on: without the check of what was read, both do.
        for (int round = 0; round < 40; round++)
        {
            string[] ids = [$"{_name}/{round}/a", $"{_name}/{round}/b"];
            string[] versions =
            [
                await Server.PutAsync(ids[0], "{\"On\":1}"), await Server.PutAsync(ids[1], "{\"On\":1}"),
            ];
            HttpAnswer[] answers = await Task.WhenAll(GoOff(0), GoOff(1));
            Assert.Equal([201, 409], answers.Select(answer => answer.Status).Order());

            Task<HttpAnswer> GoOff(int one) => Task.Run(() => Server.SendAsync(
                "POST", "~/bulk_docs",
                $"{{\"Commands\":[{{\"Type\":\"PUT\",\"Id\":\"{ids[one]}\",\"ChangeVector\":\"{versions[one]}\","
                + "\"Document\":{\"On\":0}},{\"Type\":\"BatchTrackChanges\",\"TrackedEntities\":"
                + $"{{\"{ids[1 - one]}\":\"{versions[1 - one]}\"}}}}]}}"));
        }
    }

    [Theory]
    [InlineData("[]", "must be an object")]
    [InlineData("null", "needs TrackedEntities")]
    [InlineData("{\"a\":7}", "must be a text")]
    [InlineData("{\"\":\"A:1-x\"}", "bad id")]
    public async Task What_is_wrong_is_a_400(string entities, string says) =>
        (await Server.SendAsync("POST", "~/bulk_docs", Alone(entities))).ExpectError(400, says);

    private static string Alone(string tracked) =>
        $"{{\"Commands\":[{{\"Type\":\"BatchTrackChanges\",\"TrackedEntities\":{tracked}}}]}}";

    private Task<HttpAnswer> SaveAsync(string tracked) => Server.SendAsync(
        "POST", "~/bulk_docs",
        $"{{\"Commands\":[{{\"Type\":\"PUT\",\"Id\":\"{_name}/first\",\"Document\":{{}}}},"
        + $"{{\"Type\":\"BatchTrackChanges\",\"TrackedEntities\":{tracked}}}]}}");
}
