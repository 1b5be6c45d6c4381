using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Server.Http.Commands;

namespace FastTests.Security;

/// <summary>What the parts of a batch, of a multi-get and of a query may do.</summary>
public sealed class BatchRightsTests : IClassFixture<SecuredServer>
{
    private const string Secret = "secrets/1";
    private const string Batch = "/databases/red/bulk_docs";

    /// <summary>One command of each type that is served, about an id that the other database has.</summary>
    private static readonly (string Type, string Members)[] Commands =
    [
        ("PUT", "\"Document\":{}"),
        ("DELETE", "\"ChangeVector\":null"),
        ("PATCH", "\"Patch\":{\"Script\":\"this.X = 1; put('secrets/2', {}); del('secrets/1');\"}"),
        ("BatchPATCH", "\"Ids\":[{\"Id\":\"secrets/1\"}],\"Patch\":{\"Script\":\"this.X = 1;\"}"),
        ("JsonPatch", "\"JsonPatch\":{\"Operations\":[{\"op\":\"add\",\"path\":\"/X\",\"value\":1}]}"),
        ("AttachmentPUT", "\"Name\":\"file\",\"ContentType\":\"text/plain\""),
        ("AttachmentDELETE", "\"Name\":\"file\""),
        ("AttachmentCOPY", "\"Name\":\"file\",\"DestinationId\":\"own\",\"DestinationName\":\"copy\""),
        ("AttachmentMOVE", "\"Name\":\"file\",\"DestinationId\":\"own\",\"DestinationName\":\"moved\""),
        ("Counters", "\"Counters\":{\"Operations\":[{\"Type\":\"Increment\",\"CounterName\":\"n\",\"Delta\":1}]}"),
        ("CompareExchangePUT", "\"Document\":{\"Object\":1},\"Index\":0"),
        ("CompareExchangeDELETE", "\"Index\":1"),
        ("ForceRevisionCreation", "\"ChangeVector\":null"),
        ("HeartBeat", "\"ChangeVector\":null"),
    ];

    private readonly SecuredServer _secured;

    public BatchRightsTests(SecuredServer secured)
    {
        _secured = secured;
        if (_secured.Send("O", "GET", $"/databases/blue/docs?id={Secret}").StatusCode == 404)
        {
            Expect(201, "O", "PUT", $"/databases/blue/docs?id={Secret}", """{"Text":"canary-of-blue"}""");
            Expect(201, "O", "PUT", $"/databases/blue/attachments?id={Secret}&name=file", "canary-of-blue");
            Expect(201, "O", "PUT", "/databases/red/docs?id=own", "{}");
        }
    }

    [Fact]
    [Trait("Security", "27")]
    public void A_batch_changes_the_database_of_its_path_alone_whatever_ids_its_commands_name()
    {
        string before = Blue();
        foreach ((string type, string members) in Commands)
        {
            InMemoryRequest answer = _secured.Send(
                "W", "POST", Batch, Command(type, Secret, members));
            Assert.InRange(answer.StatusCode, 200, 499);
            Assert.DoesNotContain("canary-of-blue", answer.Answer, StringComparison.Ordinal);
            Assert.Equal(before, Blue());
        }

        InMemoryRequest copied = _secured.Send("W", "GET", "/databases/red/attachments?id=own&name=copy");
        Assert.Equal(404, copied.StatusCode);
        Assert.Equal(404, _secured.Send("W", "GET", $"/databases/red/attachments?id={Secret}&name=file").StatusCode);
    }

    [Fact]
    [Trait("Security", "27")]
    public void Each_type_of_command_is_refused_to_who_may_only_read_before_the_body_is_read()
    {
        foreach ((string type, string members) in Commands)
        {
            CommandKind kind = CommandTypes.Parse(System.Text.Encoding.UTF8.GetBytes(type), out _, out _);
            Assert.NotEqual(CommandKind.Unknown, kind);
            InMemoryRequest answer = _secured.Send(
                "R", "POST", Batch, Command(type, "own", members));
            Assert.Equal(403, answer.StatusCode);
            Assert.False(answer.WasBodyRead);
        }
    }

    [Theory]
    [InlineData("put")]
    [InlineData("Put")]
    [InlineData("Delete")]
    [InlineData("")]
    [InlineData("PUT ")]
    [InlineData("ClusterPUT")]
    [InlineData("SavingConfiguration")]
    [Trait("Security", "27")]
    public void A_batch_with_an_unknown_type_changes_nothing(string type)
    {
        InMemoryRequest answer = _secured.Send(
            "W", "POST", Batch,
            $$"""
            {"Commands":[
              {"Type":"PUT","Id":"unknown","Document":{} },{"Type":"{{type}}","Id":"own","Document":{"X":1} }]}
            """);
        Assert.True(answer.StatusCode == 400, answer.Answer);
        Assert.Equal(404, _secured.Send("W", "GET", "/databases/red/docs?id=unknown").StatusCode);
    }

    [Fact]
    [Trait("Security", "26")]
    public void A_multi_get_has_a_bounded_number_of_requests_and_their_headers_change_no_identity()
    {
        string one = """{"Url":"/databases/red/docs","Query":"?id=own"}""";
        string many = $"{{\"Requests\":[{string.Join(',', Enumerable.Repeat(one, 10_000))}]}}";
        Expect(413, "R", "POST", "/databases/red/multi_get", many);

        string header = _secured.Caller("K").Header!;
        InMemoryRequest answer = Expect(
            200, "R", "POST", "/databases/red/multi_get",
            $$"""
            {"Requests":[
              {"Url":"/databases/red/indexes","Headers":{"Authorization":"Bearer rvk_wrong"} },
              {"Url":"/databases/red/hilo/next","Query":"?tag=x","Headers":{"Authorization":"{{header}}"} },
              {"Url":"/databases/red/docs","Query":"?id=own","Method":"GET",
               "Headers":{"X-HTTP-Method-Override":"DELETE","Host":"evil.example","Origin":"https://evil.example"} }]}
            """);
        Assert.Equal(
            [200, 403, 200],
            JsonNode.Parse(answer.Answer)!["Results"]!.AsArray().Select(result => (int)result!["StatusCode"]!));
    }

    [Theory]
    [InlineData("POST", "/databases/red/queries", 400)]
    [InlineData("POST", "/databases/red/streams/queries", 400)]
    [InlineData("PATCH", "/databases/red/queries", 403)]
    [InlineData("DELETE", "/databases/red/queries", 403)]
    [Trait("Security", "28")]
    public void Who_may_only_read_changes_nothing_by_a_query(string method, string target, int status)
    {
        string red = Red();
        foreach (string query in new[]
        {
            "from @all_docs update { this.X = 1; }", "from @all_docs as d update { put('made', {}); }",
            "from @all_docs as d select { X: put('made', {}) }", "from @all_docs as d select { X: del('own') }",
        })
        {
            string body = new JsonObject { ["Query"] = new JsonObject { ["Query"] = query } }.ToJsonString();
            string plain = new JsonObject { ["Query"] = query }.ToJsonString();
            InMemoryRequest answer = _secured.Send("R", method, target, status == 403 ? body : plain);
            Assert.True(answer.StatusCode == status, $"{query}: {answer.StatusCode} {answer.Answer}");
        }

        string encoded = Uri.EscapeDataString("from @all_docs update { this.X = 1; }");
        Assert.Equal(400, _secured.Send("R", "GET", $"/databases/red/queries?query={encoded}").StatusCode);
        Assert.Equal(red, Red());
    }

    [Fact]
    [Trait("Security", "28")]
    public void Who_may_only_read_takes_no_numbers_and_a_posted_read_stays_a_read()
    {
        string red = Red();
        foreach ((string method, string target) in new[]
        {
            ("PUT", "/databases/red/hilo/return?tag=users&end=1&last=1"),
            ("GET", "/databases/red/hilo/next?tag=users"), ("POST", "/databases/red/identity/next?name=users"),
            ("POST", "/databases/red/identity/seed?name=a&value=9"),
            ("PUT", "/databases/red/cmpxchg?key=a&index=0"), ("DELETE", "/databases/red/cmpxchg?key=a&index=0"),
        })
        {
            Expect(403, "R", method, target, "{}");
        }

        InMemoryRequest read = _secured.Request(
            _secured.Caller("R"), "POST", "/databases/red/docs", """{"Ids":["own"]}""");
        read.Request["X-HTTP-Method-Override"] = "DELETE";
        read.Request["X-Original-Method"] = "PUT";
        read.Request["X-Original-URL"] = "/admin/databases";
        Assert.Equal(200, _secured.Server.Send(read));
        Assert.Equal(red, Red());
    }

    private InMemoryRequest Expect(int status, string caller, string method, string target, string body = "")
    {
        InMemoryRequest answer = _secured.Send(caller, method, target, body);
        Assert.True(answer.StatusCode == status, $"{method} {target}: {answer.StatusCode} {answer.Answer}");
        return answer;
    }

    private static string Command(string type, string id, string members) =>
        $"{{\"Commands\":[{{\"Type\":\"{type}\",\"Id\":\"{id}\",{members}}}]}}";

    /// <summary>All that could have been changed in the database without a right to it.</summary>
    private string Blue() => string.Join('\n', new[]
    {
        "docs", "attachments?id=secrets/1&name=file", "counters?docId=secrets/1", "cmpxchg?startsWith=",
        "debug/identities", "revisions?id=secrets/1", "collections/stats",
    }.Select(route => _secured.Send("O", "GET", "/databases/blue/" + route).Answer));

    /// <summary>The documents and numbers of the database that may be read.</summary>
    private string Red() => string.Join('\n', new[] { "docs", "debug/identities", "cmpxchg?startsWith=" }
        .Select(route => _secured.Send("O", "GET", "/databases/red/" + route).Answer));
}
