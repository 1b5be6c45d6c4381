using SlowTests.Support;

namespace SlowTests.Http;

/// <summary>
/// What <c>docs/http</c> shows is what happens: each page's commands run, in order, against a fresh server.
/// </summary>
public sealed class HttpExamplesTests
{
    /// <summary>The pages.</summary>
    public static TheoryData<string> Pages() =>
        [.. Directory.EnumerateFiles(Folder, "*.md").Select(path => Path.GetFileName(path)).Where(
            name => name != "README.md").Order(StringComparer.Ordinal)];

    private static string Folder => Path.Combine(NodeProgram.Root, "docs", "http");

    [Theory]
    [MemberData(nameof(Pages))]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "server")]
    public void Every_curl_command_of_a_page_succeeds(string page) =>
        CurlCommands.RequireAllSucceed(File.ReadAllText(Path.Combine(Folder, page)));

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "server")]
    public void Every_curl_command_of_the_guide_to_time_series_succeeds() => CurlCommands.RequireAllSucceed(
        File.ReadAllText(Path.Combine(NodeProgram.Root, "docs", "timeseries.md")));
}
