using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Support;

namespace FastTests.Server;

/// <summary>Batches of subscriptions over plain HTTP: taken, acknowledged, given back, extended, lost.</summary>
public sealed class SubscriptionLeaseHttpTests(DatabaseFixture fixture) : IClassFixture<DatabaseFixture>
{
    private static int _count;

    private readonly string _name = $"l{Interlocked.Increment(ref _count)}";

    private TestServer Server => fixture.Server;

    [Fact]
    public async Task A_batch_is_taken_and_acknowledged_once()
    {
        await CreateAsync("1", "2");
        JsonNode batch = (await TakeAsync("&max=1")).Expect(HttpStatusCode.OK).Json;
        JsonNode item = Assert.Single(batch["Items"]!.AsArray())!;
        Assert.Equal($"{_name}/1", (string?)item["Id"]);
        Assert.Equal((string?)item["ChangeVector"], (string?)item["Data"]!["@metadata"]!["@change-vector"]);
        Assert.Equal((string?)batch["Position"], (string?)item["ChangeVector"]);
        Assert.NotNull(batch["LeaseUntil"]);
        string id = (string)batch["BatchId"]!;
        (await StepAsync("ack", id)).Expect(HttpStatusCode.NoContent);
        (await StepAsync("ack", id)).ExpectError(409, "There is no batch");
        (await StepAsync("nack", id)).ExpectError(409, "There is no batch");
        (await StepAsync("extend", id)).ExpectError(409, "There is no batch");
        JsonNode rest = (await TakeAsync("")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal($"{_name}/2", (string?)rest["Items"]![0]!["Id"]);
        (await TakeAsync("")).Expect(HttpStatusCode.NoContent);
        (await StepAsync("extend", (string)rest["BatchId"]! + "&lease=00:05:00")).Expect(HttpStatusCode.OK);
        (await StepAsync("ack", (string)rest["BatchId"]!)).Expect(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task The_figures_of_a_subscription_are_in_the_metrics()
    {
        await CreateAsync("1", "2");
        string id = (string)(await TakeAsync("&max=1")).Expect(HttpStatusCode.OK).Json["BatchId"]!;
        Assert.Equal(1, await MetricAsync("workers"));
        Assert.Equal(1, await MetricAsync("owed_documents"));
        Assert.True(await MetricAsync("lag_changes") >= 1);
        Assert.Equal(0, await MetricAsync("last_acknowledgement_timestamp_seconds"));
        (await StepAsync("ack", id)).Expect(HttpStatusCode.NoContent);
        Assert.Equal(0, await MetricAsync("workers"));
        Assert.Equal(0, await MetricAsync("owed_documents"));
        Assert.Equal(1, await MetricAsync("documents_total"));
        Assert.Equal(1, await MetricAsync("batches_total"));
        Assert.Equal(0, await MetricAsync("failures_total"));
        Assert.True(await MetricAsync("last_acknowledgement_timestamp_seconds") > 1_700_000_000);
    }

    [Fact]
    [Trait("Invariant", "LEASE-1")]
    public async Task Documents_that_are_given_back_come_again_and_the_others_stay()
    {
        await CreateAsync("1", "2");
        string id = (string)(await TakeAsync("")).Expect(HttpStatusCode.OK).Json["BatchId"]!;
        (await StepAsync("nack", $"{id}&id={_name}/2")).Expect(HttpStatusCode.NoContent);
        JsonNode again = (await TakeAsync("")).Expect(HttpStatusCode.OK).Json;
        Assert.Equal($"{_name}/2", (string?)Assert.Single(again["Items"]!.AsArray())!["Id"]);
        (await StepAsync("ack", id)).Expect(HttpStatusCode.NoContent);
        (await StepAsync("nack", (string)again["BatchId"]! + "&delay=1h")).Expect(HttpStatusCode.NoContent);
        (await TakeAsync("")).Expect(HttpStatusCode.NoContent);
        JsonNode state = (await Server.SendAsync("GET", $"~/subscriptions/state?name={_name}")).Json;
        Assert.Equal(1, (int)state["OwedDocuments"]!);
    }

    [Fact]
    [Trait("Invariant", "LEASE-2")]
    public async Task A_lease_that_is_over_gives_its_documents_to_one_that_waits()
    {
        await CreateAsync("1");
        string lost = (string)(await TakeAsync("&lease=20ms")).Expect(HttpStatusCode.OK).Json["BatchId"]!;
        JsonNode next = (await TakeAsync("&wait=2m").WaitAsync(Deadline.Hang)).Expect(HttpStatusCode.OK).Json;
        Assert.Equal($"{_name}/1", (string?)next["Items"]![0]!["Id"]);
        (await StepAsync("ack", lost)).ExpectError(409, "its lease is over");
        (await StepAsync("ack", (string)next["BatchId"]!)).Expect(HttpStatusCode.NoContent);
    }

    [Fact]
    public async Task Leases_and_sockets_share_only_if_the_socket_does()
    {
        await CreateAsync("1");
        using (SubscriptionClient alone = SubscriptionClient.Connect(Server.Port, _name))
        {
            (await TakeAsync("")).ExpectError(409, "Concurrent");
        }

        using SubscriptionClient shared = SubscriptionClient.Connect(
            Server.Port, _name, ",\"Strategy\":\"Concurrent\"");
        Assert.Single(shared.ReadBatch());
        (await TakeAsync("")).Expect(HttpStatusCode.NoContent);
        shared.Acknowledge();
    }

    [Theory]
    [InlineData("&wait=soon", "wait must be")]
    [InlineData("&lease=-1s", "lease must be")]
    [InlineData("&lease=100000h", "lease must be")]
    [InlineData("&max=0", "max")]
    public async Task What_is_wrong_is_a_400(string query, string says)
    {
        await CreateAsync();
        (await TakeAsync(query)).ExpectError(400, says);
        (await Server.SendAsync("POST", "~/subscriptions/batch?name=none")).ExpectError(400, "'none'");
        (await Server.SendAsync("POST", "~/subscriptions/batch/ack")).ExpectError(400, "'batch'");
    }

    [Fact]
    [Trait("Invariant", "LEASE-1")]
    public async Task A_stream_sends_the_next_batch_after_the_acknowledgement()
    {
        await CreateAsync("1", "2");
        using HttpResponseMessage answer = await StreamAsync("&max=1");
        Assert.Equal("text/event-stream", answer.Content.Headers.ContentType!.MediaType);
        using var reader = new StreamReader(await answer.Content.ReadAsStreamAsync());
        JsonNode item = await EventAsync(reader, "data");
        Assert.Equal($"{_name}/1", (string?)item["Id"]);
        Assert.NotNull(item["Data"]!["@metadata"]);
        JsonNode end = await EventAsync(reader, "endofbatch");
        Assert.NotNull(end["LeaseUntil"]);
        Assert.Equal("{}", end["Includes"]!.ToJsonString());
        (await StepAsync("ack", (string)end["BatchId"]!)).Expect(HttpStatusCode.NoContent);
        Assert.Equal($"{_name}/2", (string?)(await EventAsync(reader, "data"))["Id"]);
        end = await EventAsync(reader, "endofbatch");
        (await StepAsync("nack", (string)end["BatchId"]!)).Expect(HttpStatusCode.NoContent);
        Assert.Equal($"{_name}/2", (string?)(await EventAsync(reader, "data"))["Id"]);
        await EventAsync(reader, "endofbatch");
        (await Server.SendAsync("POST", $"~/subscriptions/drop?name={_name}")).Expect(HttpStatusCode.NoContent);
        JsonNode error = await EventAsync(reader, "error");
        Assert.EndsWith("SubscriptionClosedException", (string?)error["Type"], StringComparison.Ordinal);
        Assert.Equal("", (await reader.ReadToEndAsync().WaitAsync(Deadline.Hang)).Trim());
    }

    [Fact]
    public async Task What_a_stream_had_that_is_gone_is_sent_to_another_one()
    {
        await CreateAsync("1");
        using (HttpResponseMessage gone = await StreamAsync(""))
        {
            using var reader = new StreamReader(await gone.Content.ReadAsStreamAsync());
            Assert.Equal($"{_name}/1", (string?)(await EventAsync(reader, "data"))["Id"]);
        }

        JsonNode next = (await TakeAsync("&wait=2m").WaitAsync(Deadline.Hang)).Expect(HttpStatusCode.OK).Json;
        Assert.Equal($"{_name}/1", (string?)next["Items"]![0]!["Id"]);
        (await Server.SendAsync("GET", "~/subscriptions/stream?name=none")).ExpectError(400, "none");
        (await Server.SendAsync("GET", "~/subscriptions/stream")).ExpectError(400, "'name' is missing");
    }

    private Task<HttpResponseMessage> StreamAsync(string more) => Server.Client.GetAsync(
        $"/databases/db/subscriptions/stream?name={_name}{more}", HttpCompletionOption.ResponseHeadersRead);

    /// <summary>Reads an event, and passes heartbeats over.</summary>
    private static async Task<JsonNode> EventAsync(StreamReader reader, string name)
    {
        string? line;
        do
        {
            line = await reader.ReadLineAsync().WaitAsync(Deadline.Hang);
        }
        while (line is "" or ":");

        Assert.Equal($"event: {name}", line);
        line = await reader.ReadLineAsync().WaitAsync(Deadline.Hang);
        if (name != "error")
        {
            Assert.StartsWith("id: A:", line, StringComparison.Ordinal);
            line = await reader.ReadLineAsync().WaitAsync(Deadline.Hang);
        }

        Assert.StartsWith("data: {", line, StringComparison.Ordinal);
        return JsonNode.Parse(line!["data: ".Length..])!;
    }

    private async Task<double> MetricAsync(string what)
    {
        string text = (await Server.SendAsync("GET", "/metrics")).Expect(HttpStatusCode.OK).Text;
        string line = Assert.Single(
            text.Split('\n'),
            one => one.StartsWith($"raven_subscription_{what}{{", StringComparison.Ordinal)
                && one.Contains($"subscription=\"{_name}\"", StringComparison.Ordinal));
        return double.Parse(line[(line.LastIndexOf(' ') + 1)..], CultureInfo.InvariantCulture);
    }

    private async Task CreateAsync(params string[] ids)
    {
        (await Server.SendAsync("PUT", "~/subscriptions", $"{{\"Name\":\"{_name}\",\"Query\":\"from C{_name}\"}}"))
            .Expect(HttpStatusCode.Created);
        foreach (string id in ids)
        {
            await Server.PutAsync($"{_name}/{id}", $"{{\"@metadata\":{{\"@collection\":\"C{_name}\"}}}}");
        }
    }

    private Task<HttpAnswer> TakeAsync(string more) =>
        Server.SendAsync("POST", $"~/subscriptions/batch?name={_name}{more}");

    private Task<HttpAnswer> StepAsync(string step, string batch) =>
        Server.SendAsync("POST", $"~/subscriptions/batch/{step}?batch={batch}");
}
