using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Reduce;

namespace FastTests.Indexing.Reduce;

/// <summary>Map-reduce, compared with grouping everything from scratch.</summary>
public sealed class MapReduceTests
{
    private const string CSharp =
        "from r in results group r by r.Key into g "
        + "select new { Key = g.Key, N = g.Sum(x => x.N), Total = g.Sum(x => x.Total), Max = g.Max(x => x.Total) }";

    private const string Methods =
        "results.GroupBy(r => new { r.Key }).Select(g => new { Key = g.Key.Key, N = Enumerable.Sum(g, x => (int)x.N), "
        + "Total = Enumerable.Sum(g, x0 => ((long)x0.Total)), Max = g.Max(x => x.Total) })";

    private const string JavaScript =
        "groupBy(x => x.Key).aggregate(g => ({ Key: g.key, N: g.values.reduce((c, v) => c + v.N, 0), "
        + "Total: g.values.reduce((c, v) => c + v.Total, 0), Max: Math.max(...g.values.map(v => v.Max || v.Total)) }))";

    [Theory]
    [InlineData(CSharp, 5000, 1)]
    [InlineData(Methods, 200, 2)]
    [InlineData(JavaScript, 200, 3)]
    [Trait("Invariant", "REDUCE-1")]
    public void After_random_changes_the_results_of_a_reduce_are_those_of_grouping_from_scratch(
        string reduce, int first, int seed)
    {
        // The greatest total of a reduce's own result is its Max: all three are written so that they can run over both.
        string fixedReduce = reduce.Replace(
            "g.Max(x => x.Total)", "g.Max(x => x.Max ?? x.Total)", StringComparison.Ordinal);
        Random random = new(seed);
        using ReduceBench bench = new(() => ReduceBench.Compile(fixedReduce));
        Dictionary<string, (string? Key, long Total)[]> model = [];
        bench.Batch(() =>
        {
            for (int i = 0; i < first; i++)
            {
                Change(bench, model, $"d/{i}", [("large", i)]);
            }
        });
        for (int batch = 0; batch < 30; batch++)
        {
            if (batch % 10 == 9)
            {
                bench.Reopen();
            }

            if (batch % 7 == 6)
            {
                bench.Batch(() => Change(bench, [], "d/1", [("dropped", 1)]), isCommitted: false);
            }

            bench.Batch(() =>
            {
                for (int i = random.Next(1, 30); i > 0; i--)
                {
                    string id = $"d/{random.Next(first + 50)}";
                    if (random.Next(3) == 0)
                    {
                        model.Remove(id);
                        bench.Delete(id);
                    }
                    else
                    {
                        Change(bench, model, id, RandomEntries(random));
                    }
                }
            });
            Assert.True(
                Expected(model).SequenceEqual(bench.Results.Sorted),
                $"seed {seed}, batch {batch}:\n{string.Join('\n', Expected(model))}\nbut\n"
                + string.Join('\n', bench.Results.Sorted));
        }

        bench.Batch(() =>
        {
            foreach (string id in model.Keys)
            {
                bench.Delete(id);
            }
        });
        Assert.Empty(bench.Results.Sorted);
    }

    [Fact]
    public void Groups_of_a_query_with_aggregates_follow_changes()
    {
        using ReduceBench bench = new(() => MapReduceStage.OfAggregates(["Key"], ["Total"], "Count"));
        bench.Batch(() =>
        {
            bench.Map("d/1", ("a", 1), ("b", 2));
            bench.Map("d/2", ("a", 3), (null, 4));
        });
        Assert.Equal(
            [
                """{"Key":"a","Total":4,"Count":2}""", """{"Key":"b","Total":2,"Count":1}""",
                """{"Key":null,"Total":4,"Count":1}""",
            ],
            bench.Results.Sorted);
        bench.Batch(() => bench.Map("d/2", ("b", 5)));
        Assert.Equal(
            ["""{"Key":"a","Total":1,"Count":1}""", """{"Key":"b","Total":7,"Count":2}"""], bench.Results.Sorted);
    }

    [Fact]
    [Trait("Invariant", "REDUCE-2")]
    public void A_changed_document_of_a_large_group_reduces_only_the_nodes_above_it()
    {
        using ReduceBench bench = new(() => ReduceBench.Compile(CSharp));
        bench.Batch(() =>
        {
            for (int i = 0; i < 5000; i++)
            {
                bench.Map($"d/{i}", ("large", i));
            }

            bench.Map("other", ("small", 1));
        });
        MapReduceStage stage = (MapReduceStage)bench.Stage;
        long before = stage.ReducedCount;
        int puts = bench.Results.PutCount;
        bench.Batch(() => bench.Map("d/4000", ("large", 0)));
        Assert.InRange(stage.ReducedCount - before, 1, 3 * 64);
        Assert.Equal(puts + 1, bench.Results.PutCount);

        before = stage.ReducedCount;
        bench.Batch(() => bench.Map("d/4000", ("large", 0)));
        Assert.Equal(before, stage.ReducedCount);
    }

    [Fact]
    public void A_group_whose_reduce_throws_has_no_result_until_its_documents_change()
    {
        using ReduceBench bench = new(() => ReduceBench.Compile(
            "from r in results group r by r.Key into g select new { Key = g.Key, Total = 10 / g.Sum(x => x.Total) }"));
        bench.Batch(() =>
        {
            bench.Map("d/1", ("a", 0));
            bench.Map("d/2", ("b", 5));
        });
        Assert.Equal(["""{"Key":"b","Total":2}"""], bench.Results.Sorted);
        Assert.Single(bench.Results.Failures);
        bench.Batch(() => bench.Map("d/1", ("a", 10)));
        Assert.Equal(["""{"Key":"a","Total":1}""", """{"Key":"b","Total":2}"""], bench.Results.Sorted);
        bench.Batch(() => bench.Map("d/2", ("b", 0)));
        Assert.Equal(["""{"Key":"a","Total":1}"""], bench.Results.Sorted);
    }

    [Fact]
    public void A_group_key_of_any_length_and_type_makes_one_group()
    {
        string longKey = new('k', 5000);
        using ReduceBench bench = new(() => ReduceBench.Compile(
            "from r in results group r by new { K = r.Key, L = new[] { r.Total, 1 } } into g "
            + "select new { Length = g.Key.K.Length, g.Key.L, N = g.Sum(x => x.N), Key = g.Key.K, "
            + "Total = g.Key.L[0] }"));
        bench.Batch(() =>
        {
            bench.Map("d/1", (longKey, 1));
            bench.Map("d/2", (longKey, 1));
            bench.Map("d/3", (longKey + "x", 1));
        });
        Assert.Equal(
            ["{\"Length\":5000,\"L\":[1,1],\"N\":2", "{\"Length\":5001,\"L\":[1,1],\"N\":1"],
            bench.Results.Sorted.Select(result => result[..result.IndexOf(",\"Key\"", StringComparison.Ordinal)]));
    }

    [Theory]
    [InlineData("from r in results group r by r.Key into g select new { N = g.Count() }", "Count over a group")]
    [InlineData(
        "results.GroupBy(r => r.Key).Select(g => new { N = Enumerable.Average(g, x => x.N) })", "Average over")]
    [InlineData("from r in results select new { r.Key }", "A reduce groups")]
    [InlineData("from d in docs group d by d.X into g select new { g.Key }", "starts from 'results'")]
    [InlineData("groupBy(x => x.Key)", "does not call groupBy(key).aggregate(reduce)")]
    public void A_text_that_is_no_reduce_is_refused_with_the_reason(string reduce, string message) => Assert.Contains(
        message, Assert.Throws<IndexCompilationException>(() => ReduceBench.Compile(reduce)).Message,
        StringComparison.Ordinal);

    private static void Change(
        ReduceBench bench, Dictionary<string, (string? Key, long Total)[]> model, string id,
        (string? Key, long Total)[] entries)
    {
        model[id] = entries;
        bench.Map(id, entries);
    }

    private static (string? Key, long Total)[] RandomEntries(Random random)
    {
        string?[] keys = ["large", "small", "a", "b", null, "c"];
        return
        [
            .. Enumerable.Range(0, random.Next(4))
                .Select(_ => (keys[random.Next(keys.Length)], random.NextInt64(1, 1000))),
        ];
    }

    private static IEnumerable<string> Expected(Dictionary<string, (string? Key, long Total)[]> model) =>
        model.Values.SelectMany(entries => entries).GroupBy(entry => entry.Key).Select(group =>
            $"{{\"Key\":{(group.Key is null ? "null" : $"\"{group.Key}\"")},\"N\":{group.Count()},"
            + $"\"Total\":{group.Sum(entry => entry.Total)},\"Max\":{group.Max(entry => entry.Total)}}}")
        .Order(StringComparer.Ordinal);
}
