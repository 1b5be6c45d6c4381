using System.Net;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace FastTests.Smuggler;

/// <summary>Definitions of subscriptions in dumps: what comes back, and what cannot be taken.</summary>
public sealed class DumpSubscriptionTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private readonly TestServer _server = fixture.Server;

    [Fact]
    public async Task A_definition_comes_back_as_it_was_and_begins_at_the_first_document()
    {
        await _server.CreateAsync("mails");
        await _server.CreateAsync("mailsCopy");
        await PutAsync("mails", "users/1");
        await SendAsync(
            "PUT", "mails/subscriptions",
            """
            {"Name":"Mail","Query":"from Users as u where u.N > 0","Disabled":true,"MentorNode":"A",
            "PinToMentorNode":true,"ArchivedDataProcessingBehavior":"IncludeArchived","ChangeVector":"LastDocument"}
            """);
        byte[] dump = await _server.ExportAsync("mails");
        JsonNode item = Assert.Single(DumpContent.Read(dump)["Subscriptions"]);
        Assert.Equal(
            """
            {"SubscriptionName":"Mail","Query":"from Users as u where u.N \u003E 0","Disabled":true,
            "ArchivedDataProcessingBehavior":"IncludeArchived","MentorNode":"A","PinToMentorNode":true}
            """.ReplaceLineEndings(""),
            item.ToJsonString());
        JsonNode result = await _server.ImportAsync(dump, "mailsCopy");
        Assert.Equal(1, (int)result["Subscriptions"]!["ReadCount"]!);
        JsonNode copy = await StateAsync("mailsCopy", "Mail");
        foreach (string member in new[] { "Query", "Disabled", "MentorNode", "PinToMentorNode" })
        {
            Assert.Equal(item[member]!.ToJsonString(), copy[member]!.ToJsonString());
        }

        Assert.Equal("IncludeArchived", (string?)copy["ArchivedDataProcessingBehavior"]);
        Assert.Null(copy["ChangeVectorForNextBatchStartingPoint"]);
    }

    [Fact]
    public async Task One_of_that_name_gets_the_definition_and_stays_where_it_is()
    {
        await _server.CreateAsync("there");
        await PutAsync("there", "users/1");
        await SendAsync(
            "PUT", "there/subscriptions", """{"Name":"mail","Query":"from Users","ChangeVector":"LastDocument"}""");
        JsonNode before = await StateAsync("there", "mail");
        await _server.ImportAsync(
            """{"Subscriptions":[{"SubscriptionName":"MAIL","Query":"from Orders"}]}"""u8.ToArray(), "there");
        JsonNode after = await StateAsync("there", "mail");
        Assert.Equal("from Orders", (string?)after["Query"]);
        Assert.Equal((long)before["SubscriptionId"]!, (long)after["SubscriptionId"]!);
        Assert.Equal(
            (string)before["ChangeVectorForNextBatchStartingPoint"]!,
            (string?)after["ChangeVectorForNextBatchStartingPoint"]);
    }

    [Fact]
    public async Task What_cannot_be_taken_is_counted_and_named_and_the_others_are_in()
    {
        await _server.CreateAsync("bad");
        byte[] dump = """
            {"Subscriptions":[{"Query":"from Users"},{"SubscriptionName":"a"},{"SubscriptionName":1,"Query":"from A"},
            {"SubscriptionName":"b","Query":"from Users order by Name"},{"SubscriptionName":"c","Query":"nonsense"},
            {"SubscriptionName":"d","Query":"declare function f( { } from Users as u where f(u)"},
            {"SubscriptionName":"e","Query":"from A","Disabled":"yes"},
            {"SubscriptionName":"f","Query":"from A","ArchivedDataProcessingBehavior":"7"},
            {"SubscriptionName":"g\u001F","Query":"from A"},{"SubscriptionName":"h","Query":"from A",
            "SubscriptionId":12,"ChangeVectorForNextBatchStartingPoint":"A:9-x","NodeTag":"Z"}]}
            """u8.ToArray();
        JsonNode result = await _server.ImportAsync(dump, "bad");
        Assert.Equal(1, (int)result["Subscriptions"]!["ReadCount"]!);
        Assert.Equal(9, (int)result["Subscriptions"]!["ErroredCount"]!);
        Assert.Equal(9, result["Messages"]!.AsArray().Count);
        JsonNode all = (await _server.SendAsync("GET", "/databases/bad/subscriptions?start=0&pageSize=99")).Json;
        Assert.Equal("h", (string?)Assert.Single(all["Results"]!.AsArray())!["SubscriptionName"]);
        JsonNode none = await _server.ImportAsync(dump, "bad", """{"OperateOnTypes":"Documents"}""");
        Assert.Equal(10, (int)none["Subscriptions"]!["SkippedCount"]!);
        Assert.Equal(0, (int)none["Subscriptions"]!["ErroredCount"]!);
    }

    private async Task PutAsync(string database, string id) =>
        await SendAsync("PUT", $"{database}/docs?id={id}", """{"N":1,"@metadata":{"@collection":"Users"}}""");

    private async Task SendAsync(string method, string path, string body)
    {
        HttpAnswer answer = await _server.SendAsync(method, $"/databases/{path}", body);
        Assert.True(answer.Status < 300, answer.Text);
    }

    private async Task<JsonNode> StateAsync(string database, string name) =>
        (await _server.SendAsync("GET", $"/databases/{database}/subscriptions/state?name={name}"))
            .Expect(HttpStatusCode.OK).Json;
}
