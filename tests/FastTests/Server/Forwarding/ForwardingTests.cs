using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Client;
using FastTests.Support;
using Raven.Server.Http.Cluster;

namespace FastTests.Server.Forwarding;

/// <summary>Requests that arrive at a node whose they are not.</summary>
[Trait("Invariant", "FWD-1")]
public sealed class ForwardingTests
{
    [Fact]
    public async Task A_write_at_a_follower_is_done_by_the_primary_and_answered_as_there()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        HttpAnswer answer = await nodes.B.SendAsync("PUT", "~/docs?id=users%2F1", "{\"Name\":\"A\"}");
        answer.Expect(HttpStatusCode.Created);
        Assert.Equal("users/1", (string?)answer.Json["Id"]);
        Assert.Equal(HttpStatusCode.OK, (HttpStatusCode)(await nodes.A.SendAsync("GET", "~/docs?id=users/1")).Status);
        Assert.Equal(404, (await nodes.B.SendAsync("GET", "~/docs?id=users/1")).Status);
        HttpAnswer direct = await nodes.A.SendAsync("PUT", "~/docs?id=users%2F2", "{}");
        Assert.Equal(
            direct.Message.Headers.Concat(direct.Message.Content.Headers).Select(header => header.Key).Order(),
            answer.Message.Headers.Concat(answer.Message.Content.Headers).Select(header => header.Key).Order());
    }

    [Fact]
    public async Task Errors_come_back_as_they_are()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        HttpAnswer there = await nodes.A.SendAsync("PUT", "~/docs?id=users/1", "{\"Name\":");
        HttpAnswer here = await nodes.B.SendAsync("PUT", "~/docs?id=users/1", "{\"Name\":");
        Assert.Equal(400, here.Status);
        Assert.Equal(there.Text, here.Text);
        Assert.Equal(204, (await nodes.B.SendAsync("DELETE", "~/docs?id=users/1")).Status);
    }

    [Fact]
    [Trait("Invariant", "FWD-3")]
    public async Task A_node_that_knows_of_another_primary_says_so_without_waiting()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfA.Set(nodes.Group(GroupRole.Member, nodes.NodeB, epoch: 2));
        foreach (int epoch in (int[])[1, 2])
        {
            HttpAnswer answer = await nodes.A.SendAsync(
                "PUT", "~/docs?id=a/1", "{}", $"Raven-Forwarded: B, {epoch}", "Raven-Forwarded-Key: secret");
            Assert.Equal(503, answer.Status);
            Assert.Equal("true", Assert.Single(answer.Message.Headers.GetValues("Raven-Not-Primary")));
            Assert.Equal(0, nodes.OfA.Waits);
        }

        // Who is told of a later epoch may be its primary, and does not know yet.
        Task<HttpAnswer> held = nodes.A.SendAsync(
            "PUT", "~/docs?id=a/1", "{}", "Raven-Forwarded: B, 3", "Raven-Forwarded-Key: secret");
        await Deadline.UntilAsync(() => nodes.OfA.Waits > 0);
        nodes.OfA.Set(nodes.Group(GroupRole.Primary, nodes.NodeA, epoch: 3));
        (await held).Expect(HttpStatusCode.Created);
    }

    [Fact]
    public async Task One_connection_serves_forwarded_writes_one_after_the_other()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        using var connection = new RawConnection(nodes.B.Port);
        for (int i = 0; i < 3; i++)
        {
            connection.Send(
                $"PUT /databases/db/docs?id=a/{i} HTTP/1.1\r\nHost: 127.0.0.1:{nodes.B.Port}\r\n"
                + "Content-Length: 7\r\n\r\n{\"a\":1}");
            Assert.Equal(201, connection.Receive().Status);
        }

        // A body that is not short, and one whose length is not known, are passed on as they come.
        string large = $"{{\"a\":\"{new string('x', 300_000)}\"}}";
        connection.Send(
            $"PUT /databases/db/docs?id=a/l HTTP/1.1\r\nHost: 127.0.0.1:{nodes.B.Port}\r\n"
            + $"Content-Length: {large.Length}\r\n\r\n{large}");
        Assert.Equal(201, connection.Receive().Status);
        connection.Send(
            $"PUT /databases/db/docs?id=a/c HTTP/1.1\r\nHost: 127.0.0.1:{nodes.B.Port}\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n7\r\n{\"a\":1}\r\n0\r\n\r\n");
        Assert.Equal(201, connection.Receive().Status);
        HttpAnswer all = await nodes.A.SendAsync("GET", "~/docs?startsWith=a/&metadataOnly=true");
        Assert.Equal(5, all.Json["Results"]!.AsArray().Count);
    }

    [Fact]
    public async Task A_read_is_answered_by_a_follower_that_has_what_was_acknowledged_else_by_the_primary()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        await nodes.A.PutAsync("a/1", "{\"At\":\"A\"}");
        nodes.OfB.Reads = _ => ReadState.NotNow;
        HttpAnswer answer = await nodes.B.SendAsync("GET", "~/docs?id=a/1");
        Assert.Equal("A", (string?)answer.Expect(HttpStatusCode.OK).Json["Results"]![0]!["At"]);
        ReadWish asked = default;
        nodes.OfB.Reads = wish =>
        {
            asked = wish;
            return ReadState.Readable;
        };
        answer = await nodes.B.SendAsync(
            "GET", "~/docs?id=a/1", (string?)null, "Raven-Max-Staleness: 500ms", "Raven-Min-Etag: 3",
            "Known-Raft-Index: 4");
        Assert.Equal(404, answer.Status);
        Assert.Equal(new ReadWish(TimeSpan.FromMilliseconds(500), 4), asked);
    }

    [Theory]
    [InlineData("Raven-Max-Staleness: 5")]
    [InlineData("Raven-Max-Staleness: -5s")]
    [InlineData("Raven-Max-Staleness: 5d")]
    [InlineData("Raven-Max-Staleness: 25h")]
    [InlineData("Raven-Min-Etag: x")]
    [InlineData("Known-Raft-Index: -1")]
    public async Task What_a_read_asks_for_must_be_readable(string header)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        (await nodes.A.SendAsync("GET", "~/docs?id=a/1", (string?)null, header)).ExpectError(400, header.Split(':')[0]);
    }

    [Fact]
    [Trait("Invariant", "FWD-4")]
    public async Task A_node_that_has_started_holds_requests_until_it_knows_the_databases_of_the_cluster()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfB.Set(null);
        var known = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        nodes.OfB.Known = known.Task;
        Task<HttpAnswer> written = nodes.B.SendAsync("PUT", "~/docs?id=a/1", "{}");
        Task<HttpAnswer> missing = nodes.B.SendAsync("GET", "/databases/none/docs?id=a/1");
        await Deadline.UntilAsync(() => nodes.OfB.KnownAsked >= 4);
        Assert.False(written.IsCompleted || missing.IsCompleted);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA));
        known.SetResult();
        (await written).Expect(HttpStatusCode.Created);
        (await missing).ExpectError(503, "does not exist");
        Assert.Equal(200, (await nodes.A.SendAsync("GET", "~/docs?id=a/1")).Status);
    }

    [Fact]
    [Trait("Invariant", "FWD-4")]
    public async Task A_request_is_held_until_the_address_of_the_primary_is_known()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfB.Set(nodes.Group(GroupRole.Rehab, StandInNodes.Node("A", "")));
        nodes.OfB.Reads = _ => ReadState.NotNow;
        Task<HttpAnswer> read = nodes.B.SendAsync("GET", "~/docs?id=a/1");
        Task<HttpAnswer> written = nodes.B.SendAsync("PUT", "~/docs?id=a/2", "{}");
        await Deadline.UntilAsync(() => nodes.OfB.Waits >= 2);
        Assert.False(read.IsCompleted || written.IsCompleted);
        nodes.OfB.Set(nodes.Group(GroupRole.Rehab, nodes.NodeA));
        Assert.Equal(404, (await read).Status);
        (await written).Expect(HttpStatusCode.Created);
    }

    [Fact]
    [Trait("Invariant", "FWD-4")]
    public async Task A_write_is_held_until_there_is_a_primary()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfB.Set(nodes.Group(GroupRole.Member, StandInNodes.Node("A", "http://127.0.0.1:1")));
        Task<HttpAnswer> held = nodes.B.SendAsync("PUT", "~/docs?id=a/1", "{}");
        Task<HttpAnswer> large = nodes.B.SendAsync(
            "PUT", "~/docs?id=a/2", $"{{\"a\":\"{new string('x', 300_000)}\"}}");
        Assert.False(held.IsCompleted);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA, epoch: 2));
        (await held).Expect(HttpStatusCode.Created);
        (await large).Expect(HttpStatusCode.Created);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, StandInNodes.Node("A", "http://127.0.0.1:1"), 2));
        held = nodes.B.SendAsync("PUT", "~/docs?id=b/1", "{}");
        nodes.OfB.Set(nodes.Group(GroupRole.Primary, nodes.NodeB, epoch: 3));
        (await held).Expect(HttpStatusCode.Created);
        Assert.Equal(404, (await nodes.A.SendAsync("GET", "~/docs?id=b/1")).Status);
    }

    [Fact]
    [Trait("Invariant", "FWD-2")]
    public async Task What_was_sent_and_cut_is_answered_as_perhaps_done_and_a_read_is_sent_again()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        using var breaking = new FaultyServer("", FaultyServer.Break);
        NodeView broken = StandInNodes.Node("A", breaking.Url);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, broken));
        HttpAnswer answer = await nodes.B.SendAsync("PUT", "~/docs?id=a/1", "{}");
        answer.ExpectError(500, "Perhaps it was done");
        Assert.EndsWith("RavenTimeoutException", (string?)answer.Json["Type"], StringComparison.Ordinal);
        Assert.Equal(1, breaking.Requests);
        nodes.OfB.Reads = _ => ReadState.NotNow;
        Task<HttpAnswer> read = nodes.B.SendAsync("GET", "~/docs?id=a/1");
        await Deadline.UntilAsync(() => breaking.Requests > 1);
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA, epoch: 2));
        Assert.Equal(404, (await read).Status);
    }

    [Fact]
    [Trait("Invariant", "FWD-3")]
    public async Task Nodes_that_take_one_another_for_the_primary_do_not_pass_a_request_on_for_ever()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfA.Set(nodes.Group(GroupRole.Member, nodes.NodeB));
        Task<HttpAnswer> held = nodes.B.SendAsync("PUT", "~/docs?id=a/1", "{}");
        nodes.OfA.Set(nodes.Group(GroupRole.Primary, nodes.NodeA, epoch: 2));
        (await held).Expect(HttpStatusCode.Created);
    }

    [Fact]
    [Trait("Invariant", "FWD-5")]
    public async Task A_header_that_no_node_has_sent_is_ignored()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        HttpAnswer answer = await nodes.B.SendAsync(
            "PUT", "~/docs?id=a/1", "{}", "Raven-Forwarded: A, 1", "Raven-Forwarded-Key: guessed");
        answer.Expect(HttpStatusCode.Created);
        Assert.Equal(HttpStatusCode.OK, (HttpStatusCode)(await nodes.A.SendAsync("GET", "~/docs?id=a/1")).Status);
    }

    [Fact]
    public async Task A_client_with_an_older_list_is_told_and_one_is_sent_away_if_the_database_has_left()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        Assert.True(IsTold(await nodes.A.SendAsync("GET", "~/docs?id=a/1", (string?)null, "Topology-Etag: \"9\"")));
        Assert.False(IsTold(await nodes.A.SendAsync("GET", "~/docs?id=a/1", (string?)null, "Topology-Etag: \"10\"")));
        Assert.False(IsTold(await nodes.A.SendAsync("GET", "~/docs?id=a/1")));
        nodes.OfB.Set(nodes.Group(GroupRole.None, nodes.NodeA, etag: 11, isOpen: false));
        HttpAnswer gone = await nodes.B.SendAsync("GET", "~/docs?id=a/1", (string?)null, "Topology-Etag: \"10\"");
        gone.ExpectError(410, "does not have the database");
        Assert.True(IsTold(gone));
        await nodes.A.PutAsync("a/1", "{}");
        (await nodes.B.SendAsync("GET", "~/docs?id=a/1")).Expect(HttpStatusCode.OK);

        static bool IsTold(HttpAnswer answer) => answer.Message.Headers.Contains("Refresh-Topology");
    }

    [Fact]
    public async Task A_bulk_insert_and_a_stream_pass_through()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfB.Reads = _ => ReadState.NotNow;
        HttpAnswer id = await nodes.B.SendAsync("GET", "~/operations/next-operation-id");
        Assert.Equal("A", (string?)id.Expect(HttpStatusCode.OK).Json["NodeTag"]);
        var lines = new StringBuilder("[");
        for (int i = 0; i < 2000; i++)
        {
            lines.Append(i == 0 ? "" : ",").Append(
                $"{{\"Id\":\"b/{i:0000}\",\"Type\":\"PUT\",\"Document\":{{\"N\":{i}}}}}");
        }

        (await nodes.B.SendAsync("POST", $"~/bulk_insert?id={(long)id.Json["Id"]!}", lines.Append(']').ToString()))
            .Expect(HttpStatusCode.OK);
        HttpAnswer all = await nodes.B.SendAsync("GET", "~/streams/docs?startsWith=b/");
        Assert.Equal(2000, all.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray().Count);
    }

    [Fact]
    public async Task The_changes_of_another_node_come_through_a_WebSocket()
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfB.Reads = _ => ReadState.NotNow;
        using ChangesClient changes = await ChangesClient.ConnectAsync(nodes.B);
        await changes.WatchAsync("watch-docs");
        await nodes.A.PutAsync("a/1", "{}");
        Assert.Contains("a/1", (await changes.NextAsync())!.ToJsonString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(true, "A")]
    [InlineData(false, null)]
    public async Task A_worker_of_a_subscription_is_sent_to_the_primary(bool isAlive, string? tag)
    {
        using StandInNodes nodes = await StandInNodes.CreateAsync();
        nodes.OfB.Set(nodes.Group(GroupRole.Member, nodes.NodeA with { IsAlive = isAlive }));
        using var worker = new SubscriptionClient(nodes.B.Port);
        worker.Send(SubscriptionClient.Header);
        Assert.Equal("Ok", (string?)worker.Read()["Status"]);
        worker.Send(SubscriptionClient.Options("all"));
        JsonNode status = worker.Read();
        Assert.Equal("Redirect B", $"{status["Status"]} {status["Data"]!["CurrentTag"]}");
        Assert.Equal(tag, (string?)status["Data"]!["RedirectedTag"]);
    }
}
