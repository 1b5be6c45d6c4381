using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server.Answers;

/// <summary>
/// Answers that clients read with readers written by hand: an order that they rely on, and members that they refuse.
/// </summary>
public sealed class HandWrittenReaderTests(AnswerFixture fixture) : IClassFixture<AnswerFixture>
{
    private TestServer Server => fixture.Server;

    [Fact]
    [Trait("Fault", "E3")]
    public async Task A_stream_of_a_query_has_its_statistics_before_its_results_and_no_other_members()
    {
        HttpAnswer answer = await Server.SendAsync(
            "POST", "~/streams/queries", """{"Query":"from Users"}""");
        JsonObject all = answer.Expect(HttpStatusCode.OK).Json.AsObject();
        Assert.Equal(
            ["ResultEtag", "IsStale", "IndexName", "TotalResults", "IndexTimestamp", "Results"],
            all.Select(one => one.Key));
        Assert.Equal((int)all["TotalResults"]!, all["Results"]!.AsArray().Count);
        Assert.EndsWith("]}", answer.Text, StringComparison.Ordinal);
        HttpAnswer none = await Server.SendAsync("POST", "~/streams/queries", """{"Query":"from Nothing"}""");
        Assert.EndsWith("\"Results\":[]}", none.Expect(HttpStatusCode.OK).Text, StringComparison.Ordinal);
        HttpAnswer documents = await Server.SendAsync("GET", "~/streams/docs?pageSize=1");
        Assert.Equal("Results", documents.Json.AsObject().Single().Key);
    }

    [Fact]
    [Trait("Fault", "E38")]
    public async Task Each_answer_of_a_multi_get_has_three_members()
    {
        HttpAnswer answer = await Server.SendAsync("POST", "~/multi_get", """
            {"Requests":[{"Url":"/databases/db/docs","Query":"?id=users/1"},
              {"Url":"/databases/db/docs","Query":"?id=none"},{"Url":"/databases/db/nothing","Query":""}]}
            """);
        JsonArray results = answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
        Assert.Equal(3, results.Count);
        Assert.All(results, one => Assert.Equal(
            ["Headers", "Result", "StatusCode"], one!.AsObject().Select(member => member.Key).Order()));
    }

    [Fact]
    [Trait("Fault", "E39")]
    public async Task The_first_message_of_a_changes_connection_announces_that_earlier_changes_are_unknown()
    {
        using ChangesClient client = await ChangesClient.ConnectAsync(Server);
        Assert.Equal("""{"TopologyChange":true,"AggressiveCachingChange":true}""", client.First.ToJsonString());
        Assert.Equal("Confirm", (string?)(await client.WatchAsync("watch-docs"))["Type"]);
    }

    [Fact]
    [Trait("Fault", "E15")]
    [Trait("Fault", "E37")]
    public async Task The_message_of_an_error_and_of_a_failed_operation_begins_with_the_exception_type()
    {
        HttpAnswer wrong = await Server.SendAsync("GET", "~/queries?query=nonsense");
        Assert.StartsWith($"{wrong.Json["Type"]}: ", (string?)wrong.Json["Error"], StringComparison.Ordinal);
        Assert.EndsWith((string)wrong.Json["Message"]!, (string?)wrong.Json["Error"], StringComparison.Ordinal);
        JsonNode failed = (await Server.SendAsync("GET", $"~/operations/state?id={fixture.FailedOperation}"))
            .Json["Result"]!;
        Assert.Equal(
            "Raven.Client.Documents.Operations.OperationExceptionResult, Raven.Client", (string?)failed["$type"]);
        Assert.StartsWith(
            "Raven.Client.Exceptions.Documents.Patching.JavaScriptException: ", (string?)failed["Error"],
            StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "E1")]
    public async Task The_topology_of_a_database_is_complete_and_keeps_its_id()
    {
        HttpAnswer made = await Server.SendAsync("PUT", "/admin/databases?name=second", "{}");
        JsonNode topology = made.Expect(HttpStatusCode.Created).Json["Topology"]!;
        Assert.Equal(
            ["Members", "Promotables", "Rehabs", "PredefinedMentors", "DemotionReasons", "PromotablesStatus", "Stamp",
                "DatabaseTopologyIdBase64", "ClusterTransactionIdBase64", "ReplicationFactor",
                "DynamicNodesDistribution", "PriorityOrder", "NodesModifiedAt"],
            topology.AsObject().Select(one => one.Key));
        Assert.Equal(22, ((string)topology["DatabaseTopologyIdBase64"]!).Length);
        JsonNode record = (await Server.SendAsync("GET", "/admin/databases?name=second")).Json;
        Assert.Equal(topology.ToJsonString(), record["Topology"]!.ToJsonString());
        Assert.NotEqual(
            (string?)topology["DatabaseTopologyIdBase64"],
            (string?)(await Server.SendAsync("GET", "/admin/databases?name=db"))
                .Json["Topology"]!["DatabaseTopologyIdBase64"]);
    }

    [Fact]
    [Trait("Fault", "E35")]
    public void Every_time_has_seven_fractional_digits_even_if_it_ends_with_zeros()
    {
        var buffer = new System.Buffers.ArrayBufferWriter<byte>();
        using (var json = new Utf8JsonWriter(buffer))
        {
            json.WriteStartObject();
            Raven.Server.Http.JsonTimes.WriteTime(
                json, "At"u8, new DateTimeOffset(2026, 11, 26, 13, 0, 0, TimeSpan.FromHours(1)));
            Raven.Server.Http.JsonTimes.WriteTime(json, "None"u8, null);
            json.WriteEndObject();
        }

        Assert.Equal(
            """{"At":"2026-11-26T12:00:00.0000000Z","None":null}""",
            System.Text.Encoding.UTF8.GetString(buffer.WrittenSpan));
    }

    [Fact]
    [Trait("Fault", "A15")]
    public async Task The_detailed_statistics_of_collections_have_their_sizes()
    {
        JsonNode users = (await Server.SendAsync("GET", "~/collections/stats/detailed")).Json["Collections"]!["Users"]!;
        long documents = (long)users["DocumentsSize"]!["SizeInBytes"]!;
        long revisions = (long)users["RevisionsSize"]!["SizeInBytes"]!;
        long tombstones = (long)users["TombstonesSize"]!["SizeInBytes"]!;
        Assert.InRange(documents, 300, 3000);
        Assert.InRange(revisions, 300, 10_000);
        Assert.Equal(documents + revisions + tombstones, (long)users["Size"]!["SizeInBytes"]!);
        Assert.Contains("Bytes", (string?)users["Size"]!["HumaneSize"], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Fault", "B14")]
    public async Task Members_of_a_body_that_the_server_does_not_read_are_named_in_a_header()
    {
        HttpAnswer answer = await Server.SendAsync(
            "POST", "~/queries", """{"Query":"from Users","Limit":1,"ü":2,"DisableCaching":true}""");
        Assert.Equal(
            "The body has members that are not known and were ignored: 'Limit', '?'",
            answer.Expect(HttpStatusCode.OK).Message.Headers.GetValues("Raven-Warning").Single());
        HttpAnswer known = await Server.SendAsync("POST", "~/queries", """{"Query":"from Users","PageSize":1}""");
        Assert.False(known.Message.Headers.Contains("Raven-Warning"));
        HttpAnswer patch = await Server.SendAsync(
            "PATCH", "~/docs?id=users/3", """{"Patch":{"Script":"this.A = 1"},"PatchIfMising":null}""");
        Assert.Contains("'PatchIfMising'", patch.Message.Headers.GetValues("Raven-Warning").Single(),
            StringComparison.Ordinal);
    }
}
