using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>Several reads in one request, and what is sent along with documents.</summary>
public sealed class MultiGetHttpTests
{
    [Fact]
    public async Task Each_request_of_a_multi_get_has_a_result_with_its_own_status()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string version = await server.PutAsync("a b/é", """{"X":1}""");
        HttpAnswer answer = await server.SendAsync("POST", "~/multi_get", $$$"""
            {"Requests":[
              {"Url":"/databases/db/docs","Query":"?&id=a%20b%2F%C3%A9","Method":"GET","Headers":{}},
              {"Url":"/databases/db/docs","Query":"?&id=none"},
              {"Url":"/databases/DB/docs?id=a%20b%2F%C3%A9","Headers":{"If-None-Match":"{{{version}}}"}},
              {"Url":"/databases/db/docs","Method":"POST","Content":"{\"Ids\":[\"a b/é\",\"none\"]}"},
              {"Url":"/databases/db/docs","Method":"POST","Content":"{"},
              {"Url":"/databases/db/nothing"}]}
            """);
        JsonArray results = answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
        Assert.Equal([200, 404, 304, 200, 400, 404], results.Select(result => (int)result!["StatusCode"]!));
        Assert.Equal(1, (int)results[0]!["Result"]!["Results"]![0]!["X"]!);
        Assert.Equal($"\"{version}\"", (string?)results[0]!["Headers"]!["ETag"]);
        Assert.Null(results[1]!["Result"]!["Results"]!.AsArray().Single());
        Assert.Null(results[2]!["Result"]);
        Assert.Null(results[3]!["Result"]!["Results"]![1]);
        Assert.Contains("JSON", (string?)results[4]!["Result"]!["Message"]);
        await server.AssertServesAsync();
    }

    [Fact]
    public async Task A_long_result_of_a_multi_get_is_plain_JSON_though_the_client_accepts_gzip()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string text = new('x', 20_000);
        await server.PutAsync("a", $"{{\"Text\":\"{text}\"}}");
        HttpAnswer answer = await server.SendAsync("POST", "~/multi_get", """
            {"Requests":[
              {"Url":"/databases/db/docs","Query":"?id=a","Headers":{"Accept-Encoding":"gzip"}},
              {"Url":"/databases/db/docs","Query":"?id=a","Headers":{"accept-encoding":"br"}}]}
            """);
        foreach (JsonNode? result in answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray())
        {
            Assert.Equal(text, (string?)result!["Result"]!["Results"]![0]!["Text"]);
            Assert.Null(result["Headers"]!["Content-Encoding"]);
        }
    }

    [Theory]
    [InlineData("POST", "/databases/db/bulk_docs", "no read")]
    [InlineData("PUT", "/databases/db/docs?id=a", "no read")]
    [InlineData("POST", "/databases/db/counters", "no read")]
    [InlineData("POST", "/databases/db/multi_get", "no read")]
    [InlineData("GET", "/databases/other/docs", "no read")]
    [InlineData("GET", "/databases", "no read")]
    public async Task A_request_of_a_multi_get_that_is_no_read_of_the_database_is_refused(
        string method, string url, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        HttpAnswer answer = await server.SendAsync(
            "POST", "~/multi_get", $$"""{"Requests":[{"Url":"{{url}}","Method":"{{method}}","Content":"{}"}]}""");
        JsonNode result = answer.Expect(HttpStatusCode.OK).Json["Results"]![0]!;
        Assert.Equal(400, (int)result["StatusCode"]!);
        Assert.Contains(says, (string?)result["Result"]!["Message"]);
    }

    [Theory]
    [InlineData("{}", "Requests")]
    [InlineData("""{"Requests":[7]}""", "Requests[0]")]
    [InlineData("""{"Requests":[{"Query":"?id=a"}]}""", "Url")]
    [InlineData("""{"Requests":[{"Url":"/databases/db/docs","Method":7}]}""", "Method")]
    public async Task A_wrong_body_of_a_multi_get_is_refused_with_the_reason(string body, string says)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        (await server.SendAsync("POST", "~/multi_get", body)).ExpectError(400, says);
    }

    [Fact]
    public async Task Included_counters_and_compare_exchange_values_are_sent_again_when_they_have_changed()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.PutAsync("a", """{"Ref":"b"}""");
        await server.PutAsync("b", "{}");
        await IncrementAsync(server);
        await server.SendAsync("PUT", "~/cmpxchg?key=k&index=0", """{"Object":[1]}""");
        const string url = "~/docs?id=a&id=b&id=none&include=Ref&counter=X&counter=y&cmpxchg=k&cmpxchg=none";
        HttpAnswer answer = await server.SendAsync("GET", url);
        JsonNode json = answer.Expect(HttpStatusCode.OK).Json;
        Assert.Equal(1, (int)json["CounterIncludes"]!["a"]![0]!["TotalValue"]!);
        Assert.Equal("x", (string?)json["CounterIncludes"]!["a"]![0]!["CounterName"]);
        Assert.Null(json["CounterIncludes"]!["a"]![1]);
        Assert.Equal(2, json["CounterIncludes"]!["b"]!.AsArray().Count);
        Assert.Equal(1, (int)json["CompareExchangeValueIncludes"]!["k"]!["Value"]!["Object"]![0]!);
        Assert.Equal(-1, (int)json["CompareExchangeValueIncludes"]!["none"]!["Index"]!);
        string known = $"If-None-Match: {answer.Message.Headers.ETag}";
        (await server.SendAsync("GET", url, body: (string?)null, known)).Expect(HttpStatusCode.NotModified);
        await IncrementAsync(server);
        HttpAnswer changed = await server.SendAsync("GET", url, body: (string?)null, known);
        JsonNode later = changed.Expect(HttpStatusCode.OK).Json;
        Assert.Equal(2, (int)later["CounterIncludes"]!["a"]![0]!["TotalValue"]!);
        JsonNode all = (await server.SendAsync("GET", "~/docs?id=a&counter=@all_counters")).Json;
        Assert.Single(all["CounterIncludes"]!["a"]!.AsArray());
    }

    private static async Task IncrementAsync(TestServer server) => (await server.SendAsync("POST", "~/counters", """
        {"Documents":[{"DocumentId":"a","Operations":[{"Type":"Increment","CounterName":"x","Delta":1}]}]}
        """)).Expect(HttpStatusCode.OK);
}
