using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Counters and compare-exchange values over HTTP.</summary>
public sealed class CounterHttpTests
{
    [Fact]
    public async Task No_increment_of_a_counter_is_lost_under_64_writers()
    {
        const int writers = 64;
        const int each = 10;
        using TestServer server = await TestServer.WithDatabaseAsync();
        string before = await server.PutAsync("a", "{}");
        await Task.WhenAll(Enumerable.Range(0, writers).Select(writer => Task.Run(async () =>
        {
            for (int i = 0; i < each; i++)
            {
                (await server.SendAsync("POST", "~/counters", Operation("a", "Increment", "likes", 2)))
                    .Expect(HttpStatusCode.OK);
            }
        })));
        Assert.Equal(2 * writers * each, await ReadAsync(server, "a", "LIKES"));
        JsonNode metadata = await MetadataAsync(server, "a");
        Assert.Equal("HasCounters", (string?)metadata["@flags"]);
        Assert.Equal("likes", (string?)metadata["@counters"]![0]);
        Assert.NotEqual(before, (string?)metadata["@change-vector"]);
    }

    [Fact]
    [Trait("Invariant", "COUNT-2")]
    [Trait("Invariant", "COUNT-3")]
    public async Task Setting_and_deleting_a_counter_changes_the_version_and_the_flag_of_its_document()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        (await server.SendAsync("POST", "~/counters", Operation("a", "Put", "x", 7))).Expect(HttpStatusCode.OK);
        string one = (string)(await MetadataAsync(server, "a"))["@change-vector"]!;
        (await server.SendAsync("POST", "~/counters", Operation("a", "Increment", "x", -10))).Expect(HttpStatusCode.OK);
        Assert.Equal(-3, await ReadAsync(server, "a", "x"));
        Assert.Equal(one, (string?)(await MetadataAsync(server, "a"))["@change-vector"]);
        HttpAnswer full = await server.SendAsync("GET", "~/counters?docId=a&full=true");
        Assert.Equal(-3, (int)full.Json["Counters"]![0]!["CounterValues"]!.AsObject().Single().Value!);
        (await server.SendAsync("POST", "~/counters", Operation("a", "Delete", "x", 0))).Expect(HttpStatusCode.OK);
        Assert.Null(await ReadAsync(server, "a", "x"));
        JsonNode metadata = await MetadataAsync(server, "a");
        Assert.Null(metadata["@flags"]);
        Assert.NotEqual(one, (string?)metadata["@change-vector"]);
    }

    [Fact]
    [Trait("Invariant", "COUNT-2")]
    public async Task The_counters_of_a_document_are_deleted_with_it()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        await server.PutAsync("ab", "{}");
        foreach (string id in new[] { "a", "ab" })
        {
            (await server.SendAsync("POST", "~/counters", Operation(id, "Increment", "x", 1)))
                .Expect(HttpStatusCode.OK);
        }

        (await server.SendAsync("DELETE", "~/docs?id=a")).Expect(HttpStatusCode.NoContent);
        await server.PutAsync("a", "{}");
        Assert.Null(await ReadAsync(server, "a", "x"));
        Assert.Equal(1, await ReadAsync(server, "ab", "x"));
        Assert.Null((await MetadataAsync(server, "a"))["@flags"]);
    }

    [Theory]
    [InlineData("none", """[{"Type":"Increment","CounterName":"x","Delta":1}]""", "none")]
    [InlineData("a", """[{"Type":"Zap","CounterName":"x","Delta":1}]""", "Type")]
    [InlineData("a", """[{"Type":"Increment","CounterName":"x"}]""", "Delta")]
    [InlineData("a", """[{"Type":"Increment","CounterName":"x","Delta":1.5}]""", "Delta")]
    [InlineData("a", """[{"Type":"Increment","CounterName":"","Delta":1}]""", "CounterName")]
    [InlineData("a", "7", "Operations")]
    public async Task An_invalid_change_of_counters_is_refused_with_400_and_changes_nothing(
        string id, string changes, string says)
    {
        string body = $$"""{"Documents":[{"DocumentId":"{{id}}","Operations":{{changes}}}]}""";
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        (await server.SendAsync("POST", "~/counters", body)).ExpectError(400, says);
        Assert.Null(await ReadAsync(server, "a", "x"));
    }

    [Fact]
    public async Task A_counter_that_would_overflow_is_refused_and_so_is_its_batch()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", "{}");
        (await server.SendAsync("POST", "~/counters", Operation("a", "Put", "x", long.MaxValue)))
            .Expect(HttpStatusCode.OK);
        (await server.SendAsync("POST", "~/bulk_docs", """
            {"Commands":[{"Type":"PUT","Id":"b","Document":{}},{"Type":"Counters","Id":"a","Counters":{"Operations":[
              {"Type":"Increment","CounterName":"x","Delta":1}]}}]}
            """)).ExpectError(400, "64 bits");
        (await server.SendAsync("GET", "~/docs?id=b")).Expect(HttpStatusCode.NotFound);
        Assert.Equal(long.MaxValue, await ReadAsync(server, "a", "x"));
    }

    [Fact]
    public async Task A_bulk_insert_takes_counters()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/bulk_insert", """
            [{"Id":"a","Type":"PUT","Document":{}},
             {"Id":"a","Type":"Counters","Counters":{"DocumentId":"a","Operations":[
               {"Type":"Increment","CounterName":"x","Delta":5}]}}]
            """)).Expect(HttpStatusCode.OK);
        Assert.Equal(5, await ReadAsync(server, "a", "x"));
    }

    [Fact]
    public async Task A_compare_exchange_value_is_changed_only_if_the_expected_index_is_its_index()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        JsonNode made = await ExchangeAsync(server, "PUT", "K", 0, """{"Object":{"a":1}}""");
        Assert.True((bool)made["Successful"]!);
        long index = (long)made["Index"]!;
        JsonNode lost = await ExchangeAsync(server, "PUT", "k", 0, """{"Object":2}""");
        Assert.False((bool)lost["Successful"]!);
        Assert.Equal(index, (long)lost["Index"]!);
        Assert.Equal(1, (int)lost["Value"]!["Object"]!["a"]!);
        JsonNode set = await ExchangeAsync(server, "PUT", "k", index, """{"Object":2,"@metadata":{"m":true}}""");
        Assert.True((bool)set["Successful"]! && (long)set["Index"]! > index);
        JsonNode read = (await server.SendAsync("GET", "~/cmpxchg?key=K&key=none")).Json["Results"]!;
        Assert.Equal(2, (int)read[0]!["Value"]!["Object"]!);
        Assert.Equal("""{"Key":"none","Index":-1,"Value":null}""", read[1]!.ToJsonString());
        Assert.True((bool)read[0]!["Value"]!["@metadata"]!["m"]!);
        Assert.False((bool)(await ExchangeAsync(server, "DELETE", "k", index, null))["Successful"]!);
        Assert.True((bool)(await ExchangeAsync(server, "DELETE", "k", (long)set["Index"]!, null))["Successful"]!);
        Assert.Empty((await server.SendAsync("GET", "~/cmpxchg?startsWith=")).Json["Results"]!.AsArray());
    }

    [Fact]
    public async Task A_cluster_transaction_is_done_whole_or_not_at_all_and_guards_its_documents()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await ExchangeAsync(server, "PUT", "taken", 0, """{"Object":1}""");
        string body = """
            {"Commands":[{"Type":"PUT","Id":"a","Document":{"N":1}},
              {"Type":"CompareExchangePUT","Id":"KEY","Index":0,"Document":{"Object":1}}],
             "TransactionMode":"ClusterWide"}
            """;
        (await server.SendAsync("POST", "~/bulk_docs", body.Replace("KEY", "taken")))
            .ExpectError(409, "'taken'");
        (await server.SendAsync("GET", "~/docs?id=a")).Expect(HttpStatusCode.NotFound);
        JsonNode done = (await server.SendAsync("POST", "~/bulk_docs", body.Replace("KEY", "free")))
            .Expect(HttpStatusCode.Created).Json;
        Assert.True((long)done["TransactionIndex"]! > 0);
        Assert.Equal("free", (string?)done["Results"]![1]!["Key"]);
        Assert.Equal(2, done["Results"]!.AsArray().Count);

        // A session that never loaded the document cannot write it; one that did can.
        (await server.SendAsync("POST", "~/bulk_docs", body.Replace("KEY", "other"))).ExpectError(409, "rvn-atomic/a");
        string version = (string)done["Results"]![0]!["@change-vector"]!;
        string known = body.Replace("KEY", "other").Replace(
            "\"Id\":\"a\"", $"\"Id\":\"a\",\"OriginalChangeVector\":\"{version}\"");
        (await server.SendAsync("POST", "~/bulk_docs", known)).Expect(HttpStatusCode.Created);
        (await server.SendAsync("POST", "~/bulk_docs", known.Replace("other", "third"))).ExpectError(409, "A:");
    }

    private static string Operation(string id, string type, string name, long delta) => $$"""
        {"Documents":[{"DocumentId":"{{id}}","Operations":[
          {"Type":"{{type}}","CounterName":"{{name}}","Delta":{{delta}}}]}]}
        """;

    private static async Task<long?> ReadAsync(TestServer server, string id, string name)
    {
        HttpAnswer answer = await server.SendAsync("GET", $"~/counters?docId={id}&counter={name}");
        return (long?)answer.Expect(HttpStatusCode.OK).Json["Counters"]![0]?["TotalValue"];
    }

    private static async Task<JsonNode> MetadataAsync(TestServer server, string id) =>
        (await server.SendAsync("GET", $"~/docs?id={id}")).Expect(HttpStatusCode.OK)
            .Json["Results"]![0]!["@metadata"]!;

    private static async Task<JsonNode> ExchangeAsync(
        TestServer server, string method, string key, long index, string? body) =>
        (await server.SendAsync(method, $"~/cmpxchg?key={key}&index={index}", body)).Expect(HttpStatusCode.OK).Json;
}
