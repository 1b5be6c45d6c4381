using Raven.Documents;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace FastTests.Server.Forwarding;

/// <summary>A node that finds out, while it serves a request, that it is not its place any more.</summary>
public sealed class LostPlaceTests
{
    [Theory]
    [InlineData("GET", "", 201)]
    [InlineData("POST", "{\"Query\":\"from Users\"}", 201)]
    [InlineData("PUT", "{}", 503)]
    [Trait("Invariant", "FWD-2")]
    public void It_lets_the_primary_do_it_if_the_body_can_be_sent_again(string method, string body, int status)
    {
        string got = "";
        using var primary = new FastTests.Client.FaultyServer(request =>
        {
            got = request;
            return FastTests.Client.FaultyServer.Answer(201, "{}");
        });
        using var server = new InMemoryServer(
            routes: RouteTable.FromHandlers(
            [
                (new RouteAttribute("GET", "/databases/*/x", Access.Read) { Place = Place.Any }, ReadAndLoseAsync),
                (new RouteAttribute("POST", "/databases/*/x", Access.Read) { Place = Place.Any }, ReadAndLoseAsync),
                (new RouteAttribute("PUT", "/databases/*/x", Access.ReadWrite) { Place = Place.Primary },
                    ReadAndLoseAsync),
            ]));
        NodeView other = StandInNodes.Node("A", primary.Url);
        NodeView own = StandInNodes.Node("B", "http://127.0.0.1:1");
        var cluster = new StandInCluster("B");
        server.State.Cluster = cluster;
        cluster.Set(new GroupView
        {
            Database = "db", Etag = 1, Epoch = 1, IsOpen = true, Primary = other, MinInSync = 1,
            Role = method == "PUT" ? GroupRole.Primary : GroupRole.Member,
            Nodes = [new GroupNode(other, GroupRole.Primary), new GroupNode(own, GroupRole.Member)],
        });
        var request = new InMemoryRequest(method, "/databases/db/x", "?a=%2F", body);
        if (body.Length > 0)
        {
            request.Request["Content-Length"] = $"{body.Length}";
        }

        Assert.Equal(status, server.Send(request));
        Assert.Equal(status == 201, got.StartsWith($"{method} /databases/db/x?a=%2F", StringComparison.Ordinal));
    }

    /// <summary>Several reads in one request, one of which turns out to be for a node that writes.</summary>
    [Fact]
    [Trait("Invariant", "FWD-2")]
    public void It_lets_the_primary_do_several_reads_if_one_of_them_is_not_for_it()
    {
        string got = "";
        using var primary = new FastTests.Client.FaultyServer(request =>
        {
            got = request;
            return FastTests.Client.FaultyServer.Answer(201, "{}");
        });
        RouteHandler several = RouteTable.Default.Routes.Single(
            route => route.Path == "/databases/*/multi_get" && route.Verb == HttpVerb.Post).Handler;
        using var server = new InMemoryServer(
            routes: RouteTable.FromHandlers(
            [
                (new RouteAttribute("POST", "/databases/*/multi_get", Access.Read) { Place = Place.Any }, several),
                (new RouteAttribute("GET", "/databases/*/stats", Access.Read) { Place = Place.Any }, AnswerAsync),
                (new RouteAttribute("POST", "/databases/*/queries", Access.Read) { Place = Place.Any },
                    ReadAndLoseAsync),
            ]));
        NodeView other = StandInNodes.Node("A", primary.Url);
        var cluster = new StandInCluster("B");
        server.State.Cluster = cluster;
        cluster.Set(new GroupView
        {
            Database = "db", Etag = 1, Epoch = 1, IsOpen = true, Primary = other, MinInSync = 1,
            Role = GroupRole.Member, Nodes = [new GroupNode(other, GroupRole.Primary)],
        });
        const string Body = """
            {"Requests":[{"Url":"/databases/db/stats","Query":"","Method":"GET"},
            {"Url":"/databases/db/queries","Query":"","Method":"POST","Content":{"Query":"from Users"}}]}
            """;
        var request = new InMemoryRequest("POST", "/databases/db/multi_get", "", Body);
        request.Request["Content-Length"] = $"{Body.Length}";
        Assert.Equal(201, server.Send(request));
        Assert.Equal("{}", request.Answer);
        Assert.EndsWith(Body, got, StringComparison.Ordinal);
    }

    private static ValueTask AnswerAsync(RequestContext request)
    {
        request.Response.Write("{}"u8);
        return ValueTask.CompletedTask;
    }

    private static async ValueTask ReadAndLoseAsync(RequestContext request)
    {
        if (request.Verb != HttpVerb.Get)
        {
            BodySource body = request.BeginBody(1000);
            while (await body.ReadAsync(default))
            {
                body.Consume(body.Current.Length);
            }
        }

        throw new NotPrimaryException("db");
    }
}
