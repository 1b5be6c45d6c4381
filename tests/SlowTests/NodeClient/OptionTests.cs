using SlowTests.Support;

namespace SlowTests.NodeClient;

/// <summary>
/// Every option with a fixed set of values that the type declarations of the official Node client name is in
/// <c>options.txt</c>; of those that this server has, our client and the official one send the same for each value
/// (<c>options.mjs</c>, <see cref="OptionScenarios"/>), and are answered the same.
/// </summary>
public sealed class OptionTests(OptionFixture fixture) : IClassFixture<OptionFixture>
{
    public static TheoryData<string> Compared() =>
        [.. OptionFixture.Options.Where(option => option[1] == "compared").Select(option => option[0])];

    [Theory]
    [MemberData(nameof(Compared))]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "node")]
    public async Task Our_client_and_the_Node_client_get_the_same_answer_for_each_value_of_an_option(string option)
    {
        List<string> different = [];
        foreach (string value in OptionFixture.Options.Single(each => each[0] == option)[2..])
        {
            if (await fixture.OutcomeOfAsync(option, value) is { } difference)
            {
                different.Add($"{value}: {difference}");
            }
        }

        Assert.True(different.Count == 0, string.Join("\n\n", different));
    }

    [Fact]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "node")]
    public void Every_option_that_the_Node_client_declares_is_in_the_list()
    {
        SortedSet<string> declared = [];
        (int code, string errors) = NodeProgram.Run(
            NodeClientFixture.Folder, ["options.mjs", "declared"], TimeSpan.FromMinutes(5),
            line => declared.Add(line));
        Assert.True(code == 0, errors);
        Assert.NotEmpty(declared);
        SortedSet<string> listed =
            [.. OptionFixture.Options.Select(option => $"{option[0]} {string.Join(' ', option[2..])}")];
        Assert.Equal(declared, listed);
    }
}
