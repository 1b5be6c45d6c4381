using SlowTests.Support;

namespace SlowTests.Readme;

/// <summary>What the README shows is what happens: its curl commands run, in order, against the real server.</summary>
public sealed class ReadmeTests
{
    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "server")]
    public void Every_curl_command_of_the_README_succeeds() =>
        CurlCommands.RequireAllSucceed(File.ReadAllText(Path.Combine(NodeProgram.Root, "README.md")));
}
