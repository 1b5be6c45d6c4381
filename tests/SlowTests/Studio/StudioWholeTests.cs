using System.Text.Json;
using SlowTests.Support;

namespace SlowTests.Studio;

/// <summary>What CI does with a share of its data, done with all of it.</summary>
public sealed class StudioWholeTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(9.5);

    [Fact]
    [Trait(Category.Shard, "studio-whole")]
    public void No_text_of_the_data_runs_wherever_it_is_shown()
    {
        Assert.SkipWhen(StudioFixture.Obstacle is not null, StudioFixture.Obstacle ?? "");
        List<string?> errors = [];
        using ServerProcess server = ServerProcess.Start();
        string[] arguments = ["runner.mjs", server.Url, StudioFixture.Chromium, "canary", "whole"];
        (int code, string printed) = NodeProgram.Run(StudioFixture.Folder, arguments, Limit, line =>
        {
            if (line.StartsWith('{'))
            {
                using JsonDocument result = JsonDocument.Parse(line);
                errors.Add(result.RootElement.GetProperty("error").GetString());
            }
        });
        Assert.True(code == 0, printed);
        Assert.Equal(2, errors.Count);
        Assert.All(errors, Assert.Null);
    }
}
