namespace FastTests.Documents.History;

/// <summary>
/// What was acknowledged before the power cut holds after it, in one order with what was under way; and the checker
/// detects violations.
/// </summary>
public sealed class RegisterHistoryTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public async Task Histories_that_end_with_a_power_cut_are_linearizable(int seed)
    {
        using RegisterHistory history = new(seed);
        Assert.Empty(await history.RunAsync(clients: 16, eventsEach: 40, cuts: 6));
    }

    [Fact]
    public void The_checker_allows_any_order_of_overlapping_writes_and_any_outcome_of_a_write_without_an_answer()
    {
        RegisterEvent[] history = [Write(1, 9, 1), Write(2, 8, 2), Read(10, 11, 1), Write(3, long.MaxValue, 3)];
        Assert.True(RegisterChecker.IsLinearizable(history));
        Assert.True(RegisterChecker.IsLinearizable([.. history, Read(12, 13, 3), Read(14, 15, 3)]));
        Assert.False(RegisterChecker.IsLinearizable([.. history, Read(12, 13, 3), Read(14, 15, 1)]));
        Assert.False(RegisterChecker.IsLinearizable([.. history, Read(12, 13, 2)]));
    }

    [Fact]
    public void The_checker_finds_a_lost_write_a_stale_read_and_a_lost_update()
    {
        Assert.False(RegisterChecker.IsLinearizable([Write(1, 2, 1), Read(3, 4, 0)]));
        Assert.False(RegisterChecker.IsLinearizable([Write(1, 2, 1), Write(3, 4, 2), Read(5, 6, 1)]));
        Assert.False(RegisterChecker.IsLinearizable([Write(1, 2, 1), Set(3, 6, 1, 2), Set(4, 7, 1, 3)]));
        Assert.True(RegisterChecker.IsLinearizable(
            [Write(1, 2, 1), Set(3, 6, 1, 2), Set(4, 7, 1, 3) with { IsRefused = true }, Read(8, 9, 2)]));
        Assert.False(RegisterChecker.IsLinearizable(
            [Write(1, 2, 1), Set(3, 4, 1, 2) with { IsRefused = true }]));
    }

    private static RegisterEvent Write(long began, long ended, long value) =>
        new(began, ended, RegisterEventKind.Write, value);

    private static RegisterEvent Read(long began, long ended, long value) =>
        new(began, ended, RegisterEventKind.Read, value);

    private static RegisterEvent Set(long began, long ended, long expected, long value) =>
        new(began, ended, RegisterEventKind.CompareAndSet, value, expected);
}
