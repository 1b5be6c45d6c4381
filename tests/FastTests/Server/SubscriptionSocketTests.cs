using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Workers of subscriptions over the port of HTTP: the protocol, and what is wrong with it.</summary>
public sealed class SubscriptionSocketTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private static int _count;

    private readonly string _name = $"s{Interlocked.Increment(ref _count)}";

    private TestServer Server => fixture.Server;

    private string Collection => $"C{_name}";

    [Fact]
    [Trait("Invariant", "WIRE-1")]
    [Trait("Invariant", "SOCK-3")]
    public async Task Batches_are_sent_acknowledged_and_confirmed()
    {
        await CreateAsync();
        await PutAsync("1");
        await PutAsync("2");
        using SubscriptionClient client = SubscriptionClient.Connect(Server.Port, _name);
        Assert.Equal([Id("1"), Id("2")], client.ReadBatch());
        client.Acknowledge();
        await PutAsync("3");
        Assert.Equal([Id("3")], client.ReadBatch());
        client.Acknowledge();
        JsonNode state = (await Server.SendAsync("GET", $"~/subscriptions/state?name={_name}")).Json;
        Assert.Equal(0, (long)state["Lag"]!);
        Assert.Equal(2, (long)state["BatchesAcknowledged"]!);
        Assert.Equal("OpenIfFree", (string?)state["Workers"]![0]!["Strategy"]);
        Assert.NotNull(state["LastBatchAckTime"]);
    }

    [Fact]
    [Trait("Invariant", "SWITCH-1")]
    public async Task Messages_may_be_glued_split_and_have_white_space_between()
    {
        await CreateAsync();
        await PutAsync("1");
        using var client = new SubscriptionClient(Server.Port);
        string both = SubscriptionClient.Header + "\r\n \t" + SubscriptionClient.Options(_name);
        foreach (char one in both)
        {
            client.Send(one.ToString());
        }

        Assert.Equal("Ok", (string?)client.Read()["Status"]);
        Assert.Equal("Accepted", (string?)client.Read()["Status"]);
        Assert.Single(client.ReadBatch());
        client.Acknowledge();
    }

    [Fact]
    [Trait("Invariant", "SOCK-4")]
    public async Task A_closed_connection_frees_the_subscription_and_its_batch_comes_again()
    {
        await CreateAsync();
        await PutAsync("1");
        using (SubscriptionClient lost = SubscriptionClient.Connect(Server.Port, _name))
        {
            Assert.Single(lost.ReadBatch());
        }

        using SubscriptionClient next = SubscriptionClient.Connect(
            Server.Port, _name, ",\"Strategy\":\"WaitForFree\",\"CloseWhenNoDocsLeft\":true");
        Assert.Equal([Id("1")], next.ReadBatch());
        next.Acknowledge();
        JsonNode closed = next.Read();
        Assert.Equal("Closed", (string?)closed["Status"]);
        Assert.False((bool)closed["Data"]!["CanReconnect"]!);
        Assert.True(next.IsEnded());
    }

    [Theory]
    [InlineData(53_000, "Ok", 53_000)]
    [InlineData(40, "Ok", 40)]
    [InlineData(54_000, "TcpVersionMismatch", 53_000)]
    [InlineData(52_000, "TcpVersionMismatch", 51_000)]
    [InlineData(7, "TcpVersionMismatch", -1)]
    public void A_version_that_is_known_is_taken_and_else_the_highest_lower_one_is_offered(
        int offered, string status, int version)
    {
        using var client = new SubscriptionClient(Server.Port);
        client.Send(SubscriptionClient.Header.Replace("53000", $"{offered}", StringComparison.Ordinal));
        JsonNode answer = client.Read();
        Assert.Equal((status, version), ((string)answer["Status"]!, (int)answer["Version"]!));
        Assert.False((bool)answer["LicensedFeatures"]!["DataCompression"]!);
        if (status != "Ok")
        {
            client.Send(SubscriptionClient.Header.Replace("Subscription", "Drop", StringComparison.Ordinal));
            Assert.True(client.IsEnded());
        }
    }

    [Theory]
    [InlineData("{\"DatabaseName\":\"db\"}", "Operation")]
    [InlineData("{\"DatabaseName\":\"db\",\"Operation\":\"Subscription\"}", "OperationVersion")]
    [InlineData("{\"DatabaseName\":7,\"Operation\":\"Subscription\",\"OperationVersion\":40}", "DatabaseName")]
    [InlineData("{nonsense", "no JSON")]
    public void A_header_that_is_wrong_ends_the_connection_with_a_reason(string header, string says)
    {
        using var client = new SubscriptionClient(Server.Port);
        client.Send(header);
        JsonNode error = client.Read();
        Assert.Equal("Error", (string?)error["Type"]);
        Assert.Contains(says, (string?)error["Message"], StringComparison.Ordinal);
        Assert.True(client.IsEnded());
    }

    [Fact]
    public void A_header_without_end_is_cut_off()
    {
        using var client = new SubscriptionClient(Server.Port);
        client.Send("{\"DatabaseName\":\"" + new string('x', 5000));
        Assert.Contains("longer than", (string?)client.Read()["Message"], StringComparison.Ordinal);
        Assert.True(client.IsEnded());
    }

    [Theory]
    [InlineData("{\"Type\":\"Acknowledge\"}{\"Type\":\"Acknowledge\"}", "no batch")]
    [InlineData("{\"Type\":\"Acknowledge\",\"ChangeVector\":\"A:9-other\"}", "cannot be acknowledged")]
    [InlineData("{\"Type\":\"Data\"}", "sends Acknowledge")]
    [InlineData("[]", "must be a JSON object")]
    [Trait("Invariant", "SOCK-2")]
    public async Task What_a_worker_may_not_send_ends_it(string message, string says)
    {
        await CreateAsync();
        await PutAsync("1");
        using SubscriptionClient client = SubscriptionClient.Connect(Server.Port, _name);
        client.ReadBatch();
        client.Send(message);
        JsonNode answer = client.Read();
        if ((string?)answer["Type"] == "Confirm")
        {
            answer = client.Read();
        }

        Assert.Equal("Error", (string?)answer["Type"]);
        Assert.Contains(says, (string?)answer["Message"], StringComparison.Ordinal);
        Assert.True(client.IsEnded());
    }

    [Fact]
    public async Task Refusals_have_a_status_and_closings_say_whether_to_come_back()
    {
        Assert.Equal("NotFound", await RefusedAsync("missing"));
        await CreateAsync();
        using SubscriptionClient there = SubscriptionClient.Connect(Server.Port, _name);
        Assert.Equal("InUse", await RefusedAsync(_name));
        using (SubscriptionClient next = new(Server.Port))
        {
            next.Send(SubscriptionClient.Header + SubscriptionClient.Options(_name, ",\"Strategy\":\"TakeOver\""));
            Assert.Equal("InUse", (string?)there.Read()["Status"]);
            Assert.Equal("Ok", (string?)next.Read()["Status"]);
            Assert.Equal("Accepted", (string?)next.Read()["Status"]);
            (await Server.SendAsync("POST", "~/subscriptions/update", $"{{\"Name\":\"{_name}\",\"Query\":\"from X\"}}"))
                .Expect(HttpStatusCode.OK);
            JsonNode closed = next.Read();
            Assert.Equal(("Closed", true), ((string)closed["Status"]!, (bool)closed["Data"]!["CanReconnect"]!));
        }

        (await Server.SendAsync("POST", $"~/admin/tasks/state?type=Subscription&disable=true&key=0&taskName={_name}"))
            .Expect(HttpStatusCode.OK);
        Assert.Equal("Closed", await RefusedAsync(_name));
    }

    [Fact]
    public void A_database_that_is_missing_is_named()
    {
        using var client = new SubscriptionClient(Server.Port);
        client.Send(SubscriptionClient.Header.Replace("\"db\"", "\"nowhere\"", StringComparison.Ordinal)
            + SubscriptionClient.Options("x"));
        Assert.Equal("Ok", (string?)client.Read()["Status"]);
        Assert.StartsWith(
            "Raven.Client.Exceptions.Database.DatabaseDoesNotExistException", (string?)client.Read()["Exception"],
            StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_deleted_database_ends_its_workers()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        await server.SendAsync("PUT", "~/subscriptions", "{\"Name\":\"all\",\"Query\":\"from @all_docs\"}");
        using SubscriptionClient client = SubscriptionClient.Connect(server.Port, "all");
        await server.SendAsync("DELETE", "/admin/databases", "{\"DatabaseNames\":[\"db\"],\"HardDelete\":true}");
        Assert.Contains("DatabaseDoesNotExistException", (string?)client.Read()["Exception"], StringComparison.Ordinal);
    }

    [Fact]
    [Trait("Invariant", "SWITCH-2")]
    public async Task A_server_that_stops_says_so()
    {
        TestServer server = await TestServer.WithDatabaseAsync();
        await server.SendAsync("PUT", "~/subscriptions", "{\"Name\":\"all\",\"Query\":\"from @all_docs\"}");
        using SubscriptionClient client = SubscriptionClient.Connect(server.Port, "all");
        using var silent = new SubscriptionClient(server.Port);
        Task stopping = Task.Run(server.Dispose);
        JsonNode closed = client.Read();
        Assert.Equal(("Closed", true), ((string)closed["Status"]!, (bool)closed["Data"]!["CanReconnect"]!));
        Assert.True(silent.IsEnded());
        await stopping.WaitAsync(Deadline.Hang);
    }

    private async Task<string?> RefusedAsync(string name)
    {
        await Task.Yield();
        using var client = new SubscriptionClient(Server.Port);
        client.Send(SubscriptionClient.Header + SubscriptionClient.Options(name));
        Assert.Equal("Ok", (string?)client.Read()["Status"]);
        JsonNode status = client.Read();
        Assert.True(client.IsEnded());
        return (string?)status["Status"];
    }

    private async Task CreateAsync() => (await Server.SendAsync(
        "PUT", "~/subscriptions", $"{{\"Name\":\"{_name}\",\"Query\":\"from {Collection}\"}}"))
        .Expect(HttpStatusCode.Created);

    private string Id(string id) => $"{_name}/{id}";

    private Task<string> PutAsync(string id) =>
        Server.PutAsync(Id(id), $"{{\"@metadata\":{{\"@collection\":\"{Collection}\"}}}}");
}
