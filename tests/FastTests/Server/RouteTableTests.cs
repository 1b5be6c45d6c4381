using System.Reflection;
using FastTests.Support;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace FastTests.Server;

public sealed class RouteTableTests(ITestOutputHelper output)
{
    /// <summary>A server does this once, when it starts.</summary>
    [Fact]
    public void Building_the_route_table_costs_little_more_than_reading_the_attributes()
    {
        Type[] types = typeof(RouteTable).Assembly.GetTypes();
        int routes = 0;
        double times = Cost.AssertWork(
            10, () => routes = RouteTable.FromTypes(types).Routes.Count, () => ReadAttributes(types));
        output.WriteLine($"{routes} routes were found and bound in {times:F1} times what their attributes cost.");
        Assert.Equal(RouteTable.Default.Routes.Count, routes);
    }

    private static void ReadAttributes(Type[] types)
    {
        const BindingFlags All = BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;
        int attributes = 0;
        foreach (MethodInfo method in types.SelectMany(type => type.GetMethods(All)))
        {
            attributes += method.GetCustomAttributes<RouteAttribute>().Count();
        }

        Assert.InRange(attributes, 1, int.MaxValue);
    }

    [Theory]
    [InlineData("GET", HttpVerb.Get)]
    [InlineData("HEAD", HttpVerb.Head)]
    [InlineData("PUT", HttpVerb.Put)]
    [InlineData("Put", HttpVerb.Put)]
    [InlineData("POST", HttpVerb.Post)]
    [InlineData("DELETE", HttpVerb.Delete)]
    [InlineData("PATCH", HttpVerb.Patch)]
    [InlineData("OPTIONS", HttpVerb.Options)]
    [InlineData("RESET", HttpVerb.Reset)]
    [InlineData("TRACE", HttpVerb.Unknown)]
    [InlineData("GOT", HttpVerb.Unknown)]
    [InlineData("", HttpVerb.Unknown)]
    public void An_HTTP_method_is_parsed_by_its_name(string method, HttpVerb verb) =>
        Assert.Equal(verb, HttpVerbs.Parse(method));

    [Fact]
    public void A_missing_method_of_a_known_path_is_answered_with_the_allowed_methods()
    {
        RouteTable table = Table(("GET", "/a"), ("PUT", "/a"), ("DELETE", "/b/*"));
        Assert.Equal((false, null), Find(table, HttpVerb.Get, "/c"));
        Assert.Equal((false, "GET, HEAD, PUT, OPTIONS"), Find(table, HttpVerb.Post, "/a"));
        Assert.Equal((false, "DELETE, OPTIONS"), Find(table, HttpVerb.Head, "/b/1"));
        Assert.Equal((true, null), Find(table, HttpVerb.Put, "/a"));
    }

    [Fact]
    public void HEAD_is_answered_by_GET_unless_it_has_a_route_of_its_own()
    {
        RouteTable table = Table(("HEAD", "/own"), ("GET", "/own"), ("GET", "/shared"));
        var captures = new RouteCaptures();
        Assert.True(table.TryFind(HttpVerb.Head, "/own", ref captures, out Route? own, out _));
        Assert.Equal(HttpVerb.Head, own!.Verb);
        Assert.True(table.TryFind(HttpVerb.Head, "/shared", ref captures, out Route? shared, out _));
        Assert.Equal(HttpVerb.Get, shared!.Verb);
    }

    [Fact]
    public void Two_handlers_of_one_route_are_refused_when_the_table_is_built() =>
        Assert.Throws<InvalidOperationException>(() => Table(("GET", "/a"), ("GET", "/A")));

    [Fact]
    public void A_handler_with_a_wrong_signature_is_refused_with_its_name()
    {
        var e = Assert.Throws<InvalidOperationException>(() => RouteTable.FromTypes([typeof(WrongShape)]));
        Assert.Contains(nameof(WrongShape.Handle), e.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Finding_one_of_a_thousand_routes_allocates_nothing()
    {
        RouteTable table = Table([.. Enumerable.Range(0, 1000).Select(i => ("GET", $"/databases/*/part{i}/items"))]);
        for (int i = 0; i < 1000; i += 37)
        {
            var captures = new RouteCaptures();
            string path = $"/databases/db/part{i}/items";
            Assert.True(table.TryFind(HttpVerb.Get, path, ref captures, out Route? route, out _));
            Assert.Equal($"/databases/*/part{i}/items", route!.Path);
        }

        bool found = false;
        Assert.Equal(0, Allocated.Least(() =>
        {
            var again = new RouteCaptures();
            found = table.TryFind(HttpVerb.Get, "/databases/db/part999/items", ref again, out _, out _);
        }));
        Assert.True(found);
    }

    private static (bool Found, string? Allow) Find(RouteTable table, HttpVerb verb, string path)
    {
        var captures = new RouteCaptures();
        bool found = table.TryFind(verb, path, ref captures, out _, out string? allow);
        return (found, allow);
    }

    private static RouteTable Table(params (string Method, string Path)[] routes) => RouteTable.FromHandlers(
        routes.Select(route => (new RouteAttribute(route.Method, route.Path, Access.Read), (RouteHandler)Answer)));

    private static ValueTask Answer(RequestContext request) => ValueTask.CompletedTask;

    private static class WrongShape
    {
        [Route("GET", "/wrong", Access.Read)]
        internal static Task<RequestContext> Handle(RequestContext request) => Task.FromResult(request);
    }
}
