using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;

namespace FastTests.Indexing.Static;

/// <summary>What maps in C# make of documents, and what they are refused for.</summary>
public sealed class StaticMapTests
{
    private const string Company = """
        {"Name":"Hibernating Rhinos","Overview":"Databases and profilers","Employees":23,"Rate":1.5,"Active":true,
         "Tags":["db","nosql"],"Address":{"City":"Hadera","Zip":null},"Founded":"2008-05-06T00:00:00.0000000",
         "Lines":[{"Product":"a","Price":10,"Quantity":2},{"Product":"b","Price":2.5,"Quantity":4}],
         "Parent":{"Name":"p1","Parent":{"Name":"p2","Parent":null}},
         "@metadata":{"@collection":"Companies"}}
        """;

    [Fact]
    public void A_map_in_CSharp_emits_the_entries_of_the_list_of_examples()
    {
        using MapBench bench = new();
        bench.Documents.Put("d/0", Company);
        List<string> wrong = [];
        foreach ((string map, string expected) in MapCases.Read("maps.txt"))
        {
            using RecordingSink sink = new();
            bench.Run(MapBench.Define(map), sink, "d/");
            string actual = sink.Entries.Count == 0 ? "(none)" : string.Join(" | ", sink.Entries);
            if (actual != expected)
            {
                wrong.Add($"{map}\n    expected {expected}\n    actual   {actual}");
            }
        }

        Assert.True(wrong.Count == 0, string.Join('\n', wrong));
    }

    [Fact]
    public void The_collections_of_a_map_are_read_from_its_text()
    {
        Assert.Equal(["Companies"], CollectionsOf("from c in docs.Companies select new { c.Name }"));
        Assert.Equal(
            ["A b", "C"], CollectionsOf("docs.WhereEntityIs(new[] { \"A b\", \"C\" }).Select(d => new { d.X })"));
        Assert.Equal([], CollectionsOf("from d in docs select new { d.X }"));
    }

    [Fact]
    public void A_document_that_a_map_in_CSharp_loads_is_read_and_recorded_as_reference()
    {
        using MapBench bench = new();
        bench.Documents.Put("owners/1", """{"Name":"Oren"}""");
        bench.Documents.Put("d/1", """{"Owner":"OWNERS/1","Others":["owners/1","owners/2"]}""");
        using RecordingSink sink = new();
        bench.Run(MapBench.Define(
            "from d in docs let o = LoadDocument(d.Owner, \"Owners\") select new { o.Name, "
            + "N = LoadDocument<Owner>(d.Others, \"Owners\").Select(x => x.Name ?? \"-\") }"), sink, "d/");
        Assert.Equal(["Name=\"Oren\" N=\"Oren\",\"-\""], sink.Entries);
        Assert.Equal(["OWNERS/1 in Owners", "owners/1 in Owners", "owners/2 in Owners"], sink.References);
    }

    [Fact]
    public void A_compare_exchange_value_that_a_map_reads_is_recorded_as_reference_even_if_it_is_missing()
    {
        using MapBench bench = new();
        bench.Documents.Put("d/1", """{"Key":"Rates/EUR","Keys":["a","b"]}""");
        using RecordingSink sink = new();
        bench.Run(MapBench.Define(
            "from d in docs select new { R = LoadCompareExchangeValue<double>(d.Key) ?? 1, "
            + "N = LoadCompareExchangeValue(d.Keys).Count(), X = LoadCompareExchangeValue(d.Missing) }"), sink, "d/");
        Assert.Equal(["R=1 N=2 X=null"], sink.Entries);
        Assert.Equal(["value of Rates/EUR", "value of a", "value of b"], sink.References);
    }

    [Fact]
    public void A_field_that_CreateField_makes_has_the_options_of_the_call()
    {
        using MapBench bench = new();
        bench.Documents.Put("d/1", """{"X":1}""");
        using RecordingSink sink = new();
        bench.Run(MapBench.Define(
            "from d in docs select new { _ = CreateField(\"A\", d.X, new CreateFieldOptions { "
            + "Storage = FieldStorage.Yes, Indexing = FieldIndexing.Exact }) }"), sink, "d/");
        Assert.True(sink.Options["A"].IsStored);
        Assert.Equal(FieldIndexing.Exact, sink.Options["A"].Indexing);
    }

    [Fact]
    public void A_map_that_cannot_be_compiled_is_refused_with_its_position()
    {
        foreach ((string map, string message) in MapCases.Read("refused.txt"))
        {
            IndexCompilationException refused = Assert.Throws<IndexCompilationException>(
                () => MapBench.Compiler().Compile(MapBench.Define(map)));
            Assert.Contains(message, refused.Message, StringComparison.Ordinal);
            Assert.Contains("line ", refused.Message, StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_map_that_nests_too_deep_is_refused()
    {
        string deep = new string('(', 1000) + "1" + new string(')', 1000);
        Assert.Throws<IndexCompilationException>(
            () => MapBench.Compiler().Compile(MapBench.Define($"from c in docs select new {{ X = {deep} }}")));
    }

    [Fact]
    public void An_exception_of_a_map_is_thrown_to_the_indexer() => Assert.Throws<DivideByZeroException>(
        () => MapBench.Map("from c in docs select new { X = 1 / c.Zero }", """{"Zero":0}"""));

    private static IReadOnlyList<string> CollectionsOf(string map)
    {
        using DocumentMap compiled = MapBench.Compiler().Compile(MapBench.Define(map))[0];
        return compiled.Collections;
    }
}
