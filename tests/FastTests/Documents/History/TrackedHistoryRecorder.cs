using System.Globalization;
using System.Net;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Documents.Rows;

namespace FastTests.Documents.History;

/// <summary>
/// Clients that each read two documents and write one of them, as a session does whose reads have to hold: with
/// <c>BatchTrackChanges</c>, or, for the checker's sake, without it.
/// </summary>
internal sealed class TrackedHistoryRecorder(TestServer server, int documents, int seed, bool isTracking)
{
    private readonly string _prefix = $"tracked{seed}{(isTracking ? "" : "not")}/";
    private string _databaseId = "";
    private long _stamp;
    private long _baseEtag;

    internal async Task<List<HistoryEvent>> RunAsync(int clients, int roundsEach)
    {
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Expect(HttpStatusCode.OK).Json;
        _baseEtag = (long)stats["LastDatabaseEtag"]!;
        _databaseId = (string)stats["DatabaseId"]!;
        List<HistoryEvent> events = [];
        for (int document = 0; document < documents; document++)
        {
            events.Add(await WriteAsync(new HistoryWrite(document, IsPut: true, 0), []));
        }

        List<HistoryEvent>[] all = await Task.WhenAll(Enumerable.Range(0, clients)
            .Select(client => Task.Run(() => RunClientAsync(new Random((seed * 1000) + client), roundsEach))));
        return [.. events, .. all.SelectMany(one => one)];
    }

    private async Task<List<HistoryEvent>> RunClientAsync(Random random, int rounds)
    {
        List<HistoryEvent> events = [];
        for (int round = 0; round < rounds; round++)
        {
            int own = random.Next(documents);
            int other = (own + random.Next(1, documents)) % documents;
            HistoryEvent read = await ReadAsync(own, other);
            events.Add(read);
            events.Add(await WriteAsync(
                new HistoryWrite(own, IsPut: true, read.Seen[own]), new() { [other] = read.Seen[other] }));
        }

        return events;
    }

    private async Task<HistoryEvent> ReadAsync(int own, int other)
    {
        long began = Interlocked.Increment(ref _stamp);
        HttpAnswer answer = await server.SendAsync("GET", $"~/docs?id={IdOf(own)}&id={IdOf(other)}");
        long ended = Interlocked.Increment(ref _stamp);
        JsonArray results = answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
        return new HistoryEvent
        {
            Began = began,
            Ended = ended,
            Seen = new()
            {
                [own] = EtagOf(results[0]!["@metadata"]!["@change-vector"]),
                [other] = EtagOf(results[1]!["@metadata"]!["@change-vector"]),
            },
            SnapshotEtag = HistoryEvent.Untold,
        };
    }

    private async Task<HistoryEvent> WriteAsync(HistoryWrite write, Dictionary<int, long> held)
    {
        IEnumerable<string> entities = held.Select(one => $"\"{IdOf(one.Key)}\":\"{ChangeVectorOf(one.Value)}\"");
        string tracked = isTracking && held.Count > 0
            ? $",{{\"Type\":\"BatchTrackChanges\",\"TrackedEntities\":{{{string.Join(',', entities)}}}}}"
            : "";
        string body = $"{{\"Commands\":[{{\"Type\":\"PUT\",\"Id\":\"{IdOf(write.Document)}\",\"Document\":{{}},"
            + $"\"ChangeVector\":\"{ChangeVectorOf(write.Expected)}\"}}{tracked}]}}";
        long began = Interlocked.Increment(ref _stamp);
        HttpAnswer answer = await server.SendAsync("POST", "~/bulk_docs", body);
        long ended = Interlocked.Increment(ref _stamp);
        if (answer.Status != 409)
        {
            JsonNode result = answer.Expect(HttpStatusCode.Created).Json["Results"]![0]!;
            return new HistoryEvent
            {
                Began = began,
                Ended = ended,
                Writes = [write with { Etag = EtagOf(result["@change-vector"]) }],
                Held = held,
            };
        }

        long actual = EtagOf(answer.Json["ActualChangeVector"]);
        string id = (string)answer.Json["Id"]!;
        if (id == IdOf(write.Document))
        {
            return new HistoryEvent
            {
                Began = began,
                Ended = ended,
                Writes = [write],
                RefusedWrite = 0,
                RefusedBecauseOf = actual,
            };
        }

        // A refusal because of what was read says which version is there: that is a read, and no write.
        KeyValuePair<int, long> changed = Assert.Single(held, one => IdOf(one.Key) == id);
        Assert.NotEqual(changed.Value, actual);
        return new HistoryEvent
        {
            Began = began,
            Ended = ended,
            Seen = new() { [changed.Key] = actual },
            SnapshotEtag = HistoryEvent.Untold,
        };
    }

    private string IdOf(int document) => string.Create(CultureInfo.InvariantCulture, $"{_prefix}{document}");

    private string ChangeVectorOf(long etag) => etag == 0 ? "" : $"A:{etag + _baseEtag}-{_databaseId}";

    private long EtagOf(JsonNode? changeVector)
    {
        ReadOnlySpan<byte> text = System.Text.Encoding.UTF8.GetBytes((string?)changeVector ?? "");
        return ChangeVector.TryReadEntry(ref text, out ChangeVectorEntry entry) ? entry.Etag - _baseEtag : 0;
    }
}
