using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace FastTests.Server.Answers;

/// <summary>
/// One server with one database that has something of everything, so that its answers show all they can.
/// </summary>
public sealed class AnswerFixture : IAsyncLifetime
{
    private const string Indexes = """
        {"Indexes":[
          {"Name":"Users/Map","Maps":["from u in docs.Users select new { u.Name, u.Age, u.Text }"],
           "Fields":{"Text":{"Indexing":"Search","Storage":"Yes","Suggestions":true,"TermVector":"No",
             "Analyzer":"StandardAnalyzer"},
             "Place":{"Spatial":{"Type":"Geography","Strategy":"GeohashPrefixTree","MaxTreeLevel":9,"MinX":-180,
               "MaxX":180,"MinY":-90,"MaxY":90,"Units":"Kilometers"}},
             "Embedding":{"Vector":{"Dimensions":2,"NumberOfEdges":8,"NumberOfCandidatesForIndexing":16}}}},
          {"Name":"Orders/Reduce","Maps":["from o in docs.Orders select new { o.Company, Count = 1 }"],
           "Reduce":
            "from r in results group r by r.Company into g select new { Company = g.Key, Count = g.Sum(x => x.Count)}"},
          {"Name":"Users/Script","Maps":["map('Users', u => ({ Name: u.Name }))"]},
          {"Name":"Users/Failing","Maps":["map('Users', u => ({ Name: nowhere.Name }))"]}]}
        """;

    private readonly List<(string Method, string Url, JsonElement Answer)> _made = [];

    internal TestServer Server { get; private set; } = null!;

    /// <summary>What the requests that made all of it were answered, by method and path.</summary>
    internal IEnumerable<(string Method, string Url, JsonElement Answer)> Made => _made;

    /// <summary>The id of an operation that has failed.</summary>
    internal long FailedOperation { get; private set; }

    /// <summary>The id of an operation that has ended well.</summary>
    internal long EndedOperation { get; private set; }

    /// <inheritdoc/>
    public async ValueTask InitializeAsync()
    {
        Server = new TestServer();
        await MakeAsync("PUT", "/admin/databases?name=db", """{"DatabaseName":"db"}""");
        await MakeAsync(
            "POST", "~/admin/revisions/config",
            """
            {"Default":{"MinimumRevisionsToKeep":10,"Disabled":false,"PurgeOnDelete":false},
             "Collections":{"Plain":{"Disabled":true}}}
            """);
        await MakeAsync(
            "POST", "~/admin/revisions/conflicts/config", """{"MinimumRevisionsToKeep":1,"Disabled":false}""");
        await MakeAsync("POST", "~/admin/expiration/config", """{"Disabled":false,"DeleteFrequencyInSec":600}""");
        await MakeAsync("POST", "~/admin/refresh/config", """{"Disabled":false,"RefreshFrequencyInSec":600}""");
        await MakeAsync("PUT", "~/admin/configuration/client", """{"MaxNumberOfRequestsPerSession":80}""");
        await MakeAsync("PUT", "/admin/configuration/client", """{"IdentityPartsSeparator":"-"}""");
        await MakeAsync("POST", "~/bulk_docs", """
            {"Commands":[
              {"Type":"PUT","Id":"users/1","Document":{"Name":"Ann","Age":40,"Text":"a quick fox","Boss":"users/2",
                "@metadata":{"@collection":"Users"}}},
              {"Type":"PUT","Id":"users/2","Document":{"Name":"Bob","Age":30,"Text":"a lazy dog",
                "@metadata":{"@collection":"Users"}}},
              {"Type":"PUT","Id":"users/3","Document":{"Name":"Cid","@metadata":{"@collection":"Users"}}},
              {"Type":"PUT","Id":"orders/1","Document":{"Company":"C","@metadata":{"@collection":"Orders"}}},
              {"Type":"PUT","Id":"plain/1","Document":{"@metadata":{"@collection":"Plain"}}},
              {"Type":"PUT","Id":"gone/1","Document":{"@metadata":{"@collection":"Gone"}}}]}
            """);
        await MakeAsync("DELETE", "~/docs?id=gone/1", null);
        await MakeAsync("PUT", "~/cmpxchg?key=key&index=0", """{"Object":{"Name":"x"}}""");
        await MakeAsync("POST", "~/identity/next?name=people", null);
        await MakeAsync("POST", "~/identity/seed?name=people&value=10", null);
        await MakeAsync("PUT", "~/attachments?id=users/1&name=a.txt&contentType=text/plain", "bytes");
        await MakeAsync(
            "POST", "~/counters", """
            {"Documents":[{"DocumentId":"users/1","Operations":[
              {"Type":"Increment","CounterName":"likes","Delta":3}]}]}
            """);
        await MakeAsync("POST", "~/timeseries?docId=users/1", """
            {"Name":"Heart","Appends":[
              {"Timestamp":"2026-01-01T00:00:00.0000000Z","Values":[60],"Tag":"users/2"},
              {"Timestamp":"2026-01-01T00:01:00.0000000Z","Values":[61]}]}
            """);
        await MakeAsync("PUT", "~/admin/indexes", Indexes);
        await QueryHttpTests.QueryAsync(Server, "from Users where Age > 1");
        await QueryHttpTests.QueryAsync(Server, "from Users group by Age select key(), count()");
        foreach (string index in new[] { "Users/Map", "Orders/Reduce", "Users/Script" })
        {
            await QueryHttpTests.QueryAsync(Server, $"from index '{index}'");
        }

        EndedOperation = await EndAsync("from Users update { this.Seen = true; }");
        FailedOperation = await EndAsync("from Users update { throw 'old'; }");
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        Server.Dispose();
        return ValueTask.CompletedTask;
    }

    private async Task MakeAsync(string method, string url, string? body)
    {
        HttpAnswer answer = await Server.SendAsync(method, url, body);
        Assert.True(answer.Status is >= 200 and < 300, $"{method} {url}: {answer.Status} {answer.Text}");
        if (answer.Bytes.Length > 0)
        {
            _made.Add((method, url, JsonDocument.Parse(answer.Bytes).RootElement));
        }
    }

    private async Task<long> EndAsync(string query)
    {
        string body = new JsonObject { ["Query"] = new JsonObject { ["Query"] = query } }.ToJsonString();
        HttpAnswer answer = await Server.SendAsync("PATCH", "~/queries", body);
        long id = (long)answer.Expect(HttpStatusCode.OK).Json["OperationId"]!;
        await OperationHttpTests.EndAsync(Server, id);
        return id;
    }
}
