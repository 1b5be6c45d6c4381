using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Text.Json;

namespace Raven.Tools.Stress.Indexed;

/// <summary>
/// Indexes beside the writers: a map, a map-reduce, one of compare-exchange values and those that queries make, asked
/// all the while. After each restart they must say what a look at all documents says, soon, and without having indexed
/// again what they had before.
/// </summary>
internal sealed class IndexCheck(int seed, int queries, string? engine)
{
    private const int PageSize = 128;
    private const int Groups = 10;
    private const int Askers = 4;

    private const string Reduce = "groupBy(x => x.Group).aggregate("
        + "g => ({ Group: g.key, Count: g.values.reduce((c, v) => c + v.Count, 0) }))";

    /// <summary>What a query may wait for a fresh index, if the machine has not too much else to do.</summary>
    private static readonly TimeSpan SoonMax = TimeSpan.FromSeconds(5);

    private readonly Random _random = new(seed);
    private readonly MarkCheck _marks = new(seed);
    private readonly List<string> _problems = [];
    private Dictionary<string, long> _attempts = [];
    private long _lastEtag;
    private long _askedMeanwhile;

    /// <summary>How many queries were compared with a model.</summary>
    internal long Asked { get; private set; }

    /// <summary>How many queries were answered while everything was written.</summary>
    internal long AskedMeanwhile => Interlocked.Read(ref _askedMeanwhile);

    /// <summary>Makes the indexes that are not made by queries, if they do not exist.</summary>
    internal static async Task CreateAsync(DatabaseClient client)
    {
        const string definitions = $$"""
            {"Indexes":[
              {"Name":"Stress/ByVersion","Maps":["map('Stress', d => ({ Key: d.Key, Version: d.Version }))"]},
              {"Name":"Stress/Groups","Maps":["map('Stress', d => ({ Group: d.Version % 10, Count: 1 }))"],
               "Reduce":"{{Reduce}}"},
              {"Name":"{{MarkCheck.Index}}","Maps":["{{MarkCheck.Map}}"]}]}
            """;
        using var body = new StringContent(definitions, Encoding.UTF8, "application/json");
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(HttpMethod.Put, "indexes", body);
        if (status != HttpStatusCode.Created)
        {
            throw new HttpRequestException($"indexes: status {(int)status}: {Encoding.UTF8.GetString(answer)}");
        }
    }

    /// <summary>
    /// Asks, and changes what a map reads, until the server is gone. What is found depends on what is written
    /// meanwhile; but an answer it is, and no document is in it twice.
    /// </summary>
    /// <returns>What is wrong.</returns>
    internal async Task<List<string>> RunAsync(DatabaseClient client, int round, CancellationToken cancellation)
    {
        Task marking = _marks.WriteAsync(client, cancellation);
        Task<string?>[] asking = [.. Enumerable.Range(0, Askers).Select(asker =>
            AskUntilGoneAsync(client, new Random((seed * Askers * 1000) + (round * Askers) + asker), cancellation))];
        await marking;
        return [.. (await Task.WhenAll(asking)).OfType<string>()];
    }

    private async Task<string?> AskUntilGoneAsync(
        DatabaseClient client, Random random, CancellationToken cancellation)
    {
        KeyValuePair<string, long>[] some =
            [.. Enumerable.Range(0, 50).Select(i => KeyValuePair.Create($"w{i % 8}/{i}", random.NextInt64(1000)))];
        while (!cancellation.IsCancellationRequested)
        {
            // With every other one the index is taken as it is, in the middle of a batch or a merge.
            string path = random.Next(2) == 0 ? "queries?allowStale=true" : "queries";
            string query = $"{IndexQuery.Next(random, some).Text} select Key limit 0, {PageSize}";
            try
            {
                using var body = new StringContent(
                    JsonSerializer.Serialize(new { Query = query }), Encoding.UTF8, "application/json");
                (HttpStatusCode status, byte[] bytes) = await client.SendAsync(HttpMethod.Post, path, body);
                if (status != HttpStatusCode.OK)
                {
                    return $"{query}: status {(int)status}: {Encoding.UTF8.GetString(bytes)}";
                }

                Interlocked.Increment(ref _askedMeanwhile);
                using JsonDocument answer = JsonDocument.Parse(bytes);
                string?[] keys = [.. answer.RootElement.GetProperty("Results").EnumerateArray()
                    .Select(each => each.GetProperty("Key").GetString())];
                if (keys.Distinct().Count() != keys.Length)
                {
                    return $"{query}: a document is there twice";
                }
            }
            catch (Exception gone) when (gone is HttpRequestException or IOException or SocketException
                or OperationCanceledException)
            {
                break;
            }
        }

        return null;
    }

    /// <summary>Judges all indexes; there are no writes meanwhile.</summary>
    /// <returns>What is wrong.</returns>
    internal async Task<List<string>> JudgeAsync(DatabaseClient client)
    {
        _problems.Clear();
        KeyValuePair<string, long>[] documents = await ScanAsync(client);
        if (documents.Length == 0)
        {
            return _problems;
        }

        // The first ones wait until the indexes have what came last.
        await JudgeGroupsAsync(client, documents);
        for (int i = 0; i < queries && _problems.Count == 0; i++)
        {
            await JudgeQueryAsync(client, IndexQuery.Next(_random, documents), documents);
        }

        _problems.AddRange(await MarkCheck.JudgeAsync(client, documents, text => AskAsync(client, text)));
        await JudgeProgressAsync(client);
        return [.. _problems];
    }

    private async Task JudgeQueryAsync(
        DatabaseClient client, IndexQuery query, IEnumerable<KeyValuePair<string, long>> documents)
    {
        string[] wanted = [.. documents.Where(each => query.IsMet(each.Key, each.Value)).Select(each => each.Key)];
        using JsonDocument? answer = await AskAsync(client, $"{query.Text} select Key limit 0, {PageSize}");
        if (answer is null)
        {
            return;
        }

        long total = answer.RootElement.GetProperty("TotalResults").GetInt64();
        string[] found = [.. answer.RootElement.GetProperty("Results").EnumerateArray()
            .Select(each => each.GetProperty("Key").GetString()!)];
        if (total != wanted.Length)
        {
            Say($"{query.Text}: {total} results, {wanted.Length} documents are there");
        }
        else if (found.Length != Math.Min(PageSize, wanted.Length) || found.Except(wanted).Any()
            || found.Distinct().Count() != found.Length)
        {
            Say($"{query.Text}: other documents than are there");
        }
    }

    private async Task JudgeGroupsAsync(DatabaseClient client, IEnumerable<KeyValuePair<string, long>> documents)
    {
        Dictionary<long, long> wanted = documents.GroupBy(each => each.Value % Groups)
            .ToDictionary(group => group.Key, group => group.LongCount());
        using JsonDocument? answer = await AskAsync(client, "from index 'Stress/Groups'");
        if (answer is null)
        {
            return;
        }

        Dictionary<long, long> found = answer.RootElement.GetProperty("Results").EnumerateArray().ToDictionary(
            each => each.GetProperty("Group").GetInt64(), each => each.GetProperty("Count").GetInt64());
        if (found.Count != wanted.Count || wanted.Any(each => found.GetValueOrDefault(each.Key) != each.Value))
        {
            Say($"groups: {string.Join(' ', found)} instead of {string.Join(' ', wanted)}");
        }
    }

    /// <summary>
    /// How many documents were mapped since the last time: each at most once a change, and none again. The count is
    /// kept with the index, so that a rebuilt index has mapped fewer than before, or reports it.
    /// </summary>
    private async Task JudgeProgressAsync(DatabaseClient client)
    {
        using JsonDocument database = await GetAsync(client, "stats");
        long lastEtag = database.RootElement.GetProperty("LastDocEtag").GetInt64();
        using JsonDocument stats = await GetAsync(client, "indexes/stats");
        Dictionary<string, long> attempts = [];
        foreach (JsonElement index in stats.RootElement.GetProperty("Results").EnumerateArray())
        {
            string name = index.GetProperty("Name").GetString()!;
            attempts[name] = index.GetProperty("MapAttempts").GetInt64();
            long mapped = attempts[name] - _attempts.GetValueOrDefault(name);
            if (_attempts.ContainsKey(name) && name != MarkCheck.Index && (mapped < 0 || mapped > lastEtag - _lastEtag))
            {
                Say($"'{name}' mapped {mapped} documents, and {lastEtag - _lastEtag} changes were made");
            }

            if (index.GetProperty("SearchEngineType").GetString() is { } keeper && keeper != (engine ?? keeper))
            {
                Say($"'{name}' is kept by {keeper}, not by {engine}");
            }

            long errors = index.GetProperty("ErrorsCount").GetInt64();
            if (errors != 0 || index.GetProperty("State").GetString() is not ("Normal" or "Idle"))
            {
                using JsonDocument failed = await GetAsync(client, $"indexes/errors?name={Uri.EscapeDataString(name)}");
                Say($"'{name}' has {errors} errors and is {index.GetProperty("State")}: {failed.RootElement}");
            }
        }

        _attempts = attempts;
        _lastEtag = lastEtag;
    }

    private async Task<JsonDocument?> AskAsync(DatabaseClient client, string query)
    {
        Asked++;
        string request = JsonSerializer.Serialize(new
        {
            Query = query,
            WaitForNonStaleResults = true,
            WaitForNonStaleResultsTimeout = DatabaseClient.FreshMax,
        });
        using var body = new StringContent(request, Encoding.UTF8, "application/json");
        long askedAt = Stopwatch.GetTimestamp();
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(HttpMethod.Post, "queries", body);
        TimeSpan waited = Stopwatch.GetElapsedTime(askedAt);
        if (status != HttpStatusCode.OK)
        {
            Say($"{query}: status {(int)status}: {Encoding.UTF8.GetString(answer)}");
            return null;
        }

        if (waited > SoonMax && !ServerStart.IsMachineOverloaded(out double load))
        {
            Say($"{query}: fresh after {waited.TotalSeconds:0.0} s, at a load of {load}");
        }

        return JsonDocument.Parse(answer);
    }

    /// <summary>All documents, read one by one from the documents themselves, without an index.</summary>
    private static async Task<KeyValuePair<string, long>[]> ScanAsync(DatabaseClient client)
    {
        using var body = new StringContent(
            """{"Query":"from Stress select Key, Version"}""", Encoding.UTF8, "application/json");
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(HttpMethod.Post, "streams/queries", body);
        if (status != HttpStatusCode.OK)
        {
            throw new HttpRequestException($"scan: status {(int)status}: {Encoding.UTF8.GetString(answer)}");
        }

        using JsonDocument all = JsonDocument.Parse(answer);
        return [.. all.RootElement.GetProperty("Results").EnumerateArray().Select(each => KeyValuePair.Create(
            each.GetProperty("Key").GetString()!, each.GetProperty("Version").GetInt64()))];
    }

    private static async Task<JsonDocument> GetAsync(DatabaseClient client, string path)
    {
        (HttpStatusCode status, byte[] answer) = await client.SendAsync(HttpMethod.Get, path, null);
        return status == HttpStatusCode.OK
            ? JsonDocument.Parse(answer)
            : throw new HttpRequestException($"{path}: status {(int)status}: {Encoding.UTF8.GetString(answer)}");
    }

    private void Say(string problem) => _problems.Add(problem);
}
