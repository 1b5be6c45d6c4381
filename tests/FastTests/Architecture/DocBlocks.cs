using System.Text.RegularExpressions;

namespace FastTests.Architecture;

/// <summary>The examples of a page: blocks of code, which are to be compared with code that is compiled and run, or are
/// run as they stand.</summary>
internal static partial class DocBlocks
{
    /// <summary>The blocks of a language, in their order.</summary>
    internal static string[] Of(string page, string language) =>
    [
        .. Block().Matches(File.ReadAllText(Path.Combine(SourceTree.Root, page)))
            .Where(block => block.Groups["language"].Value == language).Select(block => block.Groups["code"].Value),
    ];

    /// <summary>The text without what only lays it out.</summary>
    internal static string Squeeze(string text) => Spaces().Replace(text, " ").Trim();

    [GeneratedRegex("```(?<language>[a-z]+)\\n(?<code>.*?)```", RegexOptions.Singleline)]
    private static partial Regex Block();

    [GeneratedRegex("\\s+")]
    private static partial Regex Spaces();
}
