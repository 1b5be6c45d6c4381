using System.Globalization;
using System.Net;
using System.Text;
using System.Text.Json.Nodes;
using FastTests.Server;
using SlowTests.Client;
using SlowTests.Support;

namespace SlowTests.Server;

/// <summary>A thousand subscriptions with a worker each, and one over ten million documents of which none
/// match.</summary>
public sealed class ManySubscriptionsTests
{
    private const int Subscriptions = 1_000;
    private const int Documents = 10_000_000;
    private const int DocumentsOfARequest = 500_000;

    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(5);

    [Fact]
    [Trait(Category.Shard, "subscriptions")]
    public async Task A_thousand_subscriptions_each_send_what_is_theirs()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        SubscriptionClient[] workers = new SubscriptionClient[Subscriptions];
        try
        {
            for (int i = 0; i < Subscriptions; i++)
            {
                // Half of them are of one collection, the others have each one of their own.
                string query = $"from {(i % 2 == 0 ? "Things" : $"Things{i}")}";
                (await server.SendAsync("PUT", "~/subscriptions", $"{{\"Name\":\"s{i}\",\"Query\":\"{query}\"}}"))
                    .Expect(HttpStatusCode.Created);
                workers[i] = SubscriptionClient.Connect(server.Port, $"s{i}");
            }

            await server.PutAsync("things/1", "{\"@metadata\":{\"@collection\":\"Things\"}}");
            for (int i = 1; i < Subscriptions; i += 2)
            {
                await server.PutAsync($"things/of/{i}", $"{{\"@metadata\":{{\"@collection\":\"Things{i}\"}}}}");
            }

            for (int i = 0; i < Subscriptions; i++)
            {
                Assert.Equal([i % 2 == 0 ? "things/1" : $"things/of/{i}"], workers[i].ReadBatch());
                workers[i].Acknowledge();
            }

            JsonArray states = (await server.SendAsync("GET", $"~/subscriptions?start=0&pageSize={Subscriptions}"))
                .Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
            Assert.Equal(Subscriptions, states.Count);
            Assert.All(states, state => Assert.Equal(1, (long)state!["BatchesAcknowledged"]!));
        }
        finally
        {
            Array.ForEach(workers, worker => worker?.Dispose());
        }
    }

    /// <summary>The worker hears nothing but heartbeats meanwhile, others are served, and the position is stored now
    /// and then: after a kill in the middle the rest is looked at, and not all again.</summary>
    [Fact]
    [Trait(Category.Shard, "subscriptions-scale")]
    public async Task Millions_of_documents_that_do_not_match_are_passed_by_a_silent_worker_and_not_twice()
    {
        string folder = Directory.CreateTempSubdirectory("raven-many-").FullName;
        int port = SamplesTests.FreePort();
        ServerProcess server = Start(folder, port);
        try
        {
            using var client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = Patience };
            await SendAsync(client, HttpMethod.Put, "/admin/databases?name=db", "{}");
            for (int first = 0; first < Documents; first += DocumentsOfARequest)
            {
                await SendAsync(client, HttpMethod.Post, "/databases/db/bulk_insert", Batch(first));
            }

            await SendAsync(
                client, HttpMethod.Put, "/databases/db/subscriptions",
                "{\"Name\":\"one\",\"Query\":\"from Things as t where t.N < 0\"}");
            long passed;
            using (SubscriptionClient.Connect(port, "one"))
            {
                do
                {
                    await Task.Delay(200);
                    passed = await PositionAsync(client);
                    using HttpResponseMessage answer = await client.GetAsync(
                        new Uri("/databases/db/docs?id=things/1", UriKind.Relative));
                    Assert.Equal(HttpStatusCode.OK, answer.StatusCode);
                }
                while (passed < Documents / 4);

                server.Kill();
                server.Dispose();
                server = Start(folder, port);
            }

            // What was stored before the kill is stored behind it.
            long after = await PositionAsync(client);
            Assert.True(after >= passed, $"{after} behind the kill, {passed} before");
            using SubscriptionClient worker = SubscriptionClient.Connect(port, "one");
            await SendAsync(
                client, HttpMethod.Put, "/databases/db/docs?id=things/found",
                "{\"N\":-1,\"@metadata\":{\"@collection\":\"Things\"}}");
            Assert.Equal(["things/found"], worker.ReadBatch());
            worker.Acknowledge();
            long end = await PositionAsync(client);
            Assert.True(end > Documents, $"{end}");
            Assert.True(server.AnonymousBytes() < 1L << 30, $"{server.AnonymousBytes()} bytes");
        }
        finally
        {
            server.Dispose();
            Directory.Delete(folder, recursive: true);
        }
    }

    private static ServerProcess Start(string folder, int port) =>
        ServerProcess.Start(folder, $"--ServerUrl=http://127.0.0.1:{port}");

    private static string Batch(int first)
    {
        var text = new StringBuilder("[");
        for (int i = first; i < first + DocumentsOfARequest; i++)
        {
            text.Append(i == first ? "" : ",").Append(CultureInfo.InvariantCulture, $$$"""
                {"Type":"PUT","Id":"things/{{{i}}}","Document":{"N":{{{i}}},"@metadata":{"@collection":"Things"} }}
                """);
        }

        return text.Append(']').ToString();
    }

    /// <summary>The stored position, as the etag in its change vector; 0 for none.</summary>
    private static async Task<long> PositionAsync(HttpClient client)
    {
        JsonNode state = JsonNode.Parse(await client.GetStringAsync(
            new Uri("/databases/db/subscriptions/state?name=one", UriKind.Relative)))!;
        return (string?)state["ChangeVectorForNextBatchStartingPoint"] is { } vector
            ? long.Parse(vector.Split(':', '-')[1], CultureInfo.InvariantCulture)
            : 0;
    }

    private static async Task SendAsync(HttpClient client, HttpMethod method, string path, string body)
    {
        using var request = new HttpRequestMessage(method, path)
        {
            Content = new StringContent(body, Encoding.UTF8, "application/json"),
        };
        using HttpResponseMessage answer = await client.SendAsync(request);
        Assert.True(answer.IsSuccessStatusCode, $"{method} {path}: {answer.StatusCode}");
    }
}
