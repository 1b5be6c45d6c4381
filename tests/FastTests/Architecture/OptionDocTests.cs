using System.Text.RegularExpressions;

namespace FastTests.Architecture;

/// <summary>
/// <c>docs/http/options.md</c> has a table for each option with a fixed set of values that the official Node client
/// declares and that is sent or answered here, and a line for each value. A slow test holds the list against the
/// client.
/// </summary>
public sealed partial class OptionDocTests
{
    [Fact]
    [Trait("Fault", "E35")]
    public void Each_value_of_each_option_has_a_line_in_docs()
    {
        Dictionary<string, string> declared = File
            .ReadLines(Path.Combine(SourceTree.Root, "tests", "SlowTests", "NodeClient", "options.txt"))
            .Where(line => line.Length > 0 && line[0] != '#')
            .Select(line => line.Split(' '))
            .Where(option => option[1] is "compared" or "answered")
            .ToDictionary(option => option[0], option => string.Join(' ', option[2..].Order(StringComparer.Ordinal)));
        string page = File.ReadAllText(Path.Combine(SourceTree.Root, "docs", "http", "options.md"));
        Dictionary<string, string> described = page.Split("\n### ").Skip(1).ToDictionary(
            section => OptionName().Match(section).Value,
            section => string.Join(
                ' ', Row().Matches(section).Select(row => row.Groups[1].Value).Order(StringComparer.Ordinal)));
        Assert.NotEmpty(declared);
        Assert.Equal(
            declared.OrderBy(option => option.Key, StringComparer.Ordinal),
            described.OrderBy(option => option.Key, StringComparer.Ordinal));
    }

    [GeneratedRegex("^[A-Za-z]+")]
    private static partial Regex OptionName();

    [GeneratedRegex(@"^\| `([^`]+)` \| \S", RegexOptions.Multiline)]
    private static partial Regex Row();
}
