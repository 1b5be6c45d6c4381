using System.Text.RegularExpressions;

namespace FastTests.Architecture;

/// <summary>The version of all packages stands in one place, and the changelog knows it.</summary>
public sealed partial class VersionTests
{
    private const string Place = "Directory.Build.props";

    [Fact]
    public void No_project_has_a_version_of_its_own()
    {
        string[] others = [.. SourceTree.Find("*.csproj").Concat(SourceTree.Find("*.props"))
            .Where(path => VersionProperty().IsMatch(File.ReadAllText(Path.Combine(SourceTree.Root, path))))];
        Assert.True(others.Length == 0, $"The version belongs into {Place} alone: {string.Join(", ", others)}");
    }

    [Fact]
    public void The_version_is_semantic_and_in_the_changelog()
    {
        Match version = Assert.Single(
            VersionProperty().Matches(File.ReadAllText(Path.Combine(SourceTree.Root, Place))));
        string text = version.Groups["version"].Value;
        Assert.Matches(@"^\d+\.\d+\.\d+$", text);
        string changes = File.ReadAllText(Path.Combine(SourceTree.Root, "CHANGELOG.md"));
        Assert.True(
            Regex.IsMatch(changes, $@"(?<![\d.]){Regex.Escape(text)}(?![\d.]*\d)"),
            $"CHANGELOG.md does not name the version {text} of {Place}.");
    }

    [GeneratedRegex(@"<(?:Version|VersionPrefix|PackageVersion|AssemblyVersion|FileVersion)>(?<version>[^<]*)<")]
    private static partial Regex VersionProperty();
}
