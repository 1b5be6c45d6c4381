namespace FastTests.Documents.Series;

/// <summary>Roll-ups are what a naive model makes of the points, after any changes, set clocks and restarts.</summary>
public sealed class RollupHistoryTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [Trait("Invariant", "RUP-1")]
    [Trait("Invariant", "RUP-2")]
    [Trait("Invariant", "RUP-3")]
    [Trait("Invariant", "RUP-4")]
    [Trait("Invariant", "RUP-5")]
    public async Task Any_changes_leave_what_the_model_says(int part)
    {
        for (int seed = part * 20; seed < (part + 1) * 20; seed++)
        {
            await RollupHistory.CheckAsync(seed, steps: 16);
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [Trait("Invariant", "RUP-5")]
    [Trait("Invariant", "BAT-1")]
    public Task After_a_power_cut_roll_ups_go_on_to_what_the_model_says(int seed) =>
        RollupCrashHistory.CheckAsync(seed, steps: 40, cuts: 30);
}
