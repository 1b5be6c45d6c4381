using System.Globalization;
using System.Text.Json.Nodes;

namespace Raven.Tools.Stress.Histories;

/// <summary>
/// A client that sends one transaction after the other, each through any node: reads of several documents, patches and
/// conditional writes of several at once, compare-exchange, both in one batch, and queries.
/// </summary>
/// <param name="requests">Sends them.</param>
/// <param name="recorder">Takes what is seen.</param>
/// <param name="keys">The lists.</param>
/// <param name="urls">The urls of the database on each node, by tag.</param>
internal sealed class HistoryClient(
    HistoryRequests requests, HistoryRecorder recorder, HistoryKeys keys, IReadOnlyDictionary<string, string> urls)
{
    private const string NoDocument = "lists/none";
    private const string Numbers = "Numbers";

    private readonly KeyValuePair<string, string>[] _nodes = [.. urls];

    /// <summary>Sends transactions until it is told to stop.</summary>
    internal async Task RunAsync(Random random, TimeSpan pauseMax, CancellationToken stop)
    {
        while (!stop.IsCancellationRequested)
        {
            await (random.Next(100) switch
            {
                < 30 => ReadAsync(random),
                < 55 => PatchAsync(random),
                < 68 => PutAsync(random),
                < 76 => PutSeveralAsync(random),
                < 86 => ExchangeAsync(random),
                < 93 => BatchAsync(random),
                _ => QueryAsync(random),
            });
            await Task.Delay(pauseMax * random.NextDouble(), CancellationToken.None);
        }
    }

    /// <summary>Reads lists of documents through a node, in one transaction.</summary>
    /// <returns>The lists with their versions; null if there was no answer.</returns>
    internal async Task<Dictionary<string, (int[] List, string Version)>?> ReadAsync(string tag, string[] documents)
    {
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, JsonNode? answer) = await requests.SendAsync(
            HttpMethod.Get,
            $"{urls[tag]}/docs?{string.Join('&', documents.Append(NoDocument).Select(id => $"id={id}"))}");
        if (outcome != HistoryOutcome.Done)
        {
            return null;
        }

        long ended = recorder.Clock.Now;
        Dictionary<string, (int[] List, string Version)> found = [];
        for (int i = 0; i < documents.Length; i++)
        {
            JsonNode? document = answer!["Results"]![i];
            found[documents[i]] = (
                ListIn(document?[Numbers]),
                document?["@metadata"]!["@change-vector"]!.GetValue<string>() ?? "");
        }

        Add($"read through {tag}", began, ended, found.Select(each => (each.Key, each.Value.List)));
        return found;
    }

    /// <summary>Reads a compare-exchange value through a node.</summary>
    internal async Task<(int[] List, long Index)?> ReadValueAsync(string tag, string key)
    {
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, JsonNode? answer) = await requests.SendAsync(
            HttpMethod.Get, $"{urls[tag]}/cmpxchg?key={key}&key={NoDocument}");
        if (outcome != HistoryOutcome.Done)
        {
            return null;
        }

        long ended = recorder.Clock.Now;
        JsonNode? value = answer!["Results"]!.AsArray()
            .FirstOrDefault(each => each?["Key"]?.GetValue<string>() == key && each["Value"] is JsonObject);
        int[] list = ListIn(value?["Value"]?["Object"]);
        Add($"compare-exchange read through {tag}", began, ended, [(key, list)]);
        return (list, value?["Index"]?.GetValue<long>() ?? 0);
    }

    private Task<Dictionary<string, (int[] List, string Version)>?> ReadAsync(Random random) =>
        ReadAsync(AnyNode(random), keys.Documents(random, random.Next(1, 4)));

    /// <summary>Appends on the server, whatever is there.</summary>
    private async Task PatchAsync(Random random)
    {
        string tag = AnyNode(random);
        bool returns = random.Next(2) == 0;
        KeyValuePair<string, int>[] appends = Appends(keys.Documents(random, random.Next(1, 4)));
        JsonArray commands = [.. appends.Select(each => PatchOf(each, returns))];
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, JsonNode? answer) = await BulkAsync(tag, commands);
        List<(string, int[])> reads = [];
        if (outcome == HistoryOutcome.Done && returns)
        {
            for (int i = 0; i < appends.Length; i++)
            {
                // The list after the patch: what was there before it is a read.
                if (ListIn(answer!["Results"]![i]!["ModifiedDocument"]?[Numbers]) is [.. int[] before, _])
                {
                    reads.Add((appends[i].Key, before));
                }
            }
        }

        Add($"patch through {tag}", began, outcome, reads, appends);
    }

    /// <summary>Writes one document if it is what was read, by <c>If-Match</c>.</summary>
    private async Task PutAsync(Random random)
    {
        string id = keys.Documents(random, 1)[0];
        if (await ReadAsync(AnyNode(random), [id]) is not { } found || found[id].Version.Length == 0)
        {
            return;
        }

        string tag = AnyNode(random);
        KeyValuePair<string, int>[] appends = Appends([id]);
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, _) = await requests.SendAsync(
            HttpMethod.Put, $"{urls[tag]}/docs?id={id}", DocumentOf(id, [.. found[id].List, appends[0].Value]),
            found[id].Version);
        Add($"put through {tag}", began, outcome, [(id, found[id].List)], appends);
    }

    /// <summary>Writes two documents if both are what was read in one read.</summary>
    private async Task PutSeveralAsync(Random random)
    {
        string[] ids = keys.Documents(random, 2);
        if (await ReadAsync(AnyNode(random), ids) is not { } found)
        {
            return;
        }

        string tag = AnyNode(random);
        KeyValuePair<string, int>[] appends = Appends(ids);
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, _) = await BulkAsync(tag, [.. appends.Select(each => new JsonObject
        {
            ["Type"] = "PUT",
            ["Id"] = each.Key,
            ["ChangeVector"] = found[each.Key].Version,
            ["Document"] = DocumentOf(each.Key, [.. found[each.Key].List, each.Value]),
        })]);
        Add($"put of {ids.Length} through {tag}", began, outcome, ids.Select(id => (id, found[id].List)), appends);
    }

    private async Task ExchangeAsync(Random random)
    {
        string key = keys.Values(random, 1)[0];
        if (await ReadValueAsync(AnyNode(random), key) is not { } found)
        {
            return;
        }

        string tag = AnyNode(random);
        KeyValuePair<string, int>[] appends = Appends([key]);
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, JsonNode? answer) = await requests.SendAsync(
            HttpMethod.Put,
            string.Create(CultureInfo.InvariantCulture, $"{urls[tag]}/cmpxchg?key={key}&index={found.Index}"),
            new JsonObject { ["Object"] = ArrayOf([.. found.List, appends[0].Value]) });
        if (outcome == HistoryOutcome.Done && !answer!["Successful"]!.GetValue<bool>())
        {
            outcome = HistoryOutcome.NotDone;
        }

        Add($"compare-exchange through {tag}", began, outcome, [(key, found.List)], appends);
    }

    /// <summary>Changes a compare-exchange value, if it is what was read, and a document in one transaction.</summary>
    private async Task BatchAsync(Random random)
    {
        string key = keys.Values(random, 1)[0];
        if (await ReadValueAsync(AnyNode(random), key) is not { } found)
        {
            return;
        }

        string tag = AnyNode(random);
        KeyValuePair<string, int>[] appends = Appends([key, keys.Documents(random, 1)[0]]);
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, _) = await BulkAsync(
            tag,
            [
                new JsonObject
                {
                    ["Type"] = "CompareExchangePUT",
                    ["Id"] = key,
                    ["Index"] = found.Index,
                    ["Document"] = new JsonObject { ["Object"] = ArrayOf([.. found.List, appends[0].Value]) },
                },
                PatchOf(appends[1], returns: false),
            ]);
        Add($"batch through {tag}", began, outcome, [(key, found.List)], appends);
    }

    /// <summary>A query that waits until its index is not stale: each document of its answer is a read by
    /// itself.</summary>
    private async Task QueryAsync(Random random)
    {
        string tag = AnyNode(random);
        string[] documents = keys.Documents(random, 4);
        string group = HistoryKeys.GroupOf(documents[0]);
        documents = [.. documents.Where(id => HistoryKeys.GroupOf(id) == group)];
        long began = recorder.Clock.Now;
        (HistoryOutcome outcome, JsonNode? answer) = await requests.SendAsync(
            HttpMethod.Post, $"{urls[tag]}/queries", new JsonObject
            {
                ["Query"] = $"from Lists where Group = '{group}'",
                ["WaitForNonStaleResults"] = true,
                ["WaitForNonStaleResultsTimeout"] = "00:00:10",
            });
        if (outcome != HistoryOutcome.Done)
        {
            return;
        }

        if (answer!["IsStale"] is not { } isStale || answer["Results"] is null)
        {
            recorder.Fail("200 without results", $"query through {tag}: {answer.ToJsonString()}");
            return;
        }

        if (isStale.GetValue<bool>())
        {
            return;
        }

        long ended = recorder.Clock.Now;
        var found = answer["Results"]!.AsArray().ToDictionary(
            each => each!["@metadata"]!["@id"]!.GetValue<string>(), each => ListIn(each![Numbers]));
        foreach (string id in documents)
        {
            Add($"query through {tag}", began, ended, [(id, found.GetValueOrDefault(id) ?? [])]);
        }
    }

    private Task<(HistoryOutcome Outcome, JsonNode? Answer)> BulkAsync(string tag, JsonArray commands) =>
        requests.SendAsync(
            HttpMethod.Post, $"{urls[tag]}/bulk_docs", new JsonObject { ["Commands"] = commands });

    private void Add(string what, long began, long ended, IEnumerable<(string Key, int[] List)> reads) =>
        recorder.Add(new HistoryTransaction
        {
            What = what,
            Began = began,
            Ended = ended,
            Outcome = HistoryOutcome.Done,
            Reads = [.. reads.Select(read => KeyValuePair.Create(read.Key, read.List))],
        });

    /// <summary>A write, and what it found if it was done.</summary>
    private void Add(
        string what, long began, HistoryOutcome outcome, IEnumerable<(string Key, int[] List)> reads,
        KeyValuePair<string, int>[] appends) =>
        recorder.Add(new HistoryTransaction
        {
            What = what,
            Began = began,
            Ended = outcome == HistoryOutcome.Perhaps ? long.MaxValue : recorder.Clock.Now,
            Outcome = outcome,
            Reads = [.. reads.Select(read => KeyValuePair.Create(read.Key, read.List))],
            Appends = appends,
        });

    private string AnyNode(Random random) => _nodes[random.Next(_nodes.Length)].Key;

    private KeyValuePair<string, int>[] Appends(string[] lists)
    {
        foreach (string list in lists)
        {
            keys.Appended(list);
        }

        return [.. lists.Select(list => KeyValuePair.Create(list, recorder.NextNumber()))];
    }

    private static JsonObject PatchOf(KeyValuePair<string, int> append, bool returns) => new()
    {
        ["Type"] = "PATCH",
        ["Id"] = append.Key,
        ["Patch"] = new JsonObject
        {
            ["Script"] = $"this.{Numbers}.push(args.number)",
            ["Values"] = new JsonObject { ["number"] = append.Value },
        },
        ["CreateIfMissing"] = DocumentOf(append.Key, [append.Value]),
        ["ReturnDocument"] = returns,
    };

    private static JsonObject DocumentOf(string id, int[] list) => new()
    {
        [Numbers] = ArrayOf(list),
        ["Group"] = HistoryKeys.GroupOf(id),
        ["@metadata"] = new JsonObject { ["@collection"] = "Lists" },
    };

    private static JsonArray ArrayOf(int[] list) => [.. list.Select(number => JsonValue.Create(number))];

    private static int[] ListIn(JsonNode? list) =>
        list is null ? [] : [.. list.AsArray().Select(number => number!.GetValue<int>())];
}
