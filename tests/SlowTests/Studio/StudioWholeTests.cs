using System.Text.Json;
using SlowTests.Support;

namespace SlowTests.Studio;

/// <summary>What CI does with a share of its data, done with all of it.</summary>
public sealed class StudioWholeTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(9.5);

    [Fact]
    [Trait(Category.Shard, "studio-whole")]
    public void No_text_of_the_data_runs_wherever_it_is_shown() =>
        AllPass(ScenariosOf("scenarios", "canary"), "canary", "whole");

    [Fact]
    [Trait(Category.Shard, "studio-million")]
    public void The_jobs_of_a_person_are_done_on_a_million_documents() =>
        AllPass(ScenariosOf("million", "jobs"), "jobs", "--folder=million");

    /// <summary>How many scenarios a file declares.</summary>
    private static int ScenariosOf(string folder, string file) => StudioTests.Declaration().Count(
        File.ReadAllText(Path.Combine(StudioFixture.Folder, folder, $"{file}.mjs")));

    private static void AllPass(int expected, params string[] arguments)
    {
        Assert.SkipWhen(StudioFixture.Obstacle is not null, StudioFixture.Obstacle ?? "");
        Assert.NotEqual(0, expected);
        int count = 0;
        List<string> errors = [];
        using ServerProcess server = ServerProcess.Start();
        string[] all = ["runner.mjs", server.Url, StudioFixture.Chromium, .. arguments];
        (int code, string printed) = NodeProgram.Run(StudioFixture.Folder, all, Limit, line =>
        {
            if (line.StartsWith('{'))
            {
                using JsonDocument result = JsonDocument.Parse(line);
                JsonElement root = result.RootElement;
                count++;
                if (root.GetProperty("error").GetString() is { } error)
                {
                    errors.Add($"{root.GetProperty("name").GetString()}: {error}");
                }
            }
        });
        Assert.True(code == 0, printed);
        Assert.True(errors.Count == 0, string.Join(Environment.NewLine, errors));
        Assert.Equal(expected, count);
    }
}
