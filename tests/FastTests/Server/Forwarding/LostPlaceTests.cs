using Raven.Documents;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Cluster;
using Raven.Server.Http.Routing;

namespace FastTests.Server.Forwarding;

/// <summary>A node that finds out, while it serves a request, that it is not its place any more.</summary>
public sealed class LostPlaceTests
{
    private const string LongBody = "long";

    [Theory]
    [InlineData("GET", "", 201)]
    [InlineData("POST", "{\"Query\":\"from Users\"}", 201)]
    [InlineData("PUT", "{}", 201)]
    [InlineData("PUT", LongBody, 503)]
    [Trait("Invariant", "FWD-2")]
    public void It_lets_the_primary_do_it_if_the_body_can_be_sent_again(string method, string body, int status)
    {
        body = body == LongBody ? new string(' ', (256 * 1024) + 1) : body;
        (int answered, string got, _) = Send(method, body, ReadAndLoseAsync);
        Assert.Equal(status, answered);
        Assert.Equal(status == 201, got.StartsWith($"{method} /databases/db/x?a=%2F", StringComparison.Ordinal));
        Assert.Equal(status == 201, got.EndsWith("\r\n\r\n" + body, StringComparison.Ordinal));
    }

    /// <summary>It may have become the primary meanwhile: then it serves the request from the beginning, as otherwise
    /// nobody would have, and the answer would be an empty one.</summary>
    [Theory]
    [InlineData("POST")]
    [InlineData("PUT")]
    [Trait("Invariant", "FWD-2")]
    public void It_serves_the_request_again_if_it_is_the_place_by_then(string method)
    {
        const string Body = """{"A":"b"}""";
        List<string> read = [];
        (int status, string got, string answer) = Send(method, Body, async request =>
        {
            BodySource body = request.BeginBody(1000);
            string text = "";
            while (await body.ReadAsync(default))
            {
                text += System.Text.Encoding.UTF8.GetString(body.Current);
                body.Consume(body.Current.Length);
            }

            read.Add(text);
            if (read.Count == 1)
            {
                request.Response.Status = 201;
                request.Response.Write("half"u8);
                throw new NotPrimaryException("db");
            }

            request.Response.Write("{}"u8);
        }, roleThen: GroupRole.Primary);
        Assert.Equal((200, "", "{}"), (status, got, answer));
        Assert.Equal([Body, Body], read);
    }

    /// <summary>A write whose body was read to its end, in part or not at all is sent on with all of it.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(9)]
    [Trait("Invariant", "FWD-2")]
    public void It_sends_all_of_a_body_on_of_which_it_has_read_some(int read)
    {
        const string Body = """{"A":"b"}""";
        (int status, string got, _) = Send("PUT", Body, async request =>
        {
            BodySource body = request.BeginBody(1000);
            if (read > 0 && await body.ReadAsync(default))
            {
                body.Consume(read);
            }

            throw new NotPrimaryException("db");
        });
        Assert.Equal(201, status);
        Assert.EndsWith("\r\n\r\n" + Body, got, StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "FWD-2")]
    public void What_it_has_written_in_part_is_not_sent_on_and_the_answer_says_so()
    {
        (int status, string got, string answer) = Send("PUT", "{}", request =>
        {
            request.HasWrittenPart = true;
            return ReadAndLoseAsync(request);
        });
        Assert.Equal((500, ""), (status, got));
        Assert.Contains("A part of it was done", answer, StringComparison.Ordinal);
        Assert.Contains(ErrorType.WaitTimeout, answer, StringComparison.Ordinal);
    }

    /// <summary>Sends a request to a node that serves it, and is not the primary any more when it does.</summary>
    /// <returns>The status, what the primary has got, and the answer.</returns>
    private static (int Status, string Got, string Answer) Send(
        string method, string body, RouteHandler handler, GroupRole roleThen = GroupRole.Member)
    {
        string got = "";
        using var primary = new FastTests.Client.FaultyServer(request =>
        {
            got = request;
            return FastTests.Client.FaultyServer.Answer(201, "{}");
        });
        NodeView other = StandInNodes.Node("A", primary.Url);
        NodeView own = StandInNodes.Node("B", "http://127.0.0.1:1");
        var cluster = new StandInCluster("B");
        var group = new GroupView
        {
            Database = "db", Etag = 1, Epoch = 1, IsOpen = true, Primary = other, MinInSync = 1,
            Role = method == "PUT" ? GroupRole.Primary : GroupRole.Member,
            Nodes = [new GroupNode(other, GroupRole.Primary), new GroupNode(own, GroupRole.Member)],
        };
        RouteHandler serve = request =>
        {
            // By the end of its work the node knows who the primary is.
            cluster.Set(group with { Epoch = 2, Role = roleThen });
            return handler(request);
        };
        using var server = new InMemoryServer(
            routes: RouteTable.FromHandlers(
            [
                (new RouteAttribute("GET", "/databases/*/x", Access.Read) { Place = Place.Any }, serve),
                (new RouteAttribute("POST", "/databases/*/x", Access.Read) { Place = Place.Any }, serve),
                (new RouteAttribute("PUT", "/databases/*/x", Access.ReadWrite) { Place = Place.Primary }, serve),
            ]));
        server.State.Cluster = cluster;
        cluster.Set(group);
        var request = new InMemoryRequest(method, "/databases/db/x", "?a=%2F", body);
        if (body.Length > 0)
        {
            request.Request["Content-Length"] = $"{body.Length}";
        }

        int status = server.Send(request);
        return (status, got, request.Answer);
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
