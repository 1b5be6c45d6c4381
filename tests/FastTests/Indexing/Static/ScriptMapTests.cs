using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Maps;
using Raven.Server.Options;

namespace FastTests.Indexing.Static;

/// <summary>Maps in JavaScript.</summary>
public sealed class ScriptMapTests
{
    private const string User =
        """{"Name":"Ayende","Age":40,"Tags":["a","b"],"Rate":1.5,"@metadata":{"@collection":"Users"}}""";

    [Theory]
    [InlineData("map('Users', u => ({ Name: u.Name, N: u.Age + 1 }))", "Name=\"Ayende\" N=41")]
    [InlineData("map('users', function (u) { return { T: u.Tags.map(t => t + '!') }; })", "T=\"a!\",\"b!\"")]
    [InlineData("map('Users', u => u.Tags.map(t => ({ t })))", "t=\"a\"|t=\"b\"")]
    [InlineData("map('Users', u => { if (u.Age > 50) return { A: 1 }; })", "")]
    [InlineData("map('Companies', u => ({ Name: u.Name }))", "")]
    [InlineData("map(u => ({ I: id(u), C: getMetadata(u)['@collection'] }))", "I=\"d/0\" C=\"Users\"")]
    [InlineData("map('Users', u => ({ _: createField('F' + u.Name, u.Tags, { storage: true }) }))",
        "FAyende=\"a\",\"b\"")]
    [InlineData("// A comment\nmap('Users', u => ({ A: null }));\nmap('Users', u => ({ B: true }));", "A=null|B=true")]
    [InlineData("function f(x) { return x * 2; } map('Users', u => ({ X: f(u.Age) }))", "X=80")]
    public void A_map_in_JavaScript_emits_the_expected_entries(string map, string entries) =>
        Assert.Equal(entries, string.Join('|', MapBench.Map(map, User)));

    [Fact]
    public void A_document_that_a_map_in_JavaScript_loads_is_read_and_recorded_as_reference()
    {
        using MapBench bench = new();
        bench.Documents.Put("owners/1", """{"Name":"Oren"}""");
        bench.Documents.Put("d/1", """{"Owner":"owners/1"}""");
        using RecordingSink sink = new();
        bench.Run(
            MapBench.Define("map(d => ({ N: load(d.Owner, 'Owners').Name, M: load('no/1') === null }))"), sink, "d/");
        Assert.Equal(["N=\"Oren\" M=true"], sink.Entries);
        Assert.Equal(["owners/1 in ", "no/1 in "], sink.References);
    }

    [Fact]
    public void A_map_in_JavaScript_calls_functions_of_additional_sources()
    {
        using MapBench bench = new();
        bench.Documents.Put("d/1", """{"X":3}""");
        using RecordingSink sink = new();
        bench.Run(
            MapBench.Define("map(d => ({ S: 's' + square(d.X) }))") with
            {
                AdditionalSources = new Dictionary<string, string>
                {
                    ["square.js"] = "function square(x) { return x * x; }",
                },
            },
            sink, "d/");
        Assert.Equal(["S=\"s9\""], sink.Entries);
    }

    [Theory]
    [InlineData("map('Users', u => ({ Name: u.Name )", "line 1, column")]
    [InlineData("map('Users')", "line 1, column")]
    [InlineData("const x = 1;", "does not call map")]
    [InlineData("map(5, u => ({ Name: u.Name }))", "map() takes the name of a collection, a text, and a function")]
    [InlineData("map('', u => ({ Name: u.Name }))", "map() takes the name of a collection, a text, and a function")]
    public void A_script_that_defines_no_map_is_refused_with_its_position(
        string map, string message) => Assert.Contains(
        message,
        Assert.Throws<IndexCompilationException>(() => MapBench.Compiler().Compile(MapBench.Define(map))).Message,
        StringComparison.Ordinal);

    [Fact]
    public void A_map_in_JavaScript_that_does_not_end_is_stopped_and_the_next_document_is_mapped()
    {
        using MapBench bench = new();
        bench.Documents.Put("d/1", """{"X":1}""");
        bench.Documents.Put("d/2", """{"X":2}""");
        ServerOptions options = new() { ScriptStepsMax = 10_000 };
        using DocumentMap map = MapBench.Compiler(options).Compile(
            MapBench.Define("map(d => { while (d.X == 1) { } return { X: 'x' + d.X }; })"))[0];
        using RecordingSink sink = new();
        Assert.Contains("steps", Assert.ThrowsAny<Exception>(() => bench.Run(map, sink, "d/1")).Message,
            StringComparison.OrdinalIgnoreCase);
        bench.Run(map, sink, "d/2");
        Assert.Equal(["X=\"x2\""], sink.Entries);
    }

    [Fact]
    public void CSharp_is_compiled_only_if_the_setting_allows_it()
    {
        IndexCompilationException none = Assert.Throws<IndexCompilationException>(
            () => MapBench.Compiler(new ServerOptions { IndexingCSharp = CSharpUse.None })
                .Compile(MapBench.Define("from d in docs select new { d.X }")));
        Assert.Contains("Indexing.CSharp=None", none.Message, StringComparison.Ordinal);
        Dictionary<string, string> sources = new()
        {
            ["Squares.cs"] = "namespace My { public static class Squares { public static int Of(int x) => x * x; } }",
        };
        IndexCompilationException maps = Assert.Throws<IndexCompilationException>(() => MapBench.Compiler()
            .Compile(MapBench.Define("from d in docs select new { d.X }") with { AdditionalSources = sources }));
        Assert.Contains("Indexing.CSharp=All", maps.Message, StringComparison.Ordinal);
        using MapBench bench = new();
        bench.Documents.Put("d/1", """{"X":3}""");
        using RecordingSink sink = new();
        bench.Run(
            MapBench.Define("from d in docs select new { S = Squares.Of(d.X) + 1 }") with
            {
                AdditionalSources = sources,
            },
            sink, "d/", new ServerOptions { IndexingCSharp = CSharpUse.All });
        Assert.Equal(["S=10"], sink.Entries);
        IndexCompilationException wrong = Assert.Throws<IndexCompilationException>(
            () => MapBench.Compiler(new ServerOptions { IndexingCSharp = CSharpUse.All }).Compile(
                MapBench.Define("from d in docs\nselect new { S = Squares.No(d.X) }") with
                {
                    AdditionalSources = sources,
                }));
        Assert.Contains("line 2, column 18", wrong.Message, StringComparison.Ordinal);
    }
}
