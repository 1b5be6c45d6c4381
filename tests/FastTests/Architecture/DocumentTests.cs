using System.Text.RegularExpressions;

namespace FastTests.Architecture;

/// <summary>What the texts promise: links that lead somewhere, and both build scripts with the same verbs.</summary>
public sealed partial class DocumentTests
{
    private const int ProseLengthMax = 120;
    private const int ParagraphLinesMax = 6;

    private static readonly string[] GeneratedPages =
        ["THIRD-PARTY-NOTICES.md", Path.Combine("docs", "security-rights.md")];

    [Fact]
    public void Links_between_documents_lead_to_files()
    {
        List<string> errors = [];
        string docs = Path.Combine(SourceTree.Root, "docs");
        foreach (string path in Directory.EnumerateFiles(SourceTree.Root, "*.md")
            .Concat(Directory.EnumerateFiles(docs, "*.md", SearchOption.AllDirectories)))
        {
            foreach (Match link in Link().Matches(File.ReadAllText(path)))
            {
                string target = link.Groups["target"].Value.Split('#')[0];
                if (target.Length > 0 && !target.Contains("://", StringComparison.Ordinal)
                    && !Path.Exists(Path.Combine(Path.GetDirectoryName(path)!, target)))
                {
                    errors.Add($"{Path.GetRelativePath(SourceTree.Root, path)}: {target}");
                }
            }
        }

        Assert.Empty(errors);
    }

    [Fact]
    public void Files_that_the_architecture_names_are_there()
    {
        HashSet<string> files = [.. SourceTree.Files.Select(file => Path.GetFileName(file.Path))];
        string text = File.ReadAllText(Path.Combine(SourceTree.Root, "docs", "ARCHITECTURE.md"));
        string[] named = [.. FileName().Matches(text).Select(match => match.Groups[1].Value).Distinct()];
        Assert.NotEmpty(named);
        Assert.Empty(named.Except(files));
    }

    /// <summary>Tables, headings, code and what a tool has generated are as long as they must be.</summary>
    [Fact]
    public void Prose_wraps_at_120_characters_and_no_paragraph_is_over_six_lines()
    {
        List<string> errors = [];
        foreach (string path in Directory.EnumerateFiles(SourceTree.Root, "*.md")
            .Concat(Directory.EnumerateFiles(
                Path.Combine(SourceTree.Root, "docs"), "*.md", SearchOption.AllDirectories)))
        {
            string name = Path.GetRelativePath(SourceTree.Root, path);
            if (!name.StartsWith(Path.Combine("docs", "performance"), StringComparison.Ordinal)
                && !GeneratedPages.Contains(name))
            {
                AddBadProse(errors, name, File.ReadAllLines(path));
            }
        }

        Assert.Empty(errors);
    }

    private static void AddBadProse(List<string> errors, string name, string[] lines)
    {
        bool isCode = false;
        int paragraph = 0;
        for (int i = 0; i < lines.Length; i++)
        {
            string text = lines[i].TrimStart(' ', '>');
            bool isFence = text.StartsWith("```", StringComparison.Ordinal);
            isCode ^= isFence;
            bool isProse = !isCode && !isFence && text.Length > 0 && !NoProse().IsMatch(text);
            paragraph = !isProse ? 0 : Item().IsMatch(text) ? 1 : paragraph + 1;
            if (paragraph == ParagraphLinesMax + 1)
            {
                errors.Add($"{name}:{i + 1}: a paragraph of more than {ParagraphLinesMax} lines");
            }

            if (isProse && lines[i].Length > ProseLengthMax && text.Contains(' ', StringComparison.Ordinal))
            {
                errors.Add($"{name}:{i + 1}: {lines[i].Length} characters");
            }
        }
    }

    [Fact]
    public void Both_build_scripts_have_the_same_verbs()
    {
        string[] expected =
            ["bench", "build", "ci", "coverage", "format", "pack", "run", "slow", "studio", "test", "tidy"];
        string shell = File.ReadAllText(Path.Combine(SourceTree.Root, "build.sh"));
        string power = File.ReadAllText(Path.Combine(SourceTree.Root, "build.ps1"));
        Assert.Equal(expected, ShellVerb().Matches(shell).Select(match => match.Groups[1].Value).Order());
        Assert.Equal(expected, PowerVerb().Matches(power).Select(match => match.Groups[1].Value).Order());
    }

    [GeneratedRegex(@"`([A-Za-z]+\.cs)`")]
    private static partial Regex FileName();

    [GeneratedRegex(@"^([-*]|\d+\.) ")]
    private static partial Regex Item();

    [GeneratedRegex(@"^([|#<]|!\[|\[[^\]]+\]:|---)")]
    private static partial Regex NoProse();

    [GeneratedRegex(@"\]\((?<target>[^)\s]+)\)")]
    private static partial Regex Link();

    [GeneratedRegex(@"^    ([a-z]+)\) +(?:dotnet|run|pack|npm) ", RegexOptions.Multiline)]
    private static partial Regex ShellVerb();

    [GeneratedRegex(@"^    ""([a-z]+)"" +\{ (?:dotnet|Start-Server|New-Packages|npm) ", RegexOptions.Multiline)]
    private static partial Regex PowerVerb();
}
