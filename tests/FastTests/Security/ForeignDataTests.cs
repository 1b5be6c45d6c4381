using System.Text.Json.Nodes;
using FastTests.Server;
using FastTests.Support;

namespace FastTests.Security;

/// <summary>Queries and scripts reach neither another database nor what a script of another caller has left.</summary>
public sealed class ForeignDataTests : IClassFixture<SecuredServer>
{
    private const string Canary = "canary-of-blue";

    private readonly SecuredServer _secured;

    public ForeignDataTests(SecuredServer secured)
    {
        _secured = secured;
        Put("blue", "secrets/1", $$$"""{"Text":"{{{Canary}}}","@metadata":{"@collection":"Secrets"}}""");
        Put("red", "users/1", """{"Ref":"secrets/1","@metadata":{"@collection":"Users"}}""");
    }

    [Theory]
    [InlineData("from Users include Ref")]
    [InlineData("from Users as u load u.Ref as s select { T: s }")]
    [InlineData("from Users as u select { T: load('secrets/1'), V: load('blue/secrets/1') }")]
    [InlineData("from Users as u select { T: load('/databases/blue/docs?id=secrets/1') }")]
    [InlineData("from Users as u select { T: cmpxchg('secrets/1'), V: cmpxchg('blue/secrets/1') }")]
    [InlineData("from 'blue'.Secrets")]
    [InlineData("from blue.Secrets")]
    [InlineData("from Secrets")]
    [InlineData("from @all_docs where id() = 'secrets/1'")]
    [Trait("Security", "31")]
    public void A_query_that_names_ids_of_another_database_reads_nothing_of_it(string query)
    {
        string body = new JsonObject { ["Query"] = query }.ToJsonString();
        InMemoryRequest answer = _secured.Send("R", "POST", "/databases/red/queries", body);
        Assert.InRange(answer.StatusCode, 200, 499);
        Assert.DoesNotContain(Canary, answer.Answer, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("from Users include Ref")]
    [InlineData("from Users as u load u.Ref as s select { T: s }")]
    [InlineData("from Users as u select { T: load('secrets/1'), V: load('blue/secrets/1') }")]
    [InlineData("from Users as u select { T: load('/databases/blue/docs?id=secrets/1') }")]
    [InlineData("from Users as u where cmpxchg('secrets/1') == null select { V: cmpxchg('blue/secrets/1') }")]
    [InlineData("declare function f(u) { include('secrets/1'); return u; } from Users as u select f(u)")]
    [InlineData("from 'blue'.Secrets")]
    [InlineData("from blue.Secrets")]
    [InlineData("from Secrets")]
    [InlineData("from @all_docs")]
    [Trait("Security", "31")]
    public void A_subscription_that_names_ids_of_another_database_sends_nothing_of_it(string query)
    {
        string body = new JsonObject { ["Query"] = query }.ToJsonString();
        InMemoryRequest tried = _secured.Send("R", "POST", "/databases/red/subscriptions/try", body);
        InMemoryRequest read = _secured.Send(
            "R", "GET", $"/databases/red/feed?query={Uri.EscapeDataString(query)}");
        foreach (InMemoryRequest answer in new[] { tried, read })
        {
            Assert.InRange(answer.StatusCode, 200, 499);
            Assert.DoesNotContain(Canary, answer.Answer, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("this.T = load('secrets/1');")]
    [InlineData("this.T = load('/databases/blue/docs?id=secrets/1');")]
    [InlineData("this.T = cmpxchg('secrets/1');")]
    [Trait("Security", "31")]
    public void A_script_that_names_ids_of_another_database_reads_nothing_of_it(string script)
    {
        InMemoryRequest answer = Patch("W", "red", "users/1", script);
        Assert.InRange(answer.StatusCode, 200, 499);
        Assert.DoesNotContain(Canary, Get("red", "users/1"), StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "31")]
    public void An_index_that_names_ids_of_another_database_has_nothing_of_it()
    {
        const string map =
            "map('Users', u => { const s = load('secrets/1', 'Secrets') || load(u.Ref, 'Secrets'); "
            + "return { T: s ? s.Text : 'nothing' }; })";
        var index = new JsonObject { ["Name"] = "foreign", ["Maps"] = new JsonArray(map) };
        InMemoryRequest put = _secured.Send(
            "W", "PUT", "/databases/red/indexes", new JsonObject { ["Indexes"] = new JsonArray(index) }.ToJsonString());
        Assert.True(put.StatusCode == 201, put.Answer);
        string query = new JsonObject { ["Query"] = "from index 'foreign' where T = 'nothing'" }.ToJsonString();
        InMemoryRequest? found = null;
        Deadline.Until(() =>
        {
            found = _secured.Send("R", "POST", "/databases/red/queries", query);
            return found.StatusCode != 200 || found.Answer.Contains("\"TotalResults\":1", StringComparison.Ordinal);
        });
        Assert.True(found!.StatusCode == 200, found.Answer);
        InMemoryRequest terms = _secured.Send("R", "GET", "/databases/red/indexes/terms?name=foreign&field=T");
        Assert.Equal(200, terms.StatusCode);
        Assert.DoesNotContain(Canary, terms.Answer, StringComparison.Ordinal);
        Assert.Contains("nothing", terms.Answer, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "32")]
    public void A_regular_expression_of_a_script_does_not_know_where_another_run_has_stopped()
    {
        const string script =
            "const r = /canary/g; this.Before = r.lastIndex; r.test('canary-of-blue'); this.After = r.lastIndex; "
            + "this.Legacy = typeof RegExp.$1 === 'string' ? RegExp.$1 : ''; this.Input = RegExp.input || '';";
        foreach ((string database, string id) in new[]
            { ("blue", "secrets/1"), ("red", "users/1"), ("red", "users/1") })
        {
            Assert.Equal(200, Patch("O", database, id, script).StatusCode);
            string document = Get(database, id);
            Assert.Contains("\"Before\":0", document, StringComparison.Ordinal);
            Assert.Contains("\"After\":6", document, StringComparison.Ordinal);
        }

        Assert.DoesNotContain(Canary, Get("red", "users/1"), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("globalThis.leak = 'canary-of-blue';")]
    [InlineData("leak = 'canary-of-blue';")]
    [InlineData("Object.prototype.leak = 'canary-of-blue';")]
    [InlineData("Array.prototype.leak = 'canary-of-blue';")]
    [InlineData("String.prototype.leak = 'canary-of-blue'; Math.leak = 'canary-of-blue';")]
    [InlineData("JSON.leak = 'canary-of-blue'; load.leak = 'canary-of-blue';")]
    [Trait("Security", "32")]
    public void What_a_script_leaves_behind_is_not_seen_by_the_script_of_another_caller(string script)
    {
        Assert.InRange(Patch("O", "blue", "secrets/1", script).StatusCode, 200, 499);
        InMemoryRequest answer = Patch(
            "W", "red", "users/1",
            "this.A = typeof leak; this.B = ({}).leak; this.C = [].leak; this.D = ''.leak; this.E = Math.leak; "
            + "this.F = JSON.leak; this.G = load.leak;");
        Assert.InRange(answer.StatusCode, 200, 499);
        string document = Get("red", "users/1");
        Assert.DoesNotContain(Canary, document, StringComparison.Ordinal);
        Assert.DoesNotContain("\"A\":\"string\"", document, StringComparison.Ordinal);
    }

    private void Put(string database, string id, string json) => Assert.Equal(
        201, _secured.Send("O", "PUT", $"/databases/{database}/docs?id={Uri.EscapeDataString(id)}", json).StatusCode);

    private string Get(string database, string id) =>
        _secured.Send("O", "GET", $"/databases/{database}/docs?id={Uri.EscapeDataString(id)}").Answer;

    private InMemoryRequest Patch(string caller, string database, string id, string script)
    {
        string body = new JsonObject { ["Patch"] = new JsonObject { ["Script"] = script } }.ToJsonString();
        return _secured.Send(caller, "PATCH", $"/databases/{database}/docs?id={Uri.EscapeDataString(id)}", body);
    }
}
