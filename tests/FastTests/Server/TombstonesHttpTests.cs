using System.Text.Json.Nodes;
using FastTests.Documents;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Which deletions are forgotten over HTTP, and what an index or a reader of the feed that missed one gets.
/// </summary>
public sealed class TombstonesHttpTests : IDisposable
{
    private readonly TestClock _clock = new();
    private readonly InMemoryServer _server;

    public TombstonesHttpTests() => _server = new InMemoryServer(_clock);

    public void Dispose() => _server.Dispose();

    [Fact]
    [Trait("Row", "96")]
    [Trait("Invariant", "TOMB-2")]
    public async Task An_index_that_has_not_seen_a_deletion_keeps_it_and_is_built_anew_if_it_stays_away()
    {
        Put("users/1", "Ann");
        Put("users/2", "Bob");
        Send("PUT", "/indexes", """{"Indexes":[{"Name":"I","Maps":["map('Users', u => ({ Name: u.Name }))"]}]}""");
        await Deadline.UntilAsync(() => Names() == "Ann,Bob");
        Send("POST", "/admin/indexes/disable?name=I", "");
        Send("DELETE", "/docs?id=users/2", "");
        _clock.Now += TimeSpan.FromHours(49);
        Assert.Equal(0, Clean());
        JsonNode state = JsonNode.Parse(Send("GET", "/admin/tombstones/state", ""))!;
        JsonNode users = Assert.Single(state["Results"]!.AsArray(), one => (string?)one!["Collection"] == "Users")!;
        Assert.Equal(1, (int)users["Tombstones"]!);
        Assert.Equal("index 'I'", (string?)users["Documents"]!["Component"]);
        Assert.Equal(0, (int)users["ForgottenEtag"]!);

        _clock.Now += TimeSpan.FromHours(300);
        Assert.Equal(1, Clean());
        Send("POST", "/admin/indexes/enable?name=I", "");
        await Deadline.UntilAsync(() => Names() == "Ann");
        await Deadline.UntilAsync(
            () => Send("GET", "/indexes/errors", "").Contains("are forgotten", StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Invariant", "TOMB-1")]
    public void A_reader_of_the_feed_that_missed_a_deletion_is_told_to_begin_anew()
    {
        Put("users/1", "Ann");
        string token = (string)JsonNode.Parse(Send("GET", "/feed?collection=Users&deletes=true", ""))!["Token"]!;
        Send("DELETE", "/docs?id=users/1", "");
        Assert.Contains(
            "users/1", Send("GET", $"/feed?collection=Users&deletes=true&since={token}", ""), StringComparison.Ordinal);
        Assert.Equal(0, Clean());
        _clock.Now += TimeSpan.FromHours(49);
        Assert.Equal(1, Clean());
        string lost = Send("GET", $"/feed?collection=Users&deletes=true&since={token}", "", 410);
        Assert.Contains("are forgotten", lost, StringComparison.Ordinal);
        Send("GET", $"/feed?collection=Users&since={token}", "");
        Send("GET", $"/feed?collection=Others&deletes=true&since={token}", "");
        Send("GET", "/feed?collection=Users&deletes=true", "");
    }

    private void Put(string id, string name) => Send(
        "PUT", $"/docs?id={id}", $$$"""{"Name":"{{{name}}}","@metadata":{"@collection":"Users"}}""", 201);

    private long Clean() => (long)JsonNode.Parse(Send("POST", "/admin/tombstones/cleanup", ""))!["Value"]!;

    private string Names()
    {
        JsonNode answer = JsonNode.Parse(
            Send("POST", "/queries", """{"Query":"from index 'I' order by Name"}"""))!;
        return (bool)answer["IsStale"]!
            ? "stale"
            : string.Join(",", answer["Results"]!.AsArray().Select(one => (string?)one!["Name"]));
    }

    private string Send(string method, string target, string body, int? status = null)
    {
        string[] parts = ("/databases/db" + target).Split('?', 2);
        var request = new InMemoryRequest(method, parts[0], parts.Length == 2 ? "?" + parts[1] : "", body);
        int answered = _server.Send(request);
        Assert.True(status is { } wanted ? answered == wanted : answered < 300, $"{answered} {request.Answer}");
        return request.Answer;
    }
}
