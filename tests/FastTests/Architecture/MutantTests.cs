using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Shared.Mutants;

namespace FastTests.Architecture;

/// <summary>
/// The mutants that the slow tests compile and catch are texts, which must follow the sources: if a line changes that a
/// mutant changes too, these tests fail first.
/// </summary>
public sealed class MutantTests
{
    public static TheoryData<string> Names => [.. Mutant.All.Keys];

    [Fact]
    public void There_are_mutants_and_each_has_a_check_that_must_catch_it()
    {
        Assert.InRange(Mutant.All.Count, 49, 500);
        Assert.All(Mutant.All.Values, mutant => Assert.NotEmpty(mutant.Checks));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Each_edit_of_a_mutant_finds_its_place_in_the_source_once_and_the_result_parses(string name)
    {
        Mutant mutant = Mutant.All[name];
        Assert.All(mutant.Edits, edit => Assert.StartsWith(mutant.Project + "/", edit.File, StringComparison.Ordinal));
        foreach (IGrouping<string, SourceEdit> file in mutant.Edits.GroupBy(edit => edit.File))
        {
            string source = File.ReadAllText(Path.Combine(SourceTree.Root, file.Key));
            string mutated = file.Aggregate(source, (text, edit) => edit.Apply(text));
            Assert.NotEqual(source, mutated);
            Assert.DoesNotContain(
                CSharpSyntaxTree.ParseText(mutated, new CSharpParseOptions(LanguageVersion.Preview)).GetDiagnostics(),
                one => one.Severity == DiagnosticSeverity.Error);
        }
    }
}
