using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace FastTests.Architecture;

/// <summary>Which public types may share a file.</summary>
public sealed class DataFamilyTests
{
    [Theory]
    [InlineData("public enum Priority { Low, High }")]
    [InlineData("public sealed record Index { public string Name { get; init => field = value ?? \"\"; } = \"\"; }")]
    [InlineData("public sealed class Failure(string message) : Exception(message);")]
    [InlineData("public sealed class Get(string name) : IAsk { public Command Make() => new(n => name); }")]
    [InlineData("public sealed class Pair { public Pair(int a) { A = a; } public int A { get; } }")]
    [InlineData("public readonly struct Span(int start) { private const int Max = 1; public int End => start + Max; }")]
    public void Data_may_share_a_file(string type) => Assert.True(DataFamily.IsData(Parse(type)[0]));

    [Theory]
    [InlineData("public interface IAsk { Command Make(); }")]
    [InlineData("public static class Asks { public static int One => 1; }")]
    [InlineData("public sealed class Get { public int Make() { return 1; } }")]
    [InlineData("public sealed class Get { public int Make() => Run(() => { return 1; }); }")]
    [InlineData("public sealed class Get { public int A { get { return 1; } } }")]
    [InlineData("public sealed class Get { public Get(int a) { Check(a); } }")]
    [InlineData("public sealed class Get { private int _count; }")]
    [InlineData("public sealed class Get { private sealed class Part; }")]
    public void Types_with_statements_or_state_stay_alone(string type) =>
        Assert.False(DataFamily.IsData(Parse(type)[0]));

    [Fact]
    public void A_long_type_stays_alone()
    {
        string lines = string.Join('\n', Enumerable.Range(0, 40).Select(i => $"public int P{i} {{ get; }}"));
        Assert.False(DataFamily.IsData(Parse($"public sealed record Many {{\n{lines}\n}}")[0]));
    }

    [Theory]
    [InlineData("IndexOperations", "GetIndexOperation", "ResetIndexOperation", true)]
    [InlineData("IndexOperations", "GetIndexOperation", "IndexErrors", true)]
    [InlineData("DatabaseStatistics", "DatabaseStatistics", "CollectionStatistics", true)]
    [InlineData("IndexOperations", "GetIndexOperation", "QueryErrors", false)]
    public void A_family_shares_a_word(string file, string first, string second, bool isOne) =>
        Assert.Equal(isOne, DataFamily.IsOne(file, Parse($"public enum {first}; public enum {second};")));

    private static MemberDeclarationSyntax[] Parse(string text) =>
        [.. CSharpSyntaxTree.ParseText(text, new CSharpParseOptions(LanguageVersion.Preview))
            .GetCompilationUnitRoot().Members];
}
