using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace FastTests.Security;

/// <summary>An error has what its caller sent and what the server knows of that, and nothing of others.</summary>
[Trait("Security", "52")]
public sealed class ForeignBytesTests : IClassFixture<SecuredServer>
{
    private const string Canary = "canary";

    private readonly SecuredServer _secured;

    public ForeignBytesTests(SecuredServer secured)
    {
        _secured = secured;
        LeaveBehind();
    }

    [Fact]
    public void A_document_that_is_wrong_at_any_place_is_refused_without_bytes_of_others()
    {
        const string whole =
            """
            {"Name":"Chai","Lines":[1,2.5,-3e7,{"A":null,"B":[true,false]}],"Text":"\u00e4\n\\ and more",
             "Nested":{"One":{"Two":{"Three":"deep enough to have some places"}}},"Time":"2026-11-21",
             "@metadata":{"@collection":"Products"}}
            """;
        Assert.InRange(whole.Length, 200, 400);
        for (int place = 0; place < whole.Length; place++)
        {
            if (place % 50 == 0)
            {
                LeaveBehind();
            }

            foreach (string wrong in new[]
                { whole[..place], whole.Remove(place, 1).Insert(place, "\u0001"), whole.Insert(place, "}") })
            {
                AssertClean(_secured.Send("W", "PUT", "/databases/red/docs?id=a", wrong));
            }

            string batch = "{\"Commands\":[{\"Type\":\"PUT\",\"Id\":\"a\",\"Document\":" + whole[..place];
            AssertClean(_secured.Send("W", "POST", "/databases/red/bulk_docs", batch));
        }
    }

    [Theory]
    [InlineData("from")]
    [InlineData("from Products where Name =")]
    [InlineData("from Products where search(")]
    [InlineData("from Products select {")]
    [InlineData("from Products as p select { X: p.Name.y.z }")]
    [InlineData("from Products where Name = $missing")]
    [InlineData("from index 'none'")]
    [InlineData("from Products where vector.search(embedding.text(")]
    [InlineData("from Products where Name = 'a")]
    public void A_wrong_query_is_refused_without_bytes_of_others(string query)
    {
        string body = new JsonObject { ["Query"] = query }.ToJsonString();
        AssertClean(_secured.Send("R", "POST", "/databases/red/queries", body));
        AssertClean(_secured.Send("R", "POST", "/databases/red/queries", body[..^3]));
    }

    [Theory]
    [InlineData("this.X =")]
    [InlineData("throw new Error(this.y.z)")]
    [InlineData("undefined_function(1)")]
    [InlineData("'\\u{110000}'")]
    [InlineData("null.x")]
    public void A_wrong_script_is_refused_without_bytes_of_others(string script)
    {
        string body = new JsonObject { ["Patch"] = new JsonObject { ["Script"] = script } }.ToJsonString();
        AssertClean(_secured.Send("W", "PATCH", "/databases/red/docs?id=own", body));
        string map = $"map('Products', p => {{ {script}";
        var index = new JsonObject { ["Name"] = "wrong", ["Maps"] = new JsonArray(map) };
        string indexes = new JsonObject { ["Indexes"] = new JsonArray(index) }.ToJsonString();
        AssertClean(_secured.Send("W", "PUT", "/databases/red/indexes", indexes));
    }

    [Theory]
    [InlineData(false, "")]
    [InlineData(true, "O C")]
    public void The_stack_of_a_bug_is_shown_to_operators_alone_and_if_an_option_says_so(bool isAllowed, string shownTo)
    {
        using var secured = new SecuredServer(
            RouteTable.FromHandlers([(new RouteAttribute("GET", "/databases/*/docs", Access.Read), Fail)]),
            configureServer: options => options with { ShowStackTraces = isAllowed });
        foreach (string caller in new[] { "R", "W", "A", "K", "O", "C" })
        {
            InMemoryRequest answer = secured.Send(caller, "GET", "/databases/red/docs");
            Assert.Equal(500, answer.StatusCode);
            bool isShown = shownTo.Contains(caller, StringComparison.Ordinal);
            Assert.Equal(isShown, answer.Answer.Contains(nameof(Fail), StringComparison.Ordinal));
            Assert.Equal(isShown, answer.Answer.Contains("a secret of the bug", StringComparison.Ordinal));
        }
    }

    private static ValueTask Fail(RequestContext request) =>
        throw new InvalidOperationException("a secret of the bug");

    /// <summary>Has the server's buffers hold what another caller has sent and read.</summary>
    private void LeaveBehind()
    {
        string text = string.Concat(Enumerable.Repeat(Canary + "-of-another-caller ", 200));
        Assert.Equal(
            201, _secured.Send("O", "PUT", "/databases/blue/docs?id=a", $"{{\"Text\":\"{text}\"}}").StatusCode);
        Assert.Equal(200, _secured.Send("O", "GET", "/databases/blue/docs?id=a").StatusCode);
        Assert.Equal(201, _secured.Send("W", "PUT", "/databases/red/docs?id=own", "{}").StatusCode);
    }

    private static void AssertClean(InMemoryRequest answer)
    {
        Assert.True(answer.StatusCode is 201 or 200 or (>= 400 and < 500), answer.Answer);
        Assert.DoesNotContain(Canary, answer.Answer, StringComparison.Ordinal);
        Assert.DoesNotContain("   at Raven.", answer.Answer, StringComparison.Ordinal);
    }
}
