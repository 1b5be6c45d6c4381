using System.Globalization;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Support;
using Raven.Documents;
using Raven.Documents.Indexing;

namespace FastTests.Security;

/// <summary>A number or a depth in a request never makes the server work or keep more than its limits say.</summary>
public sealed class BoundedWorkTests(LimitedServer limited) : IClassFixture<LimitedServer>
{
    private readonly SecuredServer _secured = limited.Secured;

    [Theory]
    [InlineData("R", "/databases/red/docs?startsWith=a")]
    [InlineData("R", "/databases/red/docs?")]
    [InlineData("R", "/databases/red/queries?query=from%20%40all_docs")]
    [InlineData("R", "/databases/red/streams/docs?startsWith=a")]
    [InlineData("R", "/databases/red/indexes?")]
    [InlineData("R", "/databases/red/revisions?id=a")]
    [InlineData("R", "/databases/red/revisions/bin?")]
    [InlineData("R", "/databases/red/cmpxchg?startsWith=a")]
    [InlineData("R", "/databases?")]
    [InlineData("O", "/admin/certificates?")]
    [InlineData("O", "/admin/api-keys?")]
    [Trait("Security", "53")]
    public void A_page_of_any_size_and_place_is_answered_with_what_is_there_or_refused(string caller, string target)
    {
        foreach (string name in new[] { "pageSize", "start" })
        {
            foreach (string number in new[]
            {
                "2147483647", "2147483648", "1000000000000", "9223372036854775807", "9223372036854775808", "-1",
                "-9223372036854775808", "1e9", "0x7fffffff", "%2B1", "NaN",
            })
            {
                InMemoryRequest answer = _secured.Send(caller, "GET", $"{target}&{name}={number}");
                bool isNumber = long.TryParse(
                    number, NumberStyles.None, CultureInfo.InvariantCulture, out _);
                Assert.True(
                    answer.StatusCode == 400 || (isNumber && answer.StatusCode == 200),
                    $"{name}={number}: {answer.StatusCode} {answer.Answer}");
            }
        }
    }

    [Fact]
    [Trait("Security", "53")]
    public void Ids_of_operations_that_are_asked_for_and_never_used_are_kept_nowhere()
    {
        InMemoryRequest connection = _secured.Request(
            _secured.Caller("R"), "GET", "/databases/red/operations/next-operation-id");
        long last = 0;
        for (int i = 0; i < 5000; i++)
        {
            Assert.Equal(200, _secured.Server.Send(connection));
            long id = (long)JsonNode.Parse(connection.Answer)!["Id"]!;
            Assert.True(id > last);
            last = id;
        }

        Assert.Empty(_secured.Server.State.Operations.All);
    }

    [Theory]
    [InlineData("GET", "/databases/red/hilo/next?tag=users&lastBatchSize=NUMBER&lastRangeAt=2026-11-21T12:00:00Z")]
    [InlineData("GET", "/databases/red/hilo/next?tag=users&lastMax=NUMBER")]
    [InlineData("PUT", "/databases/red/hilo/return?tag=users&end=NUMBER&last=NUMBER")]
    [InlineData("POST", "/databases/red/identity/seed?name=users&value=NUMBER")]
    [InlineData("POST", "/databases/red/identity/seed?name=users&force=true&value=NUMBER")]
    [Trait("Security", "53")]
    public void No_number_uses_up_or_overflows_those_of_ids(string method, string target)
    {
        foreach (string number in new[]
            { "4611686018427387904", "9223372036854775807", "9223372036854775808", "-1", "1e18" })
        {
            InMemoryRequest answer = _secured.Send(
                "W", method, target.Replace("NUMBER", number, StringComparison.Ordinal));
            Assert.InRange(answer.StatusCode, 200, 499);
        }

        JsonNode range = JsonNode.Parse(Expect(200, "W", "GET", "/databases/red/hilo/next?tag=users").Answer)!;
        Assert.InRange((long)range["High"]!, 1, 1 << 24);
        JsonNode next = JsonNode.Parse(Expect(200, "W", "POST", "/databases/red/identity/next?name=users").Answer)!;
        Assert.InRange((long)next["NewIdentityValue"]!, 1, 1000);
    }

    [Theory]
    [InlineData("O", "PUT", "/admin/certificates")]
    [InlineData("O", "POST", "/admin/certificates")]
    [InlineData("O", "POST", "/admin/certificates/edit")]
    [InlineData("O", "POST", "/admin/api-keys")]
    [InlineData("C", "POST", "/admin/certificates/replace-cluster-cert")]
    [InlineData("O", "PUT", "/admin/databases?name=deep")]
    [InlineData("O", "PUT", "/admin/configuration/client")]
    [InlineData("O", "POST", "/admin/logs/configuration")]
    [InlineData("A", "PUT", "/databases/red/admin/configuration/settings")]
    [InlineData("A", "POST", "/databases/red/admin/revisions/config")]
    [InlineData("A", "POST", "/databases/red/admin/expiration/config")]
    [InlineData("W", "PUT", "/databases/red/indexes")]
    [InlineData("W", "PUT", "/databases/red/docs?id=deep")]
    [InlineData("W", "PATCH", "/databases/red/docs?id=deep")]
    [InlineData("W", "POST", "/databases/red/bulk_docs")]
    [InlineData("R", "POST", "/databases/red/queries")]
    [InlineData("R", "POST", "/databases/red/multi_get")]
    [Trait("Security", "54")]
    public void A_body_that_is_too_deep_or_too_wide_is_refused_by_each_route(
        string caller, string method, string target)
    {
        string before = Trusted();
        string deep = new StringBuilder().Insert(0, "{\"a\":", 5000).Append("{}").Append('}', 5000).ToString();
        string list = $"{{\"a\":{new string('[', 5000)}{new string(']', 5000)}}}";
        string wide = Wide();
        string[] bodies = [deep, list, wide, $"{{\"Name\":{deep}}}", $"{{\"Query\":\"x\",\"Commands\":{list}}}"];
        foreach (string body in bodies)
        {
            InMemoryRequest answer = _secured.Send(caller, method, target, body);
            Assert.True(answer.StatusCode == 400, $"{answer.StatusCode} {answer.Answer} for {body[..20]}");
        }

        Assert.Equal(before, Trusted());
        Assert.False(_secured.Server.State.Databases.TryGet("deep", out _));
        Assert.Equal(404, _secured.Send("W", "GET", "/databases/red/docs?id=deep").StatusCode);
    }

    [Fact]
    [Trait("Security", "54")]
    public void A_wide_document_of_a_batch_is_refused_as_a_whole()
    {
        string wide = Wide();
        InMemoryRequest answer = _secured.Send(
            "W", "POST", "/databases/red/bulk_docs",
            "{\"Commands\":[{\"Type\":\"PUT\",\"Id\":\"first\",\"Document\":{}},"
            + $"{{\"Type\":\"PUT\",\"Id\":\"wide\",\"Document\":{wide}}}]}}");
        Assert.Equal(400, answer.StatusCode);
        Assert.Equal(404, _secured.Send("W", "GET", "/databases/red/docs?id=first").StatusCode);
    }

    [Fact]
    [Trait("Security", "29")]
    public void Queries_of_who_may_only_read_make_a_bounded_number_of_indexes_and_others_go_on()
    {
        Expect(201, "W", "PUT", "/databases/red/docs?id=kept/1", """{"A":1,"@metadata":{"@collection":"Kept"}}""");
        string known = Query("from Kept where A = 1");
        Assert.Equal(200, _secured.Send("R", "POST", "/databases/red/queries", known).StatusCode);
        int refused = 0;
        for (int i = 0; i < 40; i++)
        {
            // A collection that is not there, and a grouping that no other index has.
            foreach (string text in new[] { $"from Many{i} where X = 1", $"from Kept group by G{i} select key()" })
            {
                InMemoryRequest answer = _secured.Send("R", "POST", "/databases/red/queries", Query(text));
                Assert.True(answer.StatusCode is 200 or 400, answer.Answer);
                refused += answer.StatusCode == 400 ? 1 : 0;
                Assert.Equal(
                    answer.StatusCode == 400, answer.Answer.Contains("Limits.AutoIndexes", StringComparison.Ordinal));
            }
        }

        Assert.InRange(refused, 80 - LimitedServer.AutoIndexesMax, 80);
        Assert.True(_secured.Server.State.Databases.TryGet("red", out Database? red));
        Assert.InRange(red.Indexes.All.Count, 1, LimitedServer.AutoIndexesMax);
        Assert.Equal(200, _secured.Send("R", "POST", "/databases/red/queries", known).StatusCode);
        Expect(201, "W", "PUT", "/databases/red/docs?id=kept/2", """{"A":1,"@metadata":{"@collection":"Kept"}}""");
        Deadline.Until(() => _secured.Send("R", "POST", "/databases/red/queries", known).Answer.Contains(
            "kept/2", StringComparison.Ordinal));

        static string Query(string text) => new JsonObject { ["Query"] = text }.ToJsonString();
    }

    private static string Wide() =>
        $"{{{string.Join(',', Enumerable.Range(0, LimitedServer.PropertiesMax + 1).Select(i => $"\"p{i}\":0"))}}}";

    private InMemoryRequest Expect(int status, string caller, string method, string target, string body = "")
    {
        InMemoryRequest answer = _secured.Send(caller, method, target, body);
        Assert.True(answer.StatusCode == status, $"{answer.StatusCode} {answer.Answer}");
        return answer;
    }

    private string Trusted() => string.Join(
        '\n', _secured.Server.State.Databases.Records.Read("trust/").Select(record => record.Key));
}
