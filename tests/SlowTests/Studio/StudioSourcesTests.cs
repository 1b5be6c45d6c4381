using SlowTests.Support;

namespace SlowTests.Studio;

/// <summary>The sources of the Studio: rules, types, unit tests, and that they build what is committed.</summary>
public sealed class StudioSourcesTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(8);

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "studio")]
    public void The_sources_are_tidy_pass_their_tests_and_build_what_is_committed()
    {
        List<string> printed = [];
        (int code, string errors) = NodeProgram.Run(
            Path.Combine(NodeProgram.Root, "src", "Studio"), ["build/tidy.mjs"], Limit, printed.Add);
        printed.Add(errors);
        Assert.True(code == 0, string.Join(Environment.NewLine, printed));
    }
}
