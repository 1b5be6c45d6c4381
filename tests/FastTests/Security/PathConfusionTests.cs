using Raven.Server.Http.Admission;
using Raven.Server.Http.Routing;

namespace FastTests.Security;

/// <summary>Another form of a path or a method reaches what its plain form does, or nothing.</summary>
public sealed class PathConfusionTests(TwoDatabases databases) : IClassFixture<TwoDatabases>
{
    [Theory]
    [InlineData("/databases/red/docs/?id=a")]
    [InlineData("//databases/red/docs?id=a")]
    [InlineData("/databases//red/docs?id=a")]
    [InlineData("/databases/red//docs?id=a")]
    [InlineData("/databases/red/docs;x?id=a")]
    [InlineData("/databases/red;/docs?id=a")]
    [InlineData("/databases/red/docs%00?id=a")]
    [InlineData("/databases/red/docs%20?id=a")]
    [InlineData("/databases/red%2fdocs?id=a")]
    [InlineData("/databases/red%5cdocs?id=a")]
    [InlineData("/databases\\red\\docs?id=a")]
    [InlineData("/databases/LONG/docs?id=a")]
    [Trait("Security", "23")]
    public void Another_form_of_a_path_reaches_nothing(string target)
    {
        string sent = target.Replace("LONG", new string('x', 300), StringComparison.Ordinal);
        (int status, _, string body) = databases.Send("GET", sent);
        Assert.InRange(status, 400, 503);
        Assert.DoesNotContain("canary", body, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("/healthz/../admin/databases?name=red")]
    [InlineData("/healthz/%2e%2e/admin/databases?name=red")]
    [InlineData("/healthz/.%2E/admin/databases?name=red")]
    [InlineData("/databases/red/../blue/docs?id=a")]
    [InlineData("/databases/red%2f..%2fblue/docs?id=a")]
    [InlineData("/databases/red%5C..%5Cblue/docs?id=a")]
    [InlineData("/databases/./red/docs?id=a")]
    [InlineData("/databases/red/docs/.?id=a")]
    [InlineData("/databases/red/docs/x/..?id=a")]
    [Trait("Security", "24")]
    public void A_path_with_dots_as_segments_is_refused(string target)
    {
        (int status, _, string body) = databases.Send("GET", target);
        Assert.Equal(400, status);
        Assert.Contains("as a segment", body, StringComparison.Ordinal);
        Assert.DoesNotContain("canary", body, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "24")]
    public void A_name_of_a_database_is_the_same_in_either_case_and_encoding()
    {
        foreach (string target in new[]
            { "/databases/RED/docs?id=a", "/DataBases/red/DOCS?id=a", "/databases/%72ed/docs?id=a" })
        {
            (int status, _, string body) = databases.Send("GET", target);
            Assert.Equal(200, status);
            Assert.Contains("canary-of-red", body, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("/databases/red/docs", false)]
    [InlineData("/databases/a.b/docs?x=/../", false)]
    [InlineData("/databases/..a/docs", false)]
    [InlineData("/databases/.../docs", false)]
    [InlineData("/databases/%2e%2e%2e/docs", false)]
    [InlineData("/a%2", false)]
    [InlineData("/a%", false)]
    [InlineData("*", false)]
    [InlineData("", false)]
    [InlineData("/..", true)]
    [InlineData("/.", true)]
    [InlineData("/a/../b", true)]
    [InlineData("/a/%2e./b", true)]
    [InlineData("/a%2F%2E%2e", true)]
    [InlineData("/a\\..\\b", true)]
    [InlineData("http://localhost/../a", true)]
    [InlineData("http://localhost/a", false)]
    [Trait("Security", "24")]
    public void Dots_as_segments_are_found_in_each_encoding(string target, bool isThere) =>
        Assert.Equal(isThere, RawPath.HasDotSegment(target));

    [Theory]
    [InlineData("HEAD", 200)]
    [InlineData("get", 200)]
    [InlineData("OPTIONS", 204)]
    [InlineData("RESET", 405)]
    [InlineData("TRACE", 405)]
    [InlineData("GET%20", 405)]
    [InlineData("SEARCH", 405)]
    [Trait("Security", "23")]
    public void Another_method_does_what_the_plain_one_does_or_nothing(string method, int status)
    {
        (int actual, _, string body) = databases.Send(method, "/databases/red/docs?id=a", isHead: method == "HEAD");
        Assert.Equal(status, actual);
        Assert.Equal(method == "get", body.Contains("canary", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData("X-HTTP-Method-Override")]
    [InlineData("X-HTTP-Method")]
    [InlineData("X-Method-Override")]
    [Trait("Security", "23")]
    public void No_header_changes_the_method(string header)
    {
        databases.Send("GET", "/databases/red/docs?id=a", $"{header}: DELETE");
        databases.Send("GET", "/admin/databases?name=red", $"{header}: DELETE");
        Assert.Contains(
            "canary-of-red", databases.Send("GET", "/databases/red/docs?id=a").Body, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Security", "23")]
    public void A_method_that_a_route_lends_to_another_needs_the_same_right()
    {
        RouteTable table = RouteTable.Default;
        foreach (Route route in table.Routes.Where(route => route.Verb == HttpVerb.Get))
        {
            string path = route.Path.Replace("*", "x", StringComparison.Ordinal).TrimEnd('$');
            foreach (string form in new[] { path, path.ToUpperInvariant() })
            {
                var captures = new RouteCaptures();
                Assert.True(table.TryFind(HttpVerbs.Parse("get"), form, ref captures, out Route? got, out _));
                Assert.True(table.TryFind(HttpVerbs.Parse("head"), form, ref captures, out Route? head, out _));
                Assert.Equal((route.Path, route.Access), (got!.Path, got.Access));
                Assert.Equal((route.Path, route.Access), (head!.Path, head.Access));
            }
        }
    }
}
