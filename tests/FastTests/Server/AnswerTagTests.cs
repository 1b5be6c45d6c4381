using System.Net;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.Documents.Indexing.Compilation;

namespace FastTests.Server;

/// <summary>
/// The tag of an answer: every change that changes the answer invalidates it, and no other change does.
/// </summary>
public sealed class AnswerTagTests
{
    private const string Sorter = """
        public sealed class Mine : FieldComparator
        {
            public override int Compare(SortValue left, SortValue right) => left.CompareTo(right);
        }
        """;

    private const string Analyzer = """
        public sealed class Cut : Analyzer
        {
            public override string Name => "Cut";

            public override int Analyze(ReadOnlySpan<byte> text, TokenBuffer tokens, int position)
            {
                tokens.Add(text, 0, text.Length, position);
                return position + 1;
            }
        }
        """;

    /// <summary>Queries, and what changes what they read.</summary>
    private static readonly (string Query, Func<TestServer, Task> Change)[] Table =
    [
        ("from Users", WriteAsync),
        ("from @all_docs", WriteAsync),
        ("from Users select Name", WriteAsync),
        ("from Users select id() as Id, Name", WriteAsync),
        ("from Users where id() = 'users/1'", WriteAsync),
        ("from Users where Name != 'x'", WriteAsync),
        ("from Users group by Name select Name, count() as Count", WriteAsync),
        ("from Users select facet(Name)", WriteAsync),
        ("from Users select counter('likes')", CountAsync),
        ("from Users as u select counter(u, 'likes') as L", CountAsync),
        ("from Users as u select { L: counter(u, 'likes') }", CountAsync),
        ("from Users where Name != 'x' select counter('likes')", CountAsync),
        ("from Users include counters('likes')", CountAsync),
        ("declare function f(u) { return { L: counter(u, 'likes') }; } from Users as u select f(u)", CountAsync),
        ("declare function f(u) { return counter(u, 'likes') % 8 == 4; } from Users as u filter f(u) = true",
            CountAsync),
        ("from Users include Boss", BossAsync),
        ("from Users as u load u.Boss as b select b.Name", BossAsync),
        ("from Users as u load u.Boss as b select { B: b.Name }", BossAsync),
        ("from Users as u load u.Boss as b filter b.Name = 'other'", BossAsync),
        ("from Users as u select { B: load(u.Boss).Name }", BossAsync),
        ("from Users as u select { A: 1, B: include(u.Boss) }", BossAsync),
        ("declare function f(u) { return load(u.Boss).Name; } from Users as u filter f(u) = 'other'", BossAsync),
        ("from Users include cmpxchg('key')", ExchangeAsync),
        ("from Users as u select { B: cmpxchg('key') }", ExchangeAsync),
        ("from Users where Name = cmpxchg('key')", ExchangeAsync),
        ("from Users filter Name = cmpxchg('key')", ExchangeAsync),
        ("from Users include revisions('2100-01-01')", WriteAsync),
        ("from Users include revisions('2100-01-01')", PurgeAsync),
        ("from Users order by custom(Name, 'Mine')", SortAsync),
        ("from Users order by custom(Name, $s)", SortAsync),
        ("from index 'Cut' where search(Name, 'anna')", AnalyzeAsync),
    ];

    /// <summary>Queries whose answer is another one each time, or may be.</summary>
    private static readonly string[] Volatile =
    [
        "from Users where Name != 'x' order by random()",
        "from Users where At < now()",
        "from Users filter At < now()",
        "from Users include timings()",
        "from Users as u select { A: new Date().getTime() }",
        "from Users as u select { Date: Date.now() }",
        "from Users as u select { A: [...Date.now().toString()] }",
        "from Users as u select { A: Math.random() }",
        "from Users as u select { A: Math['ran' + 'dom']() }",
        "from Users as u select { A: globalThis['Da' + 'te'].now() }",
        "from Users as u select { A: (m => m['ran' + 'dom']())(Math) }",
        "from Users as u select { A: D\\u0061te.now() }",
        "declare function f(u) { return { A: Date.now() }; } from Users as u select f(u)",
        "declare function f(u) { return Date.now() > 5; } from Users as u filter f(u) = true",
    ];

    [Fact]
    public async Task A_query_is_answered_with_304_until_data_that_it_reads_changes()
    {
        using TestServer server = await WithUsersAsync();
        List<string> wrong = [];
        foreach ((string query, Func<TestServer, Task> change) in Table)
        {
            HttpAnswer first = await AskAsync(server, query, "*none*");
            HttpAnswer again = await AskAsync(server, query, first.ETag!);
            if (again.Status != 304)
            {
                wrong.Add($"{again.Status} where nothing changed: {query}");
            }

            await change(server);
            HttpAnswer changed = await AskAsync(server, query, first.ETag!);
            if (changed.Status != 200)
            {
                wrong.Add($"{changed.Status} where something did: {query}");
            }
            else if (ShownBy(changed) == ShownBy(first))
            {
                wrong.Add($"the change changes nothing: {query}");
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [Fact]
    [Trait("Invariant", "VOL-1")]
    public async Task A_query_whose_result_changes_without_a_write_is_never_answered_with_304()
    {
        using TestServer server = await WithUsersAsync();
        List<string> wrong = [];
        foreach (string query in Volatile)
        {
            HttpAnswer first = await AskAsync(server, query, "*none*");
            HttpAnswer again = await AskAsync(server, query, first.ETag!);
            if (again.Status == 304)
            {
                wrong.Add(query);
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [Theory]
    [InlineData("from Users as u select { Date: u.Date, A: Math.floor(u.N), B: u.Name.length }")]
    [InlineData("declare function f(u) { return { A: Math.abs(u.N) }; } from Users as u select f(u)")]
    public async Task A_query_with_a_script_that_reads_no_clock_is_answered_with_304(string query)
    {
        using TestServer server = await WithUsersAsync();
        HttpAnswer first = await AskAsync(server, query, "*none*");
        (await AskAsync(server, query, first.ETag!)).Expect(HttpStatusCode.NotModified);
        await server.PutAsync("others/1", "{}");
        (await AskAsync(server, query, first.ETag!)).Expect(HttpStatusCode.OK);
    }

    [Fact]
    public async Task A_write_to_another_collection_does_not_change_the_tag_of_a_query()
    {
        using TestServer server = await WithUsersAsync();
        HttpAnswer first = await AskAsync(server, "from Users select Name, id() as Id", "*none*");
        await server.PutAsync("others/1", """{"@metadata":{"@collection":"Others"}}""");
        (await AskAsync(server, "from Users select Name, id() as Id", first.ETag!))
            .Expect(HttpStatusCode.NotModified);
    }

    private static async Task<TestServer> WithUsersAsync()
    {
        TestServer server = await TestServer.WithDatabaseAsync(options =>
            options with { IndexingCSharp = CSharpUse.All });
        await server.PutAsync("bosses/1", """{"Name":"boss","@metadata":{"@collection":"Bosses"}}""");
        foreach (string name in (string[])["anna", "bert"])
        {
            await server.PutAsync($"users/{(name == "anna" ? 1 : 2)}", $$"""
                {"Name":"{{name}}","Boss":"bosses/1","N":1.5,"At":"2001-01-01T00:00:00.0000000Z",
                 "@metadata":{"@collection":"Users"} }
                """);
        }

        (await server.SendAsync("POST", "~/admin/revisions/config", """{"Default":{"Disabled":false}}"""))
            .Expect(HttpStatusCode.OK);
        await CountAsync(server);
        await ExchangeAsync(server, "none");
        await PutCodeAsync(server, "Sorters", "Mine", Sorter);
        await PutCodeAsync(server, "Analyzers", "Cut", Analyzer);
        (await server.SendAsync("PUT", "~/admin/indexes", """
            {"Indexes":[{"Name":"Cut","Maps":["from u in docs.Users select new { u.Name }"],
             "Fields":{"Name":{"Indexing":"Search","Analyzer":"Cut"}}}]}
            """)).Expect(HttpStatusCode.Created);
        return server;
    }

    private static async Task WriteAsync(TestServer server) => await server.PutAsync(
        "users/1", $$"""
        {"Name":"anna{{Guid.NewGuid():N}}","Boss":"bosses/1","@metadata":{"@collection":"Users"} }
        """);

    private static async Task PurgeAsync(TestServer server) => (await server.SendAsync(
        "DELETE", "~/admin/revisions", """{"DocumentIds":["users/1"]}""")).Expect(HttpStatusCode.OK);

    private static async Task CountAsync(TestServer server) => (await server.SendAsync("POST", "~/counters", """
        {"Documents":[{"DocumentId":"users/2","Operations":[{"Type":"Increment","CounterName":"likes","Delta":4}]}]}
        """)).Expect(HttpStatusCode.OK);

    private static async Task BossAsync(TestServer server)
    {
        string name = (string)(await server.SendAsync("GET", "~/docs?id=bosses/1")).Json["Results"]![0]!["Name"]!;
        await server.PutAsync("bosses/1", $$"""
            {"Name":"{{(name == "other" ? "boss" : "other")}}","@metadata":{"@collection":"Bosses"} }
            """);
    }

    private static Task ExchangeAsync(TestServer server) => ExchangeAsync(server, "bert");

    private static async Task ExchangeAsync(TestServer server, string value)
    {
        HttpAnswer answer = await server.SendAsync("GET", "~/cmpxchg?key=key");
        JsonNode? known = answer.Status == 404 ? null : answer.Json["Results"]![0]!;
        long index = (long?)known?["Index"] ?? 0;
        string next = (string?)known?["Value"]!["Object"] == value ? "none" : value;
        (await server.SendAsync("PUT", $"~/cmpxchg?key=key&index={index}", $"{{\"Object\":\"{next}\"}}"))
            .Expect(HttpStatusCode.OK);
    }

    private static async Task SortAsync(TestServer server)
    {
        JsonNode record = (await server.SendAsync("GET", "/admin/databases?name=db")).Json;
        bool isBackwards = ((string)record["Sorters"]!["Mine"]!["Code"]!)
            .Contains("right.CompareTo", StringComparison.Ordinal);
        await PutCodeAsync(server, "Sorters", "Mine", isBackwards ? Sorter : Sorter.Replace(
            "left.CompareTo(right)", "right.CompareTo(left)", StringComparison.Ordinal));
    }

    /// <summary>Words are four letters long from now on.</summary>
    private static Task AnalyzeAsync(TestServer server) => PutCodeAsync(
        server, "Analyzers", "Cut", Analyzer.Replace(
            "tokens.Add(text, 0, text.Length", "tokens.Add(text[..Math.Min(4, text.Length)], 0, 4",
            StringComparison.Ordinal));

    private static async Task PutCodeAsync(TestServer server, string kind, string name, string code)
    {
        string text = JsonSerializer.Serialize(code);
        (await server.SendAsync(
            "PUT", $"~/admin/{(kind == "Sorters" ? "sorters" : "analyzers")}",
            $$"""{"{{kind}}":[{"Name":"{{name}}","Code":{{text}}}]}""")).Expect(HttpStatusCode.NoContent);
    }

    private static Task<HttpAnswer> AskAsync(TestServer server, string query, string tag) => server.SendAsync(
        "POST", "~/queries", QueryHttpTests.Body(query, """{"s":"Mine"}"""), $"If-None-Match: {tag}");

    /// <summary>All of an answer but what is of the time it was given at.</summary>
    private static string ShownBy(HttpAnswer answer)
    {
        JsonObject all = answer.Json.AsObject();
        foreach (string name in (string[])
            ["DurationInMs", "IndexTimestamp", "LastQueryTime", "ResultEtag"])
        {
            all.Remove(name);
        }

        return all.ToJsonString();
    }
}
