using Raven.Storage.Platform;

namespace FastTests.Support;

/// <summary>
/// What something costs, as a multiple of something else in the same run: the speed and the load of the machine do not
/// matter. Each of the two is as good as its best round.
/// </summary>
internal static class Cost
{
    private const int RoundsMin = 2;

    /// <summary>
    /// More rounds follow for this long if one was too slow: other load on the machine comes and goes.
    /// </summary>
    private static readonly TimeSpan Patience = Deadline.Hang / 4;

    /// <summary>
    /// The processor time of this thread, which stands still while others have the core; the system clock if there
    /// is none.
    /// </summary>
    private static readonly TimeProvider Work =
        ThreadCpuClock.TryCreate(out ThreadCpuClock? clock) ? clock : TimeProvider.System;

    /// <summary>Asserts that this thread works at most so many times as long for the one as for the other.</summary>
    /// <returns>How many times it was.</returns>
    internal static double AssertWork(double timesMax, Action measured, Action yardstick) =>
        Compare(Work, timesMax, measured, yardstick, yardsticks: 1);

    /// <summary>
    /// Asserts that the one is done after at most so many times as long as the other, by whichever threads and waits.
    /// The other is done that many times in a row, so that both need a stretch of the same length without other load:
    /// beside load, a thousandth of a second without it comes often and a hundredth seldom. For tests that are
    /// <see cref="Alone"/>: what waits for the thread pool waits for the other tests of the process.
    /// </summary>
    /// <returns>How many times it was.</returns>
    internal static double AssertTime(int timesMax, Action measured, Action yardstick) =>
        Compare(TimeProvider.System, timesMax, measured, yardstick, yardsticks: timesMax);

    private static double Compare(
        TimeProvider clock, double timesMax, Action measured, Action yardstick, int yardsticks)
    {
        using CancellationTokenSource over = new(Patience);
        double one = double.MaxValue;
        double other = double.MaxValue;
        for (int round = 0; round < RoundsMin || (one > timesMax * other && !over.IsCancellationRequested); round++)
        {
            other = Math.Min(other, MicrosecondsOf(clock, yardsticks, yardstick) / yardsticks);
            one = Math.Min(one, MicrosecondsOf(clock, 1, measured));
        }

        Assert.True(
            one <= timesMax * other,
            $"{one:F1} us are {one / other:F1} times the {other:F1} us that it is compared with, not {timesMax}.");
        return one / other;
    }

    private static double MicrosecondsOf(TimeProvider clock, int count, Action action)
    {
        long began = clock.GetTimestamp();
        for (int done = 0; done < count; done++)
        {
            action();
        }

        return (clock.GetTimestamp() - began) * 1e6 / clock.TimestampFrequency;
    }
}
