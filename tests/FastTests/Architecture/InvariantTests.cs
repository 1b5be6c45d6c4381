using System.Text.RegularExpressions;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace FastTests.Architecture;

/// <summary>
/// Invariants have names, such as MERGE-3, which a comment before the first type of one file defines: two spaces are
/// behind the name there. Elsewhere a name refers to that. A test that fails if the invariant is broken carries its
/// name: <c>[Trait("Invariant", "MERGE-3")]</c>, on the method, or on the class if all of its tests are about it.
/// </summary>
public sealed partial class InvariantTests
{
    private const string TraitName = "\"Invariant\"";

    private static readonly IReadOnlyList<(string Id, string Path, int Line)> Definitions =
        [.. FindDefinitions(SourceTree.Files)];

    private static readonly IReadOnlyList<(string Id, string Path)> Proofs = [.. FindProofs(SourceTree.Files)];

    [Fact]
    public void The_name_of_an_invariant_is_defined_once()
    {
        ILookup<string, string> files = Definitions.ToLookup(each => each.Id, each => each.Path);
        Assert.InRange(files.Count, 200, 2_000);
        Assert.Empty(files.Where(id => id.Count() > 1).Select(id => $"{id.Key}: {string.Join(", ", id)}"));
    }

    [Fact]
    public void A_mention_of_an_invariant_names_one_that_is_defined()
    {
        HashSet<string> ids = [.. Definitions.Select(each => each.Id)];
        HashSet<string> families = [.. ids.Select(id => id.Split('-')[0])];
        Assert.Empty(
            from file in SourceTree.Files
            from line in file.Lines
            from Match mention in Mention().Matches(line)
            where families.Contains(mention.Groups["family"].Value) && !ids.Contains(mention.Value)
            select $"{file.Path}: {mention.Value} is defined nowhere");
    }

    [Fact]
    public void An_invariant_is_defined_before_the_first_type_of_its_file() =>
        Assert.Empty(FindMisplaced(SourceTree.Files, Definitions));

    [Fact]
    public void Each_invariant_is_named_by_a_test_that_proves_it() => Assert.Empty(FindUnproven(Definitions, Proofs));

    [Fact]
    public void A_test_names_only_invariants_that_are_defined() => Assert.Empty(FindUndefined(Definitions, Proofs));

    [Theory]
    [InlineData("[Fact] [Trait(\"Invariant\", \"SAMPLE-1\")] public void A() { }", true)]
    [InlineData("[Trait(\"Invariant\", \"SAMPLE-1\")] [Theory] public void A(int b) { }", true)]
    [InlineData("[Fact, Trait(\"Invariant\", \"SAMPLE-2\"), Trait(\"Invariant\", \"SAMPLE-1\")] void A() { }", true)]
    [InlineData("[Fact] public void A() { }", false)]
    [InlineData("[Fact] [Trait(\"Invariant\", \"SAMPLE-11\")] public void A() { }", false)]
    [InlineData("[Fact] [Trait(\"Fault\", \"SAMPLE-1\")] public void A() { }", false)]
    [InlineData("[Trait(\"Invariant\", \"SAMPLE-1\")] public void A() { }", false)]
    [InlineData("// [Trait(\"Invariant\", \"SAMPLE-1\")]\n[Fact] public void A() { }", false)]
    public void An_invariant_that_no_test_names_is_found(string member, bool isProven)
    {
        SourceFile[] files =
        [
            new("src/A.cs", "// SAMPLE-1  What holds.\nclass A;"),
            new("tests/ATests.cs", $"class ATests {{ {member} }}"),
        ];
        string[] findings = isProven ? [] : ["src/A.cs: SAMPLE-1 is named by no test"];
        Assert.Equal(findings, Unproven(files));
    }

    [Theory]
    [InlineData("[Fact] public void B() { }", true)]
    [InlineData("public void B() { }", false)]
    public void An_invariant_that_a_class_names_is_proven_if_the_class_has_a_test(string member, bool isProven)
    {
        SourceFile[] files =
        [
            new("src/A.cs", "// SAMPLE-1  What holds.\nclass A;"),
            new("tests/ATests.cs", $"[Trait(\"Invariant\", \"SAMPLE-1\")] class ATests {{ {member} }}"),
        ];
        Assert.Equal(isProven, !Unproven(files).Any());
    }

    [Theory]
    [InlineData("SAMPLE-1", true)]
    [InlineData("SAMPLE-2", false)]
    [InlineData("OTHER-1", false)]
    [InlineData("", false)]
    public void A_test_that_names_an_undefined_invariant_is_found(string id, bool isDefined)
    {
        SourceFile[] files =
        [
            new("src/A.cs", "// SAMPLE-1  What holds.\nclass A;"),
            new("tests/ATests.cs", $"class ATests {{ [Fact] [Trait(\"Invariant\", \"{id}\")] public void A() {{ }} }}"),
        ];
        string[] findings = isDefined ? [] : [$"tests/ATests.cs: a test names {id}, which is defined nowhere"];
        Assert.Equal(findings, FindUndefined([.. FindDefinitions(files)], [.. FindProofs(files)]));
    }

    [Theory]
    [InlineData("// SAMPLE-1  What holds.\nclass A;", true)]
    [InlineData("/// <summary>\n///   SAMPLE-1  What holds.\n/// </summary>\nclass A;", true)]
    [InlineData("// What else.\nclass A;\n// SAMPLE-1  What holds.", false)]
    [InlineData("class A\n{\n    // SAMPLE-1  What holds.\n}", false)]
    public void An_invariant_that_is_defined_behind_a_type_is_found(string text, bool isAtTheTop)
    {
        SourceFile[] files = [new("src/A.cs", text)];
        Assert.Equal(isAtTheTop, !FindMisplaced(files, [.. FindDefinitions(files)]).Any());
    }

    private static IEnumerable<string> Unproven(SourceFile[] files) =>
        FindUnproven([.. FindDefinitions(files)], [.. FindProofs(files)]);

    private static IEnumerable<(string Id, string Path, int Line)> FindDefinitions(IEnumerable<SourceFile> files) =>
        from file in files
        where file.IsIn("src/")
        from line in file.Lines.Index()
        let definition = Definition().Match(line.Item)
        where definition.Success
        select (definition.Groups["id"].Value, file.Path, line.Index);

    private static IEnumerable<(string Id, string Path)> FindProofs(IEnumerable<SourceFile> files) =>
        from file in files
        where file.IsIn("tests/") && file.Mentions(TraitName)
        from attribute in file.Syntax.DescendantNodes().OfType<AttributeSyntax>()
        where attribute.Name.ToString() == "Trait"
        let arguments = attribute.ArgumentList!.Arguments
        where arguments.Count == 2 && arguments[0].ToString() == TraitName && IsOfTest(attribute.Parent!.Parent!)
        select (arguments[1].ToString().Trim('"'), file.Path);

    private static IEnumerable<string> FindMisplaced(
        IReadOnlyList<SourceFile> files, IReadOnlyList<(string Id, string Path, int Line)> definitions) =>
        from definition in definitions
        join file in files on definition.Path equals file.Path
        let type = file.Syntax.DescendantNodes().OfType<BaseTypeDeclarationSyntax>().FirstOrDefault()
        where type is not null && type.GetLocation().GetLineSpan().StartLinePosition.Line <= definition.Line
        select $"{definition.Path}:{definition.Line + 1}: {definition.Id} stands behind the first type of its file";

    private static IEnumerable<string> FindUnproven(
        IReadOnlyList<(string Id, string Path, int Line)> definitions, IReadOnlyList<(string Id, string Path)> proofs)
    {
        HashSet<string> proven = [.. proofs.Select(each => each.Id)];
        return
            from definition in definitions
            where !proven.Contains(definition.Id)
            select $"{definition.Path}: {definition.Id} is named by no test";
    }

    private static IEnumerable<string> FindUndefined(
        IReadOnlyList<(string Id, string Path, int Line)> definitions, IReadOnlyList<(string Id, string Path)> proofs)
    {
        HashSet<string> defined = [.. definitions.Select(each => each.Id)];
        return
            from proof in proofs
            where !defined.Contains(proof.Id)
            select $"{proof.Path}: a test names {proof.Id}, which is defined nowhere";
    }

    /// <summary>True for a method that is a test, and for a class that has one.</summary>
    private static bool IsOfTest(SyntaxNode marked) => marked switch
    {
        MethodDeclarationSyntax method => IsTest(method),
        ClassDeclarationSyntax type => type.Members.OfType<MethodDeclarationSyntax>().Any(IsTest),
        _ => false,
    };

    private static bool IsTest(MethodDeclarationSyntax method) =>
        method.AttributeLists.SelectMany(list => list.Attributes)
            .Any(each => each.Name.ToString() is "Fact" or "Theory");

    [GeneratedRegex(@"^\s*///? +(?<id>[A-Z][A-Z0-9]*-\d+)  +\S", RegexOptions.ExplicitCapture)]
    private static partial Regex Definition();

    [GeneratedRegex(@"\b(?<family>[A-Z][A-Z0-9]*)-\d+\b", RegexOptions.ExplicitCapture)]
    private static partial Regex Mention();
}
