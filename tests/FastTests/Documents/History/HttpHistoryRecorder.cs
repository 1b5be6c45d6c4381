using System.Globalization;
using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using FastTests.Server;
using Raven.Documents.Rows;

namespace FastTests.Documents.History;

/// <summary>
/// The same as <see cref="HistoryRecorder"/> does, from outside: clients of a server's sockets that know only their
/// answers. The snapshot of a read is not reported to them.
/// </summary>
internal sealed class HttpHistoryRecorder(TestServer server, int documents, int seed)
{
    private readonly string _prefix = $"h{seed}/";
    private string _databaseId = "";
    private long _stamp;
    private long _baseEtag;

    internal async Task<List<HistoryEvent>> RunAsync(int clients, int eventsEach)
    {
        JsonNode stats = (await server.SendAsync("GET", "~/stats")).Expect(HttpStatusCode.OK).Json;
        _baseEtag = (long)stats["LastDatabaseEtag"]!;
        _databaseId = (string)stats["DatabaseId"]!;
        List<HistoryEvent>[] events = await Task.WhenAll(Enumerable.Range(0, clients)
            .Select(client => Task.Run(() => RunClientAsync(new Random((seed * 1000) + client), eventsEach))));
        return [.. events.SelectMany(one => one)];
    }

    private async Task<List<HistoryEvent>> RunClientAsync(Random random, int count)
    {
        List<HistoryEvent> events = [];
        Dictionary<int, long> known = [];
        for (int i = 0; i < count; i++)
        {
            HistoryEvent one = random.Next(7) switch
            {
                0 or 1 => await ReadAsync(random),
                2 => await PatchAsync(random, known),
                3 => await PutAsync(NextWrite(random, random.Next(documents), known) with { IsPut = true }, known),
                _ => await SendBatchAsync(random, known),
            };
            foreach ((int document, long etag) in one.Seen)
            {
                known[document] = etag;
            }

            events.Add(one);
        }

        return events;
    }

    private async Task<HistoryEvent> ReadAsync(Random random)
    {
        int[] wanted = [.. Enumerable.Range(0, random.Next(1, 5)).Select(_ => random.Next(documents)).Distinct()];
        string ids = string.Join('&', wanted.Select(document => $"id={IdOf(document)}"));
        bool includesNext = random.Next(2) == 0;
        string include = includesNext ? "&include=Next" : "";
        long began = Interlocked.Increment(ref _stamp);
        HttpAnswer answer = await server.SendAsync("GET", $"~/docs?{ids}{include}");
        long ended = Interlocked.Increment(ref _stamp);
        Dictionary<int, long> seen = wanted.ToDictionary(document => document, _ => 0L);
        if (answer.Status == 404)
        {
            Assert.Single(wanted);
        }
        else
        {
            JsonArray results = answer.Expect(HttpStatusCode.OK).Json["Results"]!.AsArray();
            Assert.Equal(wanted.Length, results.Count);
            for (int i = 0; i < wanted.Length; i++)
            {
                seen[wanted[i]] = VersionOf(results[i]);
            }

            JsonNode included = answer.Json["Includes"]!;
            foreach (int next in wanted.Where(document => includesNext && seen[document] > 0).Select(NextOf))
            {
                if (!wanted.Contains(next))
                {
                    seen[next] = VersionOf(included[IdOf(next)]);
                }
            }
        }

        return new HistoryEvent { Began = began, Ended = ended, Seen = seen, SnapshotEtag = HistoryEvent.Untold };
    }

    /// <summary>A document under the condition of a header.</summary>
    private async Task<HistoryEvent> PutAsync(HistoryWrite write, Dictionary<int, long> known)
    {
        string[] headers = write.Expected < 0 ? [] : [$"If-Match: \"{ChangeVectorOf(write.Expected)}\""];
        long began = Interlocked.Increment(ref _stamp);
        HttpAnswer answer = await server.SendAsync(
            "PUT", $"~/docs?id={IdOf(write.Document)}", BodyOf(write.Document), headers);
        long ended = Interlocked.Increment(ref _stamp);
        if (answer.Status == 409)
        {
            return Refused(began, ended, [write], answer.Json, known);
        }

        long etag = EtagOf(answer.Expect(HttpStatusCode.Created).Json["ChangeVector"]);
        known[write.Document] = etag;
        return new HistoryEvent { Began = began, Ended = ended, Writes = [write with { Etag = etag }] };
    }

    private async Task<HistoryEvent> SendBatchAsync(Random random, Dictionary<int, long> known)
    {
        // A refusal names the document, so that each is in a batch only once.
        HistoryWrite[] writes = [.. Enumerable.Range(0, random.Next(1, 4))
            .Select(_ => random.Next(documents)).Distinct().Select(document => NextWrite(random, document, known))];
        IEnumerable<string> commands = writes.Select(write => $"{{\"Id\":\"{IdOf(write.Document)}\","
            + (write.IsPut ? $"\"Type\":\"PUT\",\"Document\":{BodyOf(write.Document)}" : "\"Type\":\"DELETE\"")
            + $",\"ChangeVector\":{(write.Expected < 0 ? "null" : $"\"{ChangeVectorOf(write.Expected)}\"")}}}");
        string body = $"{{\"Commands\":[{string.Join(',', commands)}]}}";
        long began = Interlocked.Increment(ref _stamp);
        HttpAnswer answer = await server.SendAsync("POST", "~/bulk_docs", body);
        long ended = Interlocked.Increment(ref _stamp);
        if (answer.Status == 409)
        {
            return Refused(began, ended, writes, answer.Json, known);
        }

        JsonArray results = answer.Expect(HttpStatusCode.Created).Json["Results"]!.AsArray();
        for (int i = 0; i < writes.Length; i++)
        {
            long etag = EtagOf(results[i]![writes[i].IsPut ? "@change-vector" : "ChangeVector"]);
            writes[i] = writes[i] with { Etag = etag };
            known[writes[i].Document] = writes[i].IsPut ? etag : 0;
        }

        return new HistoryEvent { Began = began, Ended = ended, Writes = writes };
    }

    /// <summary>
    /// A script that reads two documents and writes both; in its own it leaves the versions that it saw, as if these
    /// had been expected.
    /// </summary>
    private async Task<HistoryEvent> PatchAsync(Random random, Dictionary<int, long> known)
    {
        int own = random.Next(documents);
        int other = (own + random.Next(1, documents)) % documents;
        string script = JsonSerializer.Serialize($$"""
            const other = load('{{IdOf(other)}}');
            put('{{IdOf(other)}}', {{BodyOf(other)}});
            this.Next = '{{IdOf(NextOf(own))}}';
            this.Other = other === null ? '' : getMetadata(other)['@change-vector'];
            this.Own = getMetadata(this)['@change-vector'] || '';
            """);
        string body = $"{{\"Patch\":{{\"Script\":{script}}},\"PatchIfMissing\":{{\"Script\":{script}}}}}";
        long began = Interlocked.Increment(ref _stamp);
        HttpAnswer answer = await server.SendAsync("PATCH", $"~/docs?id={IdOf(own)}", body);
        long ended = Interlocked.Increment(ref _stamp);
        Assert.True(answer.Status is 200 or 201, answer.Text);
        JsonNode modified = answer.Json["ModifiedDocument"]!;
        long etag = EtagOf(answer.Json["ChangeVector"]);

        // What a script puts is written before what it changes, and nothing comes between the two.
        HistoryWrite[] writes =
        [
            new(other, IsPut: true, EtagOf(modified["Other"]), Etag: etag - 1),
            new(own, IsPut: true, EtagOf(modified["Own"]), Etag: etag),
        ];
        known[other] = etag - 1;
        known[own] = etag;
        return new HistoryEvent { Began = began, Ended = ended, Writes = writes };
    }

    private HistoryEvent Refused(
        long began, long ended, HistoryWrite[] writes, JsonNode conflict, Dictionary<int, long> known)
    {
        int refused = Array.FindIndex(writes, write => IdOf(write.Document) == (string?)conflict["Id"]);
        Assert.True(refused >= 0, $"A conflict about what was not in the request: {conflict}");
        long actual = EtagOf(conflict["ActualChangeVector"]);
        known[writes[refused].Document] = actual;
        return new HistoryEvent
        {
            Began = began,
            Ended = ended,
            Writes = writes,
            RefusedWrite = refused,
            RefusedBecauseOf = actual,
        };
    }

    private static HistoryWrite NextWrite(Random random, int document, Dictionary<int, long> known) => new(
        document, IsPut: random.Next(4) > 0, random.Next(3) == 0 ? -1 : known.GetValueOrDefault(document));

    private int NextOf(int document) => (document + 1) % documents;

    /// <summary>Each document names the next one, to be included.</summary>
    private string BodyOf(int document) => $"{{\"Next\":\"{IdOf(NextOf(document))}\"}}";

    private long VersionOf(JsonNode? document) =>
        document is null ? 0 : EtagOf(document["@metadata"]!["@change-vector"]);

    private string IdOf(int document) => string.Create(CultureInfo.InvariantCulture, $"{_prefix}{document}");

    private string ChangeVectorOf(long etag) => etag == 0 ? "" : $"A:{etag + _baseEtag}-{_databaseId}";

    private long EtagOf(JsonNode? changeVector)
    {
        ReadOnlySpan<byte> text = System.Text.Encoding.UTF8.GetBytes((string?)changeVector ?? "");
        return ChangeVector.TryReadEntry(ref text, out ChangeVectorEntry entry) ? entry.Etag - _baseEtag : 0;
    }
}
