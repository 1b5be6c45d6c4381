using System.Net;
using System.Text.Json.Nodes;
using FastTests.Server;

namespace SlowTests.Server;

/// <summary>
/// What workers of other languages send, byte by byte as they write it: cut in two at each position it is understood
/// all the same, and if the connection is lost there, nothing is lost with it.
/// </summary>
[Trait(Category.Shard, "subscriptions")]
[Trait(Category.Run, Category.Ci)]
public sealed class RecordedWorkerTests
{
    private const string Node =
        "{\"DatabaseName\":\"db\",\"Operation\":\"Subscription\",\"SourceNodeTag\":null,\"OperationVersion\":53000,"
        + "\"AuthorizeInfo\":null,\"LicensedFeatures\":{\"dataCompression\":false}}"
        + "|{\"SubscriptionName\":\"NAME\",\"TimeToWaitBeforeConnectionRetry\":\"00:00:05\","
        + "\"IgnoreSubscriberErrors\":false,\"Strategy\":\"OpenIfFree\",\"MaxDocsPerBatch\":4096,"
        + "\"MaxErroneousPeriod\":\"00:05:00\",\"CloseWhenNoDocsLeft\":false}"
        + "|{\"Type\":\"Acknowledge\"}";

    private const string Java =
        "{\"DatabaseName\":\"db\",\"Operation\":\"Subscription\",\"SourceNodeTag\":\"A\",\"OperationVersion\":53000,"
        + "\"AuthorizeInfo\":null,\"ServerId\":\"x\",\"LicensedFeatures\":{\"DataCompression\":true}}"
        + "|{\"SubscriptionName\":\"NAME\",\"TimeToWaitBeforeConnectionRetry\":\"00:00:05\","
        + "\"IgnoreSubscriberErrors\":false,\"Strategy\":\"OpenIfFree\",\"MaxDocsPerBatch\":4096,"
        + "\"MaxErroneousPeriod\":\"00:05:00\",\"CloseWhenNoDocsLeft\":false,\"SendBufferSizeInBytes\":32768,"
        + "\"ReceiveBufferSizeInBytes\":4096,\"WorkerId\":\"w1\"}"
        + "|{\"ChangeVector\":\"VECTOR\",\"Type\":\"Acknowledge\"}";

    private const string Python =
        "{\"DatabaseName\": \"db\", \"Operation\": \"Subscription\", \"SourceNodeTag\": \"A\","
        + " \"OperationVersion\": 51000, \"AuthorizeInfo\": null}"
        + "|{\"SubscriptionName\": \"NAME\", \"TimeToWaitBeforeConnectionRetry\": \"0:00:05\","
        + " \"IgnoreSubscriberErrors\": false, \"Strategy\": \"OpenIfFree\", \"MaxDocsPerBatch\": 4096,"
        + " \"MaxErroneousPeriod\": \"0:05:00\", \"CloseWhenNoDocsLeft\": false}"
        + "|{\"ChangeVector\": \"VECTOR\", \"Type\": \"Acknowledge\"}";

    /// <summary>What each of the three messages is answered.</summary>
    private static readonly string[] Expected = ["Ok", "Accepted", "Confirm"];

    [Theory]
    [InlineData(Node)]
    [InlineData(Java)]
    [InlineData(Python)]
    [Trait("Invariant", "SWITCH-1")]
    [Trait("Invariant", "WIRE-1")]
    public async Task What_is_sent_in_two_pieces_is_understood_wherever_it_is_cut(string recorded)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string[] parts = recorded.Split('|');
        int length = parts.Sum(part => part.Length);
        for (int cut = 1; cut < length; cut++)
        {
            string name = $"s{cut}";
            string vector = await MakeAsync(server, name);
            using var client = new SubscriptionClient(server.Port);
            int rest = cut;
            for (int i = 0; i < parts.Length; i++)
            {
                string part = Fill(parts[i], name, vector);
                await SendAsync(client, part, rest);
                rest -= part.Length;
                Assert.Equal(Expected[i], Said(client.Read()));
                if (i == 1)
                {
                    Assert.Equal([name + "/1"], client.ReadBatch());
                }
            }

            Assert.Equal(0, await LagAsync(server, name));
        }
    }

    [Theory]
    [InlineData(Node)]
    [InlineData(Java)]
    [InlineData(Python)]
    [Trait("Invariant", "SOCK-4")]
    [Trait("Invariant", "SUB-3")]
    public async Task A_connection_that_is_lost_anywhere_frees_the_subscription_and_loses_nothing(string recorded)
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string[] parts = recorded.Split('|');
        for (int part = 0; part < parts.Length; part++)
        {
            int length = Fill(parts[part], "s0000", "").Length;
            for (int cut = 0; cut <= length; cut++)
            {
                await LoseAsync(server, parts, part, cut);
            }
        }

        await server.AssertServesAsync();
    }

    private static async Task LoseAsync(TestServer server, string[] parts, int part, int cut)
    {
        string name = $"s{part}{cut:000}";
        string vector = await MakeAsync(server, name);
        bool isAcknowledged;
        using (var lost = new SubscriptionClient(server.Port))
        {
            for (int i = 0; i < part; i++)
            {
                lost.Send(Fill(parts[i], name, vector));
                Assert.Equal(Expected[i], Said(lost.Read()));
                if (i == 1)
                {
                    Assert.Equal([name + "/1"], lost.ReadBatch());
                }
            }

            string last = Fill(parts[part], name, vector);
            lost.Send(last[..Math.Min(cut, last.Length)]);
            isAcknowledged = part == 2 && cut >= last.Length && Said(lost.Read()) == "Confirm";
        }

        using SubscriptionClient next = SubscriptionClient.Connect(
            server.Port, name, ",\"Strategy\":\"WaitForFree\",\"CloseWhenNoDocsLeft\":true");
        if (!isAcknowledged)
        {
            Assert.Equal([name + "/1"], next.ReadBatch());
            next.Acknowledge();
        }

        Assert.Equal("Closed", Said(next.Read()));
    }

    private static string Fill(string part, string name, string vector) => part
        .Replace("NAME", name, StringComparison.Ordinal)
        .Replace("VECTOR", vector, StringComparison.Ordinal);

    /// <summary>Sends a message, in two pieces if the cut is within it.</summary>
    private static async Task SendAsync(SubscriptionClient client, string part, int cut)
    {
        if (cut <= 0 || cut >= part.Length)
        {
            client.Send(part);
            return;
        }

        client.Send(part[..cut]);
        await Task.Delay(1);
        client.Send(part[cut..]);
    }

    private static string Said(JsonNode message) => (string?)message["Status"] ?? (string)message["Type"]!;

    private static async Task<string> MakeAsync(TestServer server, string name)
    {
        (await server.SendAsync("PUT", "~/subscriptions", $"{{\"Name\":\"{name}\",\"Query\":\"from C{name}\"}}"))
            .Expect(HttpStatusCode.Created);
        return await server.PutAsync($"{name}/1", $"{{\"@metadata\":{{\"@collection\":\"C{name}\"}}}}");
    }

    private static async Task<long> LagAsync(TestServer server, string name)
    {
        JsonNode state = (await server.SendAsync("GET", $"~/subscriptions/state?name={name}")).Json;
        return (long)state["OwedDocuments"]! + (state["LastBatchAckTime"] is null ? 1 : 0);
    }
}
