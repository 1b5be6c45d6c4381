using System.Globalization;
using System.Net.Http.Headers;
using System.Text;
using System.Text.Json;
using System.Text.Json.Nodes;
using SlowTests.Support;

namespace SlowTests.Indexing;

/// <summary>
/// The server is killed in the middle of a change by query: each document is as it was or as it is meant to be, what
/// the operation had reported is kept, the index agrees with the documents, and the repeated change does the rest.
/// </summary>
[Trait(Category.Shard, "index-crashes")]
[Trait(Category.Run, Category.Ci)]
public sealed class QueryChangeKillTests(ITestOutputHelper output) : IDisposable
{
    private const int Seed = 8;
    private const int Rounds = 10;
    private const int Documents = 20_000;
    private const string Database = "changed";
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-change-kill-").FullName;
    private readonly Random _random = new(Seed);

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public async Task A_change_by_query_that_a_kill_interrupts_has_changed_each_document_whole_or_not_at_all()
    {
        var model = new SortedDictionary<int, Item>();
        int inTheMiddle = 0;
        for (int round = 1; round <= Rounds; round++)
        {
            using ServerProcess server = ServerProcess.Start(_folder);
            using var client = new HttpClient { BaseAddress = new Uri(server.Url), Timeout = Patience };
            await FillAsync(client, model);
            bool isDelete = round % 3 == 0;
            string query = isDelete
                ? $"from Items where Part = {_random.Next(4)} and Round < {round}"
                : $"from Items where Round < {round} update {{ this.Round = {round}; this.Changes++; }}";
            long told = await ChangeUntilKilledAsync(server, client, query, isDelete, _random.Next(model.Count / 2));

            using ServerProcess again = ServerProcess.Start(_folder);
            using var reader = new HttpClient { BaseAddress = new Uri(again.Url), Timeout = Patience };
            int changed = Judge(round, query, isDelete, model, await ReadAllAsync(reader));
            output.WriteLine($"seed {Seed}, round {round}: {query}: {told} told, {changed} of {model.Count} changed");
            Assert.True(changed >= told, $"seed {Seed}, round {round}: {told} documents were told of, {changed} are");
            inTheMiddle += changed > 0 && changed < Wanted(query, isDelete, round, model).Count ? 1 : 0;
            await FinishAsync(reader, round, query, isDelete, model);
        }

        Assert.True(inTheMiddle >= Rounds / 2, $"only {inTheMiddle} of {Rounds} kills came in the middle");
    }

    private static HashSet<int> Wanted(string query, bool isDelete, int round, SortedDictionary<int, Item> model) =>
        [.. model.Where(each => each.Value.Round < round && (!isDelete || each.Value.Part == PartOf(query)))
            .Select(each => each.Key)];

    private static int PartOf(string query) => query["from Items where Part = ".Length] - '0';

    /// <summary>How many are changed; what is neither as it was nor as it is to be fails.</summary>
    private static int Judge(
        int round, string query, bool isDelete, SortedDictionary<int, Item> model, Dictionary<int, Item> found)
    {
        HashSet<int> wanted = Wanted(query, isDelete, round, model);
        int changed = 0;
        foreach ((int number, Item before) in model)
        {
            Item? now = found.GetValueOrDefault(number);
            Item? after = isDelete ? null : before with { Round = round, Changes = before.Changes + 1 };
            bool isDone = wanted.Contains(number) && now == after;
            Assert.True(
                isDone || now == before, $"seed {Seed}, round {round}, {query}: items/{number} was {before}, is {now}");
            changed += isDone ? 1 : 0;
        }

        Assert.All(found.Keys, number => Assert.True(model.ContainsKey(number), $"items/{number} came from nowhere"));
        return changed;
    }

    /// <summary>The change asked again, to its end: only what was left is changed, and nothing twice.</summary>
    private static async Task FinishAsync(
        HttpClient client, int round, string query, bool isDelete, SortedDictionary<int, Item> model)
    {
        HashSet<int> wanted = Wanted(query, isDelete, round, model);
        long operation = await BeginAsync(client, query, isDelete);
        JsonNode state;
        do
        {
            state = (await StateAsync(client, operation))!;
        }
        while ((string?)state["Status"] == "InProgress");

        Assert.Equal("Completed", (string?)state["Status"]);
        foreach (int number in wanted)
        {
            Item before = model[number];
            model[number] = before with { Round = round, Changes = before.Changes + 1 };
            if (isDelete)
            {
                model.Remove(number);
            }
        }

        Dictionary<int, Item> found = await ReadAllAsync(client);
        Assert.Equal(model.ToArray(), found.OrderBy(each => each.Key).ToArray());
        foreach (int asked in Enumerable.Range(0, round + 1))
        {
            long total = await CountAsync(client, $"from Items where Round = {asked} limit 0, 1");
            Assert.Equal(model.Values.LongCount(each => each.Round == asked), total);
        }
    }

    /// <summary>Begins the change, and kills the server when so many documents are reported as done.</summary>
    /// <returns>How many documents the last answer reported as done.</returns>
    private async Task<long> ChangeUntilKilledAsync(
        ServerProcess server, HttpClient client, string query, bool isDelete, int killedAt)
    {
        long operation = await BeginAsync(client, query, isDelete);
        long told = 0;
        bool runs = true;
        while (runs && told < killedAt)
        {
            JsonNode? state = await StateAsync(client, operation);
            told = (long?)state?["Progress"]?["Processed"] ?? told;
            runs = (string?)state?["Status"] == "InProgress";
        }

        await Task.Delay(_random.Next(3));
        server.Kill();
        return told;
    }

    private static async Task<long> BeginAsync(HttpClient client, string query, bool isDelete)
    {
        string body = isDelete
            ? JsonSerializer.Serialize(new { Query = query })
            : JsonSerializer.Serialize(new { Query = new { Query = query } });
        using var request = new HttpRequestMessage(
            isDelete ? HttpMethod.Delete : HttpMethod.Patch, $"/databases/{Database}/queries")
        { Content = Json(body) };
        using HttpResponseMessage answer = await client.SendAsync(request);
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        return (long)JsonNode.Parse(text)!["OperationId"]!;
    }

    private static async Task<JsonNode?> StateAsync(HttpClient client, long operation) => JsonNode.Parse(
        await client.GetStringAsync($"/databases/{Database}/operations/state?id={operation}"));

    private static async Task<long> CountAsync(HttpClient client, string query)
    {
        using HttpResponseMessage answer = await client.PostAsync(
            $"/databases/{Database}/queries", Json(JsonSerializer.Serialize(new { Query = query })));
        string text = await answer.Content.ReadAsStringAsync();
        Assert.True(answer.IsSuccessStatusCode, text);
        JsonNode result = JsonNode.Parse(text)!;
        Assert.False((bool)result["IsStale"]!, query);
        return (long)result["TotalResults"]!;
    }

    /// <summary>Makes the database, and the documents that are not there, in the model too.</summary>
    private async Task FillAsync(HttpClient client, SortedDictionary<int, Item> model)
    {
        if (model.Count == 0)
        {
            using HttpResponseMessage created = await client.PutAsync(
                $"/admin/databases?name={Database}", Json($"{{\"DatabaseName\":\"{Database}\"}}"));
            created.EnsureSuccessStatusCode();
        }

        foreach (int[] numbers in Enumerable.Range(0, Documents).Where(each => !model.ContainsKey(each)).Chunk(2000))
        {
            var commands = new StringBuilder("{\"Commands\":[");
            foreach (int number in numbers)
            {
                model[number] = new Item(_random.Next(4), 0, 0);
                commands.Append(CultureInfo.InvariantCulture, $$$"""
                    {"Id":"items/{{{number}}}","Type":"PUT","Document":{"Part":{{{model[number].Part}}},"Round":0,
                    "Changes":0,"Text":"{{{new string('t', 200)}}}","@metadata":{"@collection":"Items"} } },
                    """);
            }

            commands.Length = commands.ToString().TrimEnd().Length - 1;
            using HttpResponseMessage answer = await client.PostAsync(
                $"/databases/{Database}/bulk_docs", Json(commands.Append("]}").ToString()));
            Assert.True(answer.IsSuccessStatusCode, await answer.Content.ReadAsStringAsync());
        }
    }

    private static async Task<Dictionary<int, Item>> ReadAllAsync(HttpClient client)
    {
        var found = new Dictionary<int, Item>();
        JsonNode answer = JsonNode.Parse(await client.GetStringAsync(
            $"/databases/{Database}/docs?startsWith=items/&start=0&pageSize={2 * Documents}"))!;
        foreach (JsonNode? each in answer["Results"]!.AsArray())
        {
            string id = (string)each!["@metadata"]!["@id"]!;
            found[int.Parse(id["items/".Length..], CultureInfo.InvariantCulture)] =
                new Item((int)each["Part"]!, (int)each["Round"]!, (int)each["Changes"]!);
        }

        return found;
    }

    private static StringContent Json(string text) =>
        new(text, Encoding.UTF8, new MediaTypeHeaderValue("application/json"));

    private sealed record Item(int Part, int Round, int Changes);
}
