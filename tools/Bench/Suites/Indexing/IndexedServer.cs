using System.Diagnostics;
using System.Globalization;
using System.Text;
using System.Text.Json;
using Raven.Tools.Bench.Suites.Http;
using Raven.CommandLine.Import.Server;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Indexing;

/// <summary>Our server in a process of its own, databases with indexes in it, and the ways to load them.</summary>
internal sealed class IndexedServer : IDisposable
{
    /// <summary>The collection of all documents.</summary>
    internal const string Collection = "Bench";

    private const string Prefix = "bench/";
    private const long NumbersPerRun = 10_000_000;

    private static readonly string Text = new('x', 760);

    /// <summary>What each index emits of a document: two or three properties, as users' indexes do.</summary>
    private static readonly string[] Fields =
    [
        "d.Name, d.City", "d.Group, d.Street", "d.Street, d.City, d.Name", "d.Address.Street, d.Name",
        "d.Group, d.Name", "d.City, d.Group", "d.Name, Zip = d.Address.Zip", "d.Street, Zip = d.Address.Zip",
    ];

    private long _nextNumber;

    /// <summary>Starts it, without databases.</summary>
    internal IndexedServer(string directory)
    {
        Server = ServerUnderTest.StartOurs(directory);
        Client = new HttpClient { BaseAddress = Server.Url, Timeout = TimeSpan.FromMinutes(5) };
    }

    /// <summary>The process.</summary>
    internal ServerUnderTest Server { get; }

    /// <summary>For requests that are not measured.</summary>
    internal HttpClient Client { get; }

    /// <summary>A document of about 1 KB. Of a number with ten digits, or of <c>{n}</c> for a template.</summary>
    /// <param name="number">Part of the name and of what it is grouped by.</param>
    /// <param name="group">The number of its group.</param>
    internal static string BodyOf(string number, string group) =>
        $"{{\"Id\":\"{Prefix}{number}\",\"Name\":\"User {number}\",\"Group\":\"group/{group}\",\"City\":\"Haifa\"," +
        $"\"Street\":\"Street {group}\",\"Tags\":[\"a\",\"b\",\"c\"]," +
        $"\"Address\":{{\"Street\":\"Street {group}\",\"Zip\":\"31009\"}},\"Text\":\"{Text}\"," +
        $"\"@metadata\":{{\"@collection\":\"{Collection}\"}}}}";

    /// <summary>A number as load generators write it.</summary>
    internal static string Digits(long number) => number.ToString("D10", CultureInfo.InvariantCulture);

    /// <summary>The body of a query of the collection for one value.</summary>
    internal static string QueryOf(string field, string value) =>
        $"{{\"Query\":\"from {Collection} where {field} = $p0\",\"QueryParameters\":{{\"p0\":\"{value}\"}}}}";

    /// <summary>Makes a database with some map indexes.</summary>
    internal void CreateDatabase(string name, int indexes)
    {
        Send(HttpMethod.Put, $"/admin/databases?name={name}", $"{{\"DatabaseName\":\"{name}\"}}");
        for (int i = 0; i < indexes; i++)
        {
            string map = $"from d in docs.{Collection} select new {{ {Fields[i]} }}";
            Send(
                HttpMethod.Put, $"/databases/{name}/admin/indexes",
                $"{{\"Indexes\":[{{\"Name\":\"Bench/{i}\",\"Maps\":[\"{map}\"]}}]}}");
        }
    }

    /// <summary>Writes new documents over HTTP, one a request.</summary>
    /// <param name="database">The database.</param>
    /// <param name="connections">Connections, each with one request under way.</param>
    /// <param name="duration">For how long.</param>
    /// <param name="rate">Requests a second, or 0 for as many as come back.</param>
    internal LoadReport Put(string database, int connections, TimeSpan duration, double rate)
    {
        string url = new Uri(Server.Url, $"/databases/{database}/docs?id={Prefix}").AbsoluteUri + "{n}";
        byte[] body = Encoding.UTF8.GetBytes(BodyOf("{n}", "{n}"));
        return Run(RequestTemplate.Create("PUT", url, body, keepAlive: true, []), connections, duration, rate,
            _nextNumber += NumbersPerRun, NumbersPerRun);
    }

    /// <summary>Sends one kind of request from many connections.</summary>
    internal LoadReport Run(
        RequestTemplate request, int connections, TimeSpan duration, double rate, long first, long count) =>
        Server.Load(request, connections, duration, rate, first, count);

    /// <summary>Writes documents by one bulk insert.</summary>
    internal void Load(string database, IEnumerable<string> bodies)
    {
        using var importer = new ServerClient(Server.Url, database);
        using BulkInsert bulk = importer.BeginBulkInsertAsync().GetAwaiter().GetResult().Bulk;
        var envelope = new DocumentEnvelope(new IdentityOptions { IdProperty = "Id", Collection = Collection });
        foreach (string body in bodies)
        {
            byte[] document = Encoding.UTF8.GetBytes(body);
            _ = envelope.TryIdentify(document, out DocumentEnvelope.Identity identity, out _);
            envelope.WriteCommand(bulk.BeginCommand(), document, identity);
        }

        bulk.CompleteAsync().GetAwaiter().GetResult();
    }

    /// <summary>How many changes the index that is furthest behind has not seen.</summary>
    internal long ReadLag(string database)
    {
        using JsonDocument stats = JsonDocument.Parse(
            Send(HttpMethod.Get, $"/databases/{database}/indexes/stats", null));
        return stats.RootElement.GetProperty("Results").EnumerateArray()
            .SelectMany(index => index.GetProperty("Collections").EnumerateObject())
            .Select(collection => collection.Value.GetProperty("DocumentLag").GetInt64())
            .DefaultIfEmpty(0).Max();
    }

    /// <summary>Waits until no index is behind: seconds.</summary>
    internal double CatchUp(string database)
    {
        long start = Stopwatch.GetTimestamp();
        while (ReadLag(database) > 0)
        {
            Thread.Sleep(1);
        }

        return Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    /// <summary>Sends a request that must succeed: the text of the answer.</summary>
    internal string Send(HttpMethod method, string path, string? body)
    {
        using var request = new HttpRequestMessage(method, new Uri(path, UriKind.Relative));
        request.Content = body is null ? null : new StringContent(body, Encoding.UTF8, "application/json");
        using HttpResponseMessage answer = Client.SendAsync(request).GetAwaiter().GetResult();
        string text = answer.Content.ReadAsStringAsync().GetAwaiter().GetResult();
        return answer.IsSuccessStatusCode ? text : throw new InvalidOperationException($"{path}: {text}");
    }

    public void Dispose()
    {
        Client.Dispose();
        Server.Dispose();
    }
}
