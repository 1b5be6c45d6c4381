namespace FastTests.Support;

/// <summary>
/// How long a test waits for what other threads do. A machine may be as busy as it likes: nothing here is an assertion
/// on how fast it is. A test that wants to know what something costs uses <c>Cost</c>.
/// </summary>
internal static class Deadline
{
    /// <summary>What only a hang does not keep, in tests as in the servers and clients that they start.</summary>
    internal static readonly TimeSpan Hang = TimeSpan.FromMinutes(5);

    /// <summary>A while in which what must not happen may happen. On a slow machine it finds less, and is not red.
    /// </summary>
    internal static readonly TimeSpan Grace = TimeSpan.FromMilliseconds(50);

    private const string Never = "It never happened.";

    private static readonly TimeSpan TimerStep = TimeSpan.FromMilliseconds(20);

    private static readonly TimeSpan PollInterval = TimeSpan.FromMilliseconds(2);

    /// <summary>Blocks until the condition holds.</summary>
    internal static void Until(Func<bool> condition, string otherwise = Never) =>
        Assert.True(SpinWait.SpinUntil(condition, Hang), otherwise);

    /// <summary>Waits until the condition holds.</summary>
    internal static Task UntilAsync(Func<bool> condition, string otherwise = Never) =>
        UntilAsync(() => Task.FromResult(condition()), otherwise);

    /// <summary>Waits until the condition holds.</summary>
    internal static async Task UntilAsync(Func<Task<bool>> condition, string otherwise = Never)
    {
        using CancellationTokenSource over = new(Hang);
        while (!await condition())
        {
            Assert.False(over.IsCancellationRequested, otherwise);
            await Task.Delay(PollInterval, CancellationToken.None);
        }
    }

    /// <summary>A token that is cancelled by a hang.</summary>
    internal static CancellationTokenSource NewToken() => new(Hang);

    /// <summary>Lets <see cref="Grace"/> pass.</summary>
    internal static Task GraceAsync() => Task.Delay(Grace);

    /// <summary>Lets <see cref="Grace"/> pass on this thread.</summary>
    internal static void LetGracePass() => Thread.Sleep(Grace);

    /// <summary>A moment by chance, so that threads meet at other places in each round.</summary>
    internal static Task ShakeAsync(Random random, int millisecondsMax) =>
        Task.Delay(random.Next(millisecondsMax), CancellationToken.None);

    /// <summary>A moment by chance, on this thread.</summary>
    internal static void Shake(Random random, int millisecondsMax) => Thread.Sleep(random.Next(millisecondsMax));

    /// <summary>
    /// Asserts that a wait lasts at least as long as requested: the busiest machine only makes it longer.
    /// </summary>
    internal static async Task<T> AssertWaitsAsync<T>(TimeSpan atLeast, Func<Task<T>> wait)
    {
        long began = TimeProvider.System.GetTimestamp();
        T result = await wait().WaitAsync(Hang);

        // Timers count in milliseconds of a coarser clock.
        Assert.True(TimeProvider.System.GetElapsedTime(began) > atLeast - TimerStep, "It did not wait.");
        return result;
    }

    /// <summary>A time of the system's clock that is later than all that was done before, and earlier than all that is
    /// done after it.</summary>
    internal static async Task<DateTime> TimeBetweenAsync()
    {
        await Task.Delay(PollInterval);
        DateTime between = DateTime.UtcNow;
        await Task.Delay(PollInterval);
        return between;
    }
}
