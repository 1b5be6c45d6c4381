using System.Net;
using System.Text;
using FastTests.Architecture;
using FastTests.Indexing.Static;
using Microsoft.Extensions.Logging;
using Raven.Documents.Indexing.Compilation;

namespace FastTests.Server;

/// <summary>What who runs a server relies on: metrics with a page, a warm compiler, queries of bounded cost.</summary>
public sealed class OperatingTests
{
    [Fact]
    [Trait("Fault", "B10")]
    public async Task Each_metric_is_named_in_the_page_on_operating()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        string page = await File.ReadAllTextAsync(Path.Combine(SourceTree.Root, "docs", "operations.md"));
        string metrics = (await server.SendAsync("GET", "/metrics")).Expect(HttpStatusCode.OK).Text;
        string[] names =
        [
            .. metrics.Split('\n').Where(line => line.StartsWith("# TYPE ", StringComparison.Ordinal))
                .Select(line => line.Split(' ')[2]),
        ];
        Assert.NotEmpty(names);
        Assert.All(names, name => Assert.Contains(name, page, StringComparison.Ordinal));
    }

    [Fact]
    [Trait("Fault", "B12")]
    public void The_warm_up_of_the_compiler_compiles_maps_and_a_reduce_without_a_failure()
    {
        var log = new Lines();
        CompilerWarmUp.Run(MapBench.Compiler(), log);
        Assert.Empty(log.All);
    }

    [Fact]
    [Trait("Fault", "E34")]
    public async Task More_like_this_keeps_the_order_of_the_index_where_scores_are_equal()
    {
        using TestServer server = await TestServer.WithDatabaseAsync();
        foreach (string id in (string[])["d/3", "d/1", "d/2", "d/9"])
        {
            await server.PutAsync(id, """{"Text":"red fox","@metadata":{"@collection":"Ds"} }""");
        }

        const string index = """
            {"Indexes":[{"Name":"Likes","Maps":["from d in docs.Ds select new { d.Text }"],
            "Fields":{"Text":{"Indexing":"Search"} } }]}
            """;
        (await server.SendAsync("PUT", "~/admin/indexes", index)).Expect(HttpStatusCode.Created);
        for (int i = 0; i < 2; i++)
        {
            Assert.Equal(["d/3", "d/1", "d/2"], QueryHttpTests.Ids(await QueryHttpTests.QueryAsync(
                server, "from index 'Likes' where moreLikeThis(id() = 'd/9', $o)",
                """{"o":{"MinimumTermFrequency":1,"MinimumDocumentFrequency":1}}""")));
        }
    }

    [Fact]
    [Trait("Fault", "C1c")]
    public void A_prefix_of_many_terms_costs_no_more_memory_than_one_of_few()
    {
        using var server = new InMemoryServer();
        const int documents = 1000;
        const int terms = 20;
        var commands = new StringBuilder();
        for (int i = 0; i < documents; i++)
        {
            string begin = i == 0 ? "few" : $"many{i}";
            string words = string.Join(' ', Enumerable.Range(0, terms).Select(n => $"{begin}x{n}"));
            string document = $$"""{"Note":"{{words}}","@metadata":{"@collection":"Notes"} }""";
            commands.Append(i == 0 ? "" : ",").Append(
                $$"""{"Type":"PUT","Id":"n/{{i}}","ChangeVector":null,"Document":{{document}}}""");
        }

        Assert.Equal(201, server.Send(new InMemoryRequest(
            "POST", "/databases/db/bulk_docs", body: $"{{\"Commands\":[{commands}]}}")));
        long few = AllocatedBy("few*");
        long many = AllocatedBy("many*");
        Assert.InRange(many, 0, few + (64 * 1024));

        long AllocatedBy(string prefix)
        {
            string query = $"from Notes where search(Note, '{prefix}') limit 1";
            var request = new InMemoryRequest(
                "POST", "/databases/db/queries",
                body: $$"""{"Query":"{{query}}","WaitForNonStaleResults":true}""");
            Assert.Equal(200, server.Send(request));
            long before = GC.GetAllocatedBytesForCurrentThread();
            Assert.Equal(200, server.Send(request));
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    private sealed class Lines : ILogger
    {
        internal List<string> All { get; } = [];

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => All.Add($"{formatter(state, exception)} {exception}");
    }
}
