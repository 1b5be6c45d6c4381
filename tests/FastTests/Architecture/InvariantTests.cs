using System.Text.RegularExpressions;

namespace FastTests.Architecture;

/// <summary>
/// Invariants have names, such as MERGE-3, which a comment at the top of one file defines: two spaces are behind the
/// name there. Elsewhere a name refers to that.
/// </summary>
public sealed partial class InvariantTests
{
    private static readonly ILookup<string, string> Definitions = (
        from file in SourceTree.Files
        where file.IsIn("src/")
        from line in file.Lines
        let definition = Definition().Match(line)
        where definition.Success
        select (Id: definition.Groups["id"].Value, file.Path)).ToLookup(each => each.Id, each => each.Path);

    [Fact]
    public void The_name_of_an_invariant_means_one_thing()
    {
        Assert.InRange(Definitions.Count, 200, 2_000);
        Assert.Empty(Definitions.Where(id => id.Count() > 1).Select(id => $"{id.Key}: {string.Join(", ", id)}"));
    }

    [Fact]
    public void What_refers_to_an_invariant_names_one_that_there_is()
    {
        HashSet<string> families = [.. Definitions.Select(id => id.Key.Split('-')[0])];
        Assert.Empty(
            from file in SourceTree.Files
            from line in file.Lines
            from Match mention in Mention().Matches(line)
            where families.Contains(mention.Groups["family"].Value) && !Definitions.Contains(mention.Value)
            select $"{file.Path}: {mention.Value} is defined nowhere");
    }

    [GeneratedRegex(@"^\s*///? +(?<id>[A-Z][A-Z0-9]*-\d+)  +\S", RegexOptions.ExplicitCapture)]
    private static partial Regex Definition();

    [GeneratedRegex(@"\b(?<family>[A-Z][A-Z0-9]*)-\d+\b", RegexOptions.ExplicitCapture)]
    private static partial Regex Mention();
}
