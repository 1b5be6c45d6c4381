using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace FastTests.Architecture;

/// <summary>
/// docs/unsafe-code.md lists each type that reaches memory without a check, what keeps it inside, and its tests: no
/// other type may do so.
/// </summary>
public sealed partial class UnsafeCodeTests
{
    private static readonly string[] Words =
    [
        "Unsafe", "unsafe", "fixed", "GetReference", "GetArrayDataReference", "CreateSpan", "CreateReadOnlySpan",
        "NativeMemory", "LibraryImport", "DllImport",
    ];

    private static readonly string[][] Rows =
    [
        .. File.ReadLines(Path.Combine(SourceTree.Root, "docs", "unsafe-code.md"))
            .Where(line => line.StartsWith("| `", StringComparison.Ordinal))
            .Select(line => line.Trim('|').Split('|')),
    ];

    [Fact]
    public void Every_type_that_reaches_memory_without_a_check_is_listed()
    {
        string[] found = [.. Users()];
        string[] listed = [.. Rows.SelectMany(row => Names(row[0]))];
        Assert.NotEmpty(found);
        Assert.Empty(found.Except(listed));
        Assert.Empty(listed.Except(found));
        Assert.Equal(listed.Length, listed.Distinct().Count());
    }

    [Fact]
    public void Each_has_a_type_that_checks_and_a_test()
    {
        HashSet<string> sources = [.. TypesIn("src/")];
        HashSet<string> tests = [.. TypesIn("tests/")];
        Assert.All(Rows, row =>
        {
            Assert.Equal(4, row.Length);
            Assert.NotEmpty(Names(row[2]));
            Assert.NotEmpty(Names(row[3]));
            Assert.Empty(Names(row[2]).Except(sources));
            Assert.Empty(Names(row[3]).Except(tests));
        });
    }

    [Theory]
    [InlineData("class A { int B(ref int c) => Unsafe.Add(ref c, 1); }")]
    [InlineData("class A { ref int B(Span<int> c) => ref MemoryMarshal.GetReference(c); }")]
    [InlineData("class A { Vector128<byte> B(ref byte c) => Vector128.LoadUnsafe(ref c); }")]
    [InlineData("class A { void B(Vector128<byte> c, ref byte d) => c.StoreUnsafe(ref d); }")]
    [InlineData("unsafe class A { int* b; }")]
    [InlineData("class A { unsafe int* B() => null; }")]
    [InlineData("class A { void B() => NativeMemory.Free(null); }")]
    [InlineData("class A { [LibraryImport(\"c\")] static partial int B(); }")]
    [InlineData("class A { class C { int B(ref int c) => Unsafe.As<int, int>(ref c); } }")]
    public void Ways_around_a_check_are_found(string text) => Assert.Equal("A", Assert.Single(UsersIn(Parse(text))));

    [Theory]
    [InlineData("class A { int B() => Unsafe.SizeOf<int>(); }")]
    [InlineData("class A { int B(ReadOnlySpan<byte> c) => MemoryMarshal.Read<int>(c); }")]
    [InlineData("class A { int B(Span<int> c) => c[0]; }")]
    public void What_is_checked_is_not_found(string text) => Assert.Empty(UsersIn(Parse(text)));

    private static IEnumerable<string> Users() => SourceTree.Files
        .Where(file => file.IsIn("src/") && file.Mentions(Words))
        .SelectMany(file => UsersIn(file.Syntax)).Distinct();

    private static IEnumerable<string> UsersIn(SyntaxNode root) => root.DescendantNodes()
        .Where(IsUnchecked).Select(TypeOf)
        .Concat(root.DescendantTokens().Where(token => token.IsKind(SyntaxKind.UnsafeKeyword))
            .Select(token => TypeOf(token.Parent!)))
        .Distinct();

    private static bool IsUnchecked(SyntaxNode node) => node switch
    {
        MemberAccessExpressionSyntax access => IsUnchecked(access.Expression.ToString(), access.Name.Identifier.Text),
        AttributeSyntax attribute => attribute.Name.ToString() is "LibraryImport" or "DllImport",
        _ => node is FixedStatementSyntax,
    };

    private static bool IsUnchecked(string target, string member) => target switch
    {
        "Unsafe" => member != "SizeOf",
        "MemoryMarshal" => member is "GetReference" or "GetArrayDataReference" or "CreateSpan" or "CreateReadOnlySpan",
        "NativeMemory" => true,
        _ => member is "LoadUnsafe" or "StoreUnsafe",
    };

    /// <summary>The outermost type around a place.</summary>
    private static string TypeOf(SyntaxNode node) =>
        node.AncestorsAndSelf().OfType<BaseTypeDeclarationSyntax>().Last().Identifier.Text;

    private static IEnumerable<string> TypesIn(string folder) => SourceTree.Files
        .Where(file => file.IsIn(folder)).Select(file => Path.GetFileNameWithoutExtension(file.Path));

    private static string[] Names(string cell) => [.. Name().Matches(cell).Select(match => match.Groups[1].Value)];

    private static SyntaxNode Parse(string text) =>
        CSharpSyntaxTree.ParseText(text, new CSharpParseOptions(LanguageVersion.Preview)).GetRoot();

    [GeneratedRegex(@"`(\w+)`")]
    private static partial Regex Name();
}
