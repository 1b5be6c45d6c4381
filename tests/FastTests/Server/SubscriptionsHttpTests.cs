using System.Net;
using System.Text.Json.Nodes;

namespace FastTests.Server;

/// <summary>The routes of subscriptions, and where their workers are told to connect.</summary>
public sealed class SubscriptionsHttpTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private const string Missing =
        "Raven.Client.Exceptions.Documents.Subscriptions.SubscriptionDoesNotExistException";

    private static int _count;

    private readonly string _name = $"h{Interlocked.Increment(ref _count)}";

    private TestServer Server => fixture.Server;

    [Fact]
    public async Task A_subscription_is_made_listed_changed_and_deleted()
    {
        HttpAnswer made = await PutAsync($"{{\"Name\":\"{_name}\",\"Query\":\"from Users\",\"DocumentType\":\"x\"}}");
        Assert.Equal(_name, (string?)made.Expect(HttpStatusCode.Created).Json["Name"]);
        JsonNode state = await StateAsync();
        Assert.Equal("from Users", (string?)state["Query"]);
        Assert.Equal("ExcludeArchived", (string?)state["ArchivedDataProcessingBehavior"]);
        Assert.False((bool)state["Disabled"]!);
        Assert.Equal("A", (string?)state["NodeTag"]);
        foreach (string member in new[]
        {
            "ChangeVectorForNextBatchStartingPoint", "LastBatchAckTime", "LastClientConnectionTime", "MentorNode",
            "ShardingState",
        })
        {
            Assert.True(state.AsObject().ContainsKey(member), member);
            Assert.Null(state[member]);
        }

        HttpAnswer list = await Server.SendAsync("GET", "~/subscriptions?start=0&pageSize=1000");
        Assert.Contains(list.Json["Results"]!.AsArray(), one => (string?)one!["SubscriptionName"] == _name);
        Assert.Empty((await Server.SendAsync("GET", "~/subscriptions?start=1000")).Json["Results"]!.AsArray());
        string id = state["SubscriptionId"]!.ToString();
        (await Server.SendAsync("POST", "~/subscriptions/update", $"{{\"Id\":{id},\"Name\":\"{_name}b\"}}"))
            .Expect(HttpStatusCode.OK);
        (await Server.SendAsync("POST", "~/subscriptions/update", $"{{\"Name\":\"{_name}b\"}}"))
            .Expect(HttpStatusCode.NotModified);
        (await Server.SendAsync("DELETE", $"~/subscriptions?taskName={_name}b")).Expect(HttpStatusCode.NoContent);
        (await Server.SendAsync("DELETE", $"~/subscriptions?taskName={_name}b")).Expect(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task What_is_missing_is_a_400_which_no_client_takes_for_an_empty_result()
    {
        Assert.Equal(Missing, TypeOf(
            (await Server.SendAsync("GET", "~/subscriptions/state?name=none")).ExpectError(400, "'none'")));
        Assert.Equal(Missing, TypeOf(
            (await Server.SendAsync("POST", "~/subscriptions/update", "{\"Name\":\"none\"}"))
                .ExpectError(400, "'none'")));
        Assert.Equal(Missing, TypeOf(
            (await Server.SendAsync("GET", "~/task?type=Subscription&key=99")).ExpectError(400, "99")));
        (await Server.SendAsync("GET", "~/task?type=Replication&key=1")).ExpectError(501, "Replication");
        (await Server.SendAsync("POST", "~/admin/tasks/state?type=Replication&key=1")).ExpectError(501, "Replication");
        (await Server.SendAsync("GET", "~/subscriptions/state")).ExpectError(400, "'name'");
        (await Server.SendAsync("POST", "~/subscriptions/drop?name=none")).ExpectError(400, "'none'");
    }

    [Theory]
    [InlineData("{\"Name\":\"x\"}", "needs a Query")]
    [InlineData("{\"Query\":7}", "Query must be a text")]
    [InlineData("{\"Query\":\"from\"}", "line 1, column")]
    [InlineData("{\"Query\":\"from Users order by Name\"}", "order by")]
    [InlineData("{\"Query\":\"from Users as u select { A: u. }\"}", "no JavaScript")]
    [InlineData("{\"Query\":\"from Users\",\"Disabled\":\"yes\"}", "true or false")]
    [InlineData("{\"Query\":\"from Users\",\"ChangeVector\":\"A:5-AAAAAAAAAAAAAAAAAAAAAA\"}", "is none")]
    [InlineData("{\"Query\":\"from Users\",\"ArchivedDataProcessingBehavior\":\"Maybe\"}", "ExcludeArchived")]
    public async Task A_definition_that_is_wrong_is_a_400_that_says_what(string body, string says) =>
        (await PutAsync(body)).ExpectError(400, says);

    [Fact]
    public async Task A_name_that_is_taken_is_refused_and_the_same_request_again_is_not()
    {
        string body = $"{{\"Name\":\"{_name}\",\"Query\":\"from Users\"}}";
        HttpAnswer first = await Server.SendAsync("PUT", $"~/subscriptions?raft-request-id={_name}", body);
        HttpAnswer again = await Server.SendAsync("PUT", $"~/subscriptions?raft-request-id={_name}", body);
        Assert.Equal(first.Expect(HttpStatusCode.Created).Text, again.Expect(HttpStatusCode.Created).Text);
        Assert.EndsWith("SubscriptionNameException", TypeOf((await PutAsync(body)).ExpectError(400, _name)));
    }

    [Fact]
    public async Task A_task_is_shown_and_switched()
    {
        await PutAsync($"{{\"Name\":\"{_name}\",\"Query\":\"from Users\"}}");
        HttpAnswer off = await Server.SendAsync(
            "POST", $"~/admin/tasks/state?key=0&type=Subscription&disable=true&taskName={_name}");
        Assert.Equal("A", (string?)off.Expect(HttpStatusCode.OK).Json["ResponsibleNode"]);
        JsonNode task = (await Server.SendAsync("GET", $"~/task?taskName={_name}&type=Subscription")).Json;
        Assert.Equal(
            "Subscription Disabled NotActive",
            $"{task["TaskType"]} {task["TaskState"]} {task["TaskConnectionStatus"]}");
        Assert.Equal(task["TaskId"]!.ToString(), task["SubscriptionId"]!.ToString());
    }

    [Fact]
    public async Task Documents_are_tried_and_sent_again()
    {
        await Server.PutAsync($"{_name}/1", $"{{\"A\":1,\"@metadata\":{{\"@collection\":\"T{_name}\"}}}}");
        HttpAnswer tried = await Server.SendAsync(
            "POST", "~/subscriptions/try?pageSize=5", $"{{\"Query\":\"from T{_name} as t select {{ B: t.A + 1 }}\"}}");
        Assert.Equal(2, (int)tried.Expect(HttpStatusCode.OK).Json["Results"]![0]!["B"]!);
        await PutAsync($"{{\"Name\":\"{_name}\",\"Query\":\"from T{_name}\"}}");
        HttpAnswer again = await Server.SendAsync("POST", $"~/subscriptions/resend?name={_name}&id={_name}/1");
        Assert.Equal(1, (int)again.Expect(HttpStatusCode.OK).Json["Count"]!);
        Assert.Equal(1, (int)(await StateAsync())["OwedDocuments"]!);
        Assert.Empty((await Server.SendAsync("GET", $"~/subscriptions/aside?name={_name}")).Json["Results"]!.AsArray());
    }

    [Fact]
    public async Task Workers_are_told_the_port_of_HTTP_by_the_name_that_the_client_uses()
    {
        await PutAsync($"{{\"Name\":\"{_name}\",\"Query\":\"from Users\"}}");
        JsonNode info = (await Server.SendAsync(
            "GET", $"/info/remote-task/tcp?database=db&remote-task={_name}&tag=Subscription%2Fdb&verify-database=true"))
            .Expect(HttpStatusCode.OK).Json;
        Assert.Equal($"tcp://127.0.0.1:{Server.Port}", (string?)info["Url"]);
        Assert.Null(info["Certificate"]);
        Assert.Equal("A", (string?)info["NodeTag"]);
        Assert.NotNull(info["ServerId"]);
        Assert.Equal(
            (string?)info["Url"], (string?)(await Server.SendAsync("GET", "~/info/tcp?tcp=x")).Json["Url"]);
        Assert.Equal(Missing, TypeOf((await Server.SendAsync(
            "GET", "/info/remote-task/tcp?database=db&remote-task=none")).ExpectError(400, "'none'")));
        HttpAnswer missing = await Server.SendAsync("GET", "/info/remote-task/tcp?database=nowhere&remote-task=x");
        Assert.Equal(503, missing.Status);
        Assert.True(missing.Message.Headers.Contains("Database-Missing"));
    }

    private static string TypeOf(HttpAnswer answer) => (string)answer.Json["Type"]!;

    private async Task<JsonNode> StateAsync() =>
        (await Server.SendAsync("GET", $"~/subscriptions/state?name={_name}")).Expect(HttpStatusCode.OK).Json;

    private Task<HttpAnswer> PutAsync(string body) => Server.SendAsync("PUT", "~/subscriptions", body);
}
