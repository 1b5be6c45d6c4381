using System.Buffers;
using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace FastTests.Architecture;

/// <summary>
/// The rules of docs/HACKING.md that a machine can check. An exception is a line here, and the lists only shrink.
/// </summary>
public sealed partial class TidyTests
{
    private const int FileLinesMax = 500;
    private const int MethodLinesMax = 70;
    private const int LineLengthMax = 120;

    /// <summary>Pointers live here; everyone else gets a span or a handle.</summary>
    private static readonly string[] UnsafeFolders = ["src/Blittable/Memory/", "src/Storage/Platform/"];

    /// <summary>The file in which a test or a tool calls native code: one each.</summary>
    private const string NativeMethodsFile = "NativeMethods.cs";

    private static readonly HashSet<string> TextExtensions =
        [".cs", ".md", ".sh", ".ps1", ".csproj", ".props", ".json", ".ts", ".js", ".mjs", ".yml", ".service", ""];

    /// <summary>What <see cref="MachinePath"/> matches has one of these.</summary>
    private static readonly SearchValues<string> MachineFolders =
        SearchValues.Create(["/work/", "/root/", "/home/"], StringComparison.Ordinal);

    [Fact]
    public void Files_have_at_most_500_lines() => Check(
        from file in SourceTree.Files
        where !file.IsGenerated && file.Lines.Length > FileLinesMax + 1
        select $"{file.Path}: {file.Lines.Length} lines. One room, one concern: split it.");

    [Fact]
    public void Methods_have_at_most_70_lines() => Check(
        from file in SourceTree.Files
        where !file.IsGenerated && file.Lines.Length > MethodLinesMax
        from node in file.Syntax.DescendantNodes(node => LinesOf(node) > MethodLinesMax)
        where node is BaseMethodDeclarationSyntax or LocalFunctionStatementSyntax or AccessorDeclarationSyntax
        let span = file.Syntax.SyntaxTree.GetLineSpan(BodyOf(node))
        let lines = span.EndLinePosition.Line - span.StartLinePosition.Line + 1
        where lines > MethodLinesMax
        select $"{file.Path}:{span.StartLinePosition.Line + 1}: a method of {lines} lines. Name its parts.");

    [Fact]
    public void Lines_have_at_most_120_characters() => Check(
        from file in SourceTree.Files
        where !file.IsGenerated
        from line in file.Lines.Index()
        where line.Item.TrimEnd('\r').Length > LineLengthMax
        select $"{file.Path}:{line.Index + 1}: {line.Item.Length} characters.");

    [Fact]
    public void Pointers_stay_in_two_folders() => Check(
        from file in SourceTree.Files
        where file.IsIn("src/") && !UnsafeFolders.Any(file.IsIn) && file.Mentions("unsafe", "fixed")
        from token in file.Syntax.DescendantTokens()
        where token.IsKind(SyntaxKind.UnsafeKeyword) || token.IsKind(SyntaxKind.FixedKeyword)
        select $"{At(file, token)}: '{token.Text}'. Pointers belong in {string.Join(" or ", UnsafeFolders)}.");

    [Fact]
    public void Tests_and_tools_call_native_code_from_one_file_each() => Check(
        from file in SourceTree.Files
        where !file.IsIn("src/") && !file.Path.EndsWith(NativeMethodsFile, StringComparison.Ordinal)
            && file.Mentions("LibraryImport", "DllImport")
        from attribute in file.Syntax.DescendantNodes().OfType<AttributeSyntax>()
        where attribute.Name.ToString() is "LibraryImport" or "DllImport"
        select $"{At(file, attribute)}: {attribute.Name} belongs in a file named *{NativeMethodsFile}.");

    [Fact]
    public void A_file_is_named_for_its_public_type_or_for_a_family_of_data() => Check(
        from file in SourceTree.Files
        where file.IsIn("src/") && !file.IsGenerated && file.Mentions("public")
        let declarations = PublicTypes(file)
        let types = declarations.Select(NameOf).Distinct().ToArray()
        let name = Path.GetFileNameWithoutExtension(file.Path).Split('.')[0]
        where (types.Length == 1 && types[0] != name)
            || (types.Length > 1 && !DataFamily.IsOne(name, declarations))
        select $"{file.Path}: holds the public {string.Join(", ", types)}.");

    [Fact]
    public void No_comment_leaves_work_for_later() => Check(
        from file in SourceTree.Files
        where !file.Path.EndsWith($"{nameof(TidyTests)}.cs", StringComparison.Ordinal)
        from line in file.Lines.Index()
        where Unfinished().IsMatch(line.Item)
        select $"{file.Path}:{line.Index + 1}: {line.Item.Trim()}");

    [Fact]
    public void No_test_is_skipped_or_cannot_fail() => Check(
        from file in SourceTree.Files
        where file.IsIn("tests/") && !file.IsIn("tests/FastTests/Architecture/")
        from line in file.Lines.Index()
        where EmptyTest().IsMatch(line.Item)
        select $"{file.Path}:{line.Index + 1}: {line.Item.Trim()}");

    [Fact]
    public void Exceptions_are_not_swallowed() => Check(
        from file in SourceTree.Files
        where file.IsIn("src/") && file.Mentions("catch")
        from clause in file.Syntax.DescendantNodes().OfType<CatchClauseSyntax>()
        where clause.Block.Statements.Count == 0 && !clause.Block.DescendantTrivia().Any(trivia =>
            trivia.IsKind(SyntaxKind.SingleLineCommentTrivia))
        select $"{At(file, clause)}: an empty catch. Say why in a comment, or handle it.");

    [Fact]
    public void Storage_and_search_access_files_through_IFileSystem_alone() => Check(
        from file in SourceTree.Files
        where file.IsIn("src/Storage/") || file.IsIn("src/Search/")
        where !file.IsIn("src/Storage/Files/") && !file.IsIn("src/Storage/Platform/")
            && file.Mentions("File", "Directory", "RandomAccess")
        from access in file.Syntax.DescendantNodes().OfType<MemberAccessExpressionSyntax>()
        where access.Expression.ToString() is "File" or "Directory" or "RandomAccess"
            or "System.IO.File" or "System.IO.Directory"
        select $"{At(file, access)}: {access}. All file access goes through IFileSystem.");

    [Fact]
    public void No_file_names_a_path_or_host_of_one_machine() => Check(
        from path in SourceTree.Find("*.*").Concat(Texts())
        where TextExtensions.Contains(Path.GetExtension(path))
            && !path.EndsWith($"{nameof(TidyTests)}.cs", StringComparison.Ordinal)
        let text = File.ReadAllText(Path.Combine(SourceTree.Root, path))
        where text.AsSpan().ContainsAny(MachineFolders)
        from line in text.Split('\n').Index()
        where MachinePath().IsMatch(line.Item)
        select $"{path}:{line.Index + 1}: {line.Item.Trim()}");

    private static IEnumerable<string> Texts() =>
        Directory.EnumerateFiles(SourceTree.Root).Concat(
            Directory.EnumerateFiles(Path.Combine(SourceTree.Root, "docs"), "*.*", SearchOption.AllDirectories))
            .Select(path => Path.GetRelativePath(SourceTree.Root, path).Replace('\\', '/'));

    private static MemberDeclarationSyntax[] PublicTypes(SourceFile file) =>
        [.. file.Syntax.DescendantNodes(node => node is CompilationUnitSyntax or BaseNamespaceDeclarationSyntax)
            .Where(node => node is BaseTypeDeclarationSyntax or DelegateDeclarationSyntax)
            .OfType<MemberDeclarationSyntax>()
            .Where(type => type.Modifiers.Any(SyntaxKind.PublicKeyword))];

    private static Microsoft.CodeAnalysis.Text.TextSpan BodyOf(SyntaxNode node) => node switch
    {
        BaseMethodDeclarationSyntax { Body: { } body } => body.Span,
        LocalFunctionStatementSyntax { Body: { } body } => body.Span,
        AccessorDeclarationSyntax { Body: { } body } => body.Span,
        _ => node.Span,
    };

    /// <summary>A method is in nothing that has fewer lines than itself: only what is long is looked into.</summary>
    private static int LinesOf(SyntaxNode node)
    {
        FileLinePositionSpan span = node.SyntaxTree.GetLineSpan(node.Span);
        return span.EndLinePosition.Line - span.StartLinePosition.Line + 1;
    }

    private static string NameOf(MemberDeclarationSyntax type) => type switch
    {
        BaseTypeDeclarationSyntax named => named.Identifier.Text,
        DelegateDeclarationSyntax named => named.Identifier.Text,
        _ => type.ToString(),
    };

    private static string At(SourceFile file, SyntaxNodeOrToken place) =>
        $"{file.Path}:{place.GetLocation()!.GetLineSpan().StartLinePosition.Line + 1}";

    private static void Check(IEnumerable<string> findings)
    {
        string[] found = [.. findings.Order(StringComparer.Ordinal)];
        Assert.True(found.Length == 0, string.Join(Environment.NewLine, found));
    }

    [GeneratedRegex(@"\b(TODO|FIXME|HACK|XXX)\b|NotImplementedException")]
    private static partial Regex Unfinished();

    [GeneratedRegex(@"Skip *= *""|Assert\.True\(true\)")]
    private static partial Regex EmptyTest();

    [GeneratedRegex(@"(^|[\s""'(=])/(work|root|home/[a-z]+)/")]
    private static partial Regex MachinePath();
}
