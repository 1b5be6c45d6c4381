using System.Diagnostics;
using System.Globalization;
using System.Text;
using Raven.Tools.Bench.Suites.Http;
using Raven.CommandLine.Import.Server;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Documents;

/// <summary>Our server in a process of its own with one database, and the ways to load it.</summary>
internal sealed class BenchDatabase : IDisposable
{
    /// <summary>Documents that one load writes, and that requests name.</summary>
    internal const int DocumentCount = 200_000;

    /// <summary>How long one run of requests takes.</summary>
    internal static readonly TimeSpan RunTime = TimeSpan.FromSeconds(2);

    private const string Prefix = "bench/";
    private static readonly string Text = new('x', 840);
    private readonly ServerClient _importer;

    private BenchDatabase(ServerUnderTest server)
    {
        Server = server;
        Client = new HttpClient { BaseAddress = server.Url, Timeout = TimeSpan.FromMinutes(5) };
        _importer = new ServerClient(server.Url, "bench");
        Send(HttpMethod.Put, "/admin/databases?name=bench", """{"DatabaseName":"bench"}""");
    }

    internal ServerUnderTest Server { get; }

    internal HttpClient Client { get; }

    internal static BenchDatabase Start(string directory) => new(ServerUnderTest.StartOurs(directory));

    /// <summary>The id of a document, the same here and in the peer.</summary>
    internal static string IdOf(long number) => WholeId(number % DocumentCount);

    /// <summary>A document of about 1 KB, the same here and in the peer.</summary>
    internal static string BodyOf(long number) => Write(number, IdOf(number));

    /// <summary>A document of about 1 KB of so many that none has the id of another.</summary>
    internal static string WholeBody(long number) => Write(number, WholeId(number));

    /// <summary>The id of that.</summary>
    internal static string WholeId(long number) => string.Create(CultureInfo.InvariantCulture, $"{Prefix}{number:D10}");

    /// <summary>The same with a text of words in place of one letter, for what depends on how it can be compressed.
    /// </summary>
    internal static string WordsBody(long number) =>
        Write(number, WholeId(number), BenchWords.TextOf(number, Text.Length));

    private static string Write(long number, string id) => Write(number, id, Text);

    private static string Write(long number, string id, string text) => string.Create(
        CultureInfo.InvariantCulture,
        $"{{\"Id\":\"{id}\",\"Name\":\"User {number}\",\"Age\":{number % 90}," +
        $"\"Score\":{number % 1000 / 10.0:0.0},\"Tags\":[\"a\",\"b\",\"c\"]," +
        $"\"Address\":{{\"City\":\"Haifa\",\"Street\":\"Street {number % 500}\"}},\"Text\":\"{text}\"}}");

    /// <summary>Makes another database in the server.</summary>
    internal void AddDatabase(string name) =>
        Send(HttpMethod.Put, $"/admin/databases?name={name}", $$"""{"DatabaseName":"{{name}}"}""");

    /// <summary>Configures a feature of a database.</summary>
    internal void Configure(string database, string feature, string json) =>
        Send(HttpMethod.Post, $"/databases/{database}/admin/{feature}/config", json);

    /// <summary>Makes an index of a property of which each document has a value of its own.</summary>
    internal void CreateIndex() => Send(
        HttpMethod.Put, "/databases/bench/admin/indexes",
        """{"Indexes":[{"Name":"ByName","Maps":["from d in docs select new { d.Name }"]}]}""");

    /// <summary>Waits until the index has seen all that was written.</summary>
    internal void CatchUp() => Send(
        HttpMethod.Post, "/databases/bench/queries",
        """
        {"Query":"from index 'ByName' limit 0","WaitForNonStaleResults":true,
        "WaitForNonStaleResultsTimeout":"00:05:00"}
        """);

    /// <summary>Requests to one path of the database, as many as come back in the time of a run.</summary>
    /// <param name="method">GET, PUT, ...</param>
    /// <param name="path">Relative to the database, ending in the prefix of ids.</param>
    /// <param name="connections">Connections, each with one request under way.</param>
    internal LoadReport Run(string method, string path, int connections) =>
        Run(method, path, connections, rate: 0, first: 0, DocumentCount);

    /// <summary>Requests to one path of the database.</summary>
    /// <param name="method">GET, PUT, ...</param>
    /// <param name="path">Relative to the database, ending in the prefix of ids.</param>
    /// <param name="connections">Connections.</param>
    /// <param name="rate">Requests a second, or 0 for as many as come back.</param>
    /// <param name="first">The number of the first document.</param>
    /// <param name="count">How many numbers there are.</param>
    internal LoadReport Run(string method, string path, int connections, double rate, long first, long count) =>
        Run(Server, method, path, connections, rate, first, count);

    /// <summary>The same requests to another server, or to another database.</summary>
    internal static LoadReport Run(
        ServerUnderTest server, string method, string path, int connections, double rate, long first, long count,
        string database = "bench") =>
        Run(server, method, path, connections, rate, first, count, RunTime, database);

    /// <summary>The same for another time.</summary>
    internal static LoadReport Run(
        ServerUnderTest server, string method, string path, int connections, double rate, long first, long count,
        TimeSpan duration, string database = "bench") => server.Load(
            TemplateOf(server.Url, method, path, database), connections, duration, rate, first, count);

    /// <summary>A request of which each has a document of its own.</summary>
    internal static RequestTemplate TemplateOf(Uri server, string method, string path, string database)
    {
        byte[]? body = method == "PUT" ? Encoding.UTF8.GetBytes(BodyOf(0).Replace("User 0", "User {n}")
            .Replace(WholeId(0), Prefix + "{n}")) : null;
        string url = new Uri(server, $"/databases/{database}/{path}{Prefix}").AbsoluteUri + "{n}";
        return RequestTemplate.Create(method, url, body, keepAlive: true, []);
    }

    /// <summary>Writes all documents by one bulk insert: documents/s.</summary>
    internal double Load() => Load(DocumentCount);

    /// <summary>The same with as many as are asked for, each with an id of its own.</summary>
    internal double Load(int count) => Load(count, WholeBody);

    /// <summary>The same with other documents.</summary>
    internal double Load(int count, Func<long, string> bodyOf) => Load(_importer, count, bodyOf);

    /// <summary>The same into a database of a server that runs.</summary>
    internal static double Load(Uri server, string database, int count, Func<long, string> bodyOf)
    {
        using var importer = new ServerClient(server, database);
        return Load(importer, count, bodyOf);
    }

    private static double Load(ServerClient importer, int count, Func<long, string> bodyOf)
    {
        long start = Stopwatch.GetTimestamp();
        using BulkInsert bulk = importer.BeginBulkInsertAsync().GetAwaiter().GetResult().Bulk;
        var envelope = new DocumentEnvelope(new IdentityOptions { IdProperty = "Id", Collection = "Bench" });
        for (int n = 0; n < count; n++)
        {
            byte[] document = Encoding.UTF8.GetBytes(bodyOf(n));
            _ = envelope.TryIdentify(document, out DocumentEnvelope.Identity identity, out _);
            envelope.WriteCommand(bulk.BeginCommand(), document, identity);
        }

        bulk.CompleteAsync().GetAwaiter().GetResult();
        return count / Stopwatch.GetElapsedTime(start).TotalSeconds;
    }

    public void Dispose()
    {
        _importer.Dispose();
        Client.Dispose();
        Server.Dispose();
    }

    private void Send(HttpMethod method, string path, string body)
    {
        using var content = new StringContent(body, Encoding.UTF8, "application/json");
        using var request = new HttpRequestMessage(method, new Uri(path, UriKind.Relative)) { Content = content };
        using HttpResponseMessage answer = Client.SendAsync(request).GetAwaiter().GetResult();
        answer.EnsureSuccessStatusCode();
    }
}
