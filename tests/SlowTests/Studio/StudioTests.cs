using System.Text.RegularExpressions;

namespace SlowTests.Studio;

/// <summary>
/// The Studio in a real browser, as a person uses it. The scenarios are in <c>scenarios</c> and <c>secured</c>; here
/// each is one test. On every page: no error on the console, no report of the content security policy, no foreign
/// request.
/// </summary>
public sealed partial class StudioTests(StudioFixture fixture) : IClassFixture<StudioFixture>
{
    private static bool IsCi => Environment.GetEnvironmentVariable("CI") == "true";

    /// <summary>The scenarios, read off their files so that each is a test with a name.</summary>
    public static TheoryData<string> Scenarios()
    {
        TheoryData<string> scenarios = [];
        foreach (string folder in new[] { "scenarios", "secured" })
        {
            string[] files = Directory.GetFiles(Path.Combine(StudioFixture.Folder, folder), "*.mjs");
            foreach (string path in files.Order(StringComparer.Ordinal))
            {
                foreach (Match match in Declaration().Matches(File.ReadAllText(path)))
                {
                    scenarios.Add($"{Path.GetFileName(path)}: {match.Groups["name"].Value}");
                }
            }
        }

        return scenarios;
    }

    [Theory]
    [MemberData(nameof(Scenarios))]
    [Trait(Category.Run, Category.Ci)]
    [Trait(Category.Shard, "studio")]
    public void A_person_does_it_in_a_browser(string scenario)
    {
        Assert.SkipWhen(StudioFixture.Obstacle is not null && !IsCi, StudioFixture.Obstacle ?? "");
        Assert.True(StudioFixture.Obstacle is null, StudioFixture.Obstacle);
        string? outcome = fixture.OutcomeOf(scenario);
        Assert.True(outcome is null, outcome);
    }

    [GeneratedRegex("""^scenario\("(?<name>[^"]+)",""", RegexOptions.Multiline)]
    internal static partial Regex Declaration();
}
