using System.Net;
using System.Security.Cryptography.X509Certificates;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Security;
using Raven.Security.Rights;

namespace FastTests.Server.Answers;

/// <summary>Answers of time series, subscriptions, tasks and certificates, and the messages of a worker.</summary>
/// <param name="server">The server with something of everything.</param>
/// <param name="walker">Walks them.</param>
/// <param name="headOf">The head of an answer by its method, path and variant.</param>
internal sealed class FeatureAnswers(
    TestServer server, AnswerWalker walker, Func<string, string, string, string> headOf)
{
    private const string Socket = "TCP subscription | ";
    private const string Database = "/databases/*";

    internal async Task WalkAsync()
    {
        await WalkAsync("GET", "timeseries", "~/timeseries?docId=users/1&name=Heart&full=true&includeTags=true");
        await WalkAsync("GET", "timeseries/ranges", "~/timeseries/ranges?docId=users/1&name=Heart&full=true");
        await WalkAsync("GET", "timeseries/stats", "~/timeseries/stats?docId=users/1");
        await WalkAsync(
            "PUT", "subscriptions", "~/subscriptions",
            """{"Name":"news","Query":"from Users as u include u.Boss, counters('likes'), timeseries('Heart')"}""");
        await WalkSocketAsync();
        await WalkAsync(
            "POST", "subscriptions/update", "~/subscriptions/update",
            """{"Name":"news","Query":"from Users as u include u.Boss","MentorNode":"A"}""");
        await WalkAsync("GET", "subscriptions", "~/subscriptions");
        await WalkAsync("GET", "subscriptions/state", "~/subscriptions/state?name=news");
        await WalkAsync("GET", "task", "~/task?taskName=news&type=Subscription", variant: "type=Subscription");
        await WalkAsync("GET", "task", "~/task?taskName=news&type=Subscription", variant: "the members");
        await WalkAsync(
            "POST", "admin/tasks/state", "~/admin/tasks/state?taskName=news&type=Subscription&disable=true", "");
        await WalkAsync("GET", "info/tcp", "~/info/tcp");
        await WalkAsync("GET", "/info/tcp", "/info/tcp");
        await WalkAsync("GET", "/info/remote-task/tcp", "/info/remote-task/tcp?database=db&remote-task=news");
        WalkCertificates();
    }

    private async Task WalkAsync(string method, string path, string url, string? body = null, string variant = "")
    {
        HttpAnswer answer = await server.SendAsync(method, url, body);
        Assert.True(answer.Status is 200 or 201, $"{method} {url}: {answer.Status} {answer.Text}");
        string head = headOf(method, path.StartsWith('/') ? path : $"{Database}/{path}", variant);
        walker.Walk(head, JsonDocument.Parse(answer.Bytes).RootElement);
    }

    /// <summary>Each message that a worker may get, of subscriptions that show all of their members.</summary>
    private async Task WalkSocketAsync()
    {
        using (SubscriptionClient refused = new(server.Port))
        {
            refused.Send(SubscriptionClient.Header.Replace("53000", "54000", StringComparison.Ordinal));
            Walk("the answer to the header, before any message", refused.Read());
            refused.Send(SubscriptionClient.Header + SubscriptionClient.Options("none"));
            Walk("the answer to the header, before any message", refused.Read());
            Walk("message of Type ConnectionStatus", refused.Read());
        }

        await WalkBatchAsync("news");
        await WalkBatchAsync("projected", "from Users as u select { N: u.Name }");
        await WalkBatchAsync("failing", "declare function f(u) { throw new Error('no'); } from Users as u select f(u)");
        await WalkBatchAsync("versions", "from Users (Revisions = true)");
        using SubscriptionClient wrong = SubscriptionClient.Connect(server.Port, "news", ",\"Strategy\":\"TakeOver\"");
        wrong.Send("{\"Type\":\"Nothing\"}");
        JsonNode message = wrong.Read();
        while ((string?)message["Type"] != "Error")
        {
            message = wrong.Read();
        }

        Walk("message of Type Error", message);
    }

    private async Task WalkBatchAsync(string name, string? query = null)
    {
        if (query is not null)
        {
            string body = new JsonObject { ["Name"] = name, ["Query"] = query }.ToJsonString();
            (await server.SendAsync("PUT", "~/subscriptions", body)).Expect(HttpStatusCode.Created);
        }

        using SubscriptionClient client = SubscriptionClient.Connect(
            server.Port, name, ",\"CloseWhenNoDocsLeft\":true");
        JsonNode message = client.Read();
        while ((string?)message["Type"] is { } type && type != "ConnectionStatus")
        {
            switch (type)
            {
                case "EndOfBatch":
                    client.Send("{\"Type\":\"Acknowledge\"}");
                    break;
                case "Data":
                    Walk("message of Type Data", message);
                    break;
                case "Includes" or "CounterIncludes" or "TimeSeriesIncludes":
                    Walk("messages of Type Includes, CounterIncludes, TimeSeriesIncludes", message);
                    break;
            }

            message = client.Read();
        }

        Walk("message of Type ConnectionStatus", message);
    }

    private void WalkCertificates()
    {
        using var secured = new SecuredServer();
        using X509Certificate2 one = secured.Register("one", Clearance.ValidUser, DatabaseRight.Read);
        foreach ((string query, string variant) in new[] { ("", ""), ("?metadataOnly=true", "metadataOnly") })
        {
            InMemoryRequest answer = secured.Send("C", "GET", $"/admin/certificates{query}");
            Assert.Equal(200, answer.StatusCode);
            string head = variant.Length > 0
                ? headOf("GET", "/admin/certificates", variant)
                : "GET /admin/certificates";
            walker.Walk(head, JsonDocument.Parse(answer.Answer).RootElement);
        }
    }

    private void Walk(string message, JsonNode json) =>
        walker.Walk(Socket + message, JsonDocument.Parse(json.ToJsonString()).RootElement);
}
