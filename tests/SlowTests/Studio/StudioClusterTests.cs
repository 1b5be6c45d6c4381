using System.Text.Json;
using SlowTests.Cluster;
using SlowTests.Support;

namespace SlowTests.Studio;

/// <summary>The Studio's pages of a cluster on three real servers, as a person uses them.</summary>
public sealed class StudioClusterTests
{
    private static readonly TimeSpan Limit = TimeSpan.FromMinutes(8);

    [Fact]
    [Trait(Category.Shard, "studio-cluster")]
    public async Task A_person_looks_after_a_cluster_of_three()
    {
        Assert.SkipWhen(StudioFixture.Obstacle is not null, StudioFixture.Obstacle ?? "");
        await using ClusterUpProcess up = await ClusterUpProcess.StartAsync();
        List<string> errors = [];
        int count = 0;
        (int code, string printed) = NodeProgram.Run(
            StudioFixture.Folder, ["runner.mjs", up.UrlOf(8080), StudioFixture.Chromium, "--folder=three"], Limit,
            line =>
            {
                if (line.StartsWith('{'))
                {
                    using JsonDocument result = JsonDocument.Parse(line);
                    count++;
                    if (result.RootElement.GetProperty("error").GetString() is { } error)
                    {
                        errors.Add(error);
                    }
                }
            });
        Assert.True(code == 0, printed);
        Assert.True(errors.Count == 0, string.Join(Environment.NewLine, errors) + Environment.NewLine + up.Printed);
        Assert.Equal(1, count);
    }
}
