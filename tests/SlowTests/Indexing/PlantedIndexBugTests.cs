using System.Diagnostics;
using FastTests.Queries;
using Raven.Search;

namespace SlowTests.Indexing;

/// <summary>
/// Mistakes that were planted in the indexes, one at a time: each must be found by power cuts while indexes follow the
/// documents (T8). A tester that was never seen to fail proves nothing.
/// </summary>
[Trait(Category.Shard, "storage-bugs")]
public sealed class PlantedIndexBugTests
{
    public static TheoryData<string> Bugs => [.. Enum.GetNames<PlantedIndexBug>().Where(name => name != "None")];

    /// <summary>An index that goes on behind what it has lost answers otherwise than the documents do.</summary>
    [Theory]
    [MemberData(nameof(Bugs))]
    public void Every_planted_mistake_of_an_index_is_found(string bug)
    {
        long start = Stopwatch.GetTimestamp();
        Exception found = Assert.ThrowsAny<Exception>(() => SearchFor(Enum.Parse<PlantedIndexBug>(bug)));
        TimeSpan elapsed = Stopwatch.GetElapsedTime(start);
        Assert.Matches(@"^seed \d+, cut behind moment \d+.*: .*( gives | instead of )", found.Message);
        Assert.InRange(elapsed, TimeSpan.Zero, TimeSpan.FromSeconds(60));
    }

    [Fact]
    public void Where_nothing_is_planted_in_an_index_nothing_is_found() => SearchFor(PlantedIndexBug.None);

    private static void SearchFor(PlantedIndexBug bug)
    {
        for (int seed = 1_000; seed < 1_020; seed++)
        {
            IndexCrashRun run = new(seed, isLazy: false) { Bug = bug };
            run.Run(steps: 100, cuts: 55);
        }
    }
}
