using FastTests.Support;
using Raven.Documents.Patching;

namespace FastTests.Server;

/// <summary>The memory of large texts at which scripts look: who waits, who does not, and that no one waits for ever.
/// </summary>
public sealed class ScriptTextBudgetTests
{
    private const long Megabyte = 1 << 20;

    [Fact]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "TEXTS-2")]
    public async Task Scripts_that_wait_for_memory_continue_in_their_order_as_memory_becomes_free()
    {
        var texts = new ScriptTextBudget(100);
        Assert.True(texts.TryTake(60));
        Assert.True(texts.TryTake(40));
        Assert.False(texts.TryTake(1));
        Task first = texts.TakeAsync(50, CancellationToken.None);
        Task second = texts.TakeAsync(10, CancellationToken.None);
        Task third = texts.TakeAsync(60, CancellationToken.None);
        texts.Give(40);

        // There is room for the second, but it came later.
        Assert.Equal((60L, 3), (texts.UsedBytes, texts.WaitingCount));
        Assert.False(texts.TryTake(1));
        texts.Give(20);
        await first.WaitAsync(Deadline.Hang);
        await second.WaitAsync(Deadline.Hang);
        Assert.Equal((100L, 1), (texts.UsedBytes, texts.WaitingCount));
        texts.Give(60);
        await third.WaitAsync(Deadline.Hang);
        texts.Give(100);
        Assert.Equal((0L, 0), (texts.UsedBytes, texts.WaitingCount));
    }

    [Fact]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "TEXTS-2")]
    public async Task A_script_text_larger_than_the_whole_memory_gets_it_alone()
    {
        var texts = new ScriptTextBudget(100);
        Assert.True(texts.TryTake(500));
        Task larger = texts.TakeAsync(700, CancellationToken.None);
        Task small = texts.TakeAsync(1, CancellationToken.None);
        texts.Give(500);
        await larger.WaitAsync(Deadline.Hang);
        Assert.False(small.IsCompleted);
        texts.Give(700);
        await small.WaitAsync(Deadline.Hang);
        Assert.Equal((1L, 0), (texts.UsedBytes, texts.WaitingCount));
    }

    [Fact]
    [Trait("Fault", "C1")]
    public async Task A_waiting_script_that_is_cancelled_lets_those_behind_it_continue()
    {
        var texts = new ScriptTextBudget(100);
        Assert.True(texts.TryTake(90));
        using var gone = new CancellationTokenSource();
        Task first = texts.TakeAsync(50, gone.Token);
        Task second = texts.TakeAsync(10, CancellationToken.None);
        Assert.False(second.IsCompleted);
        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => first);
        await second.WaitAsync(Deadline.Hang);
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => texts.TakeAsync(50, gone.Token));
        Assert.Equal((100L, 0), (texts.UsedBytes, texts.WaitingCount));
    }

    [Fact]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "TEXTS-1")]
    public async Task A_script_that_holds_text_memory_takes_more_without_waiting()
    {
        var texts = new ScriptTextBudget(10 * Megabyte);
        var one = new ScriptTextReservation(texts, waits: true);
        var other = new ScriptTextReservation(texts, waits: true);
        var filter = new ScriptTextReservation(texts, waits: false);
        Assert.True(one.TryTake(6 * Megabyte));
        Assert.False(other.TryTake(6 * Megabyte));
        Assert.True(other.TryTake(Megabyte - 1));
        Assert.True(one.TryTake(6 * Megabyte));
        Assert.True(filter.TryTake(Megabyte));
        Assert.Equal(13 * Megabyte, texts.UsedBytes);
        Task waiting = other.WaitAsync(CancellationToken.None);
        one.GiveBack();
        await waiting.WaitAsync(Deadline.Hang);

        // What was waited for is what it takes then, once.
        Assert.True(other.TryTake(6 * Megabyte));
        Assert.Equal(7 * Megabyte, texts.UsedBytes);
        Assert.True(other.TryTake(6 * Megabyte));
        Assert.Equal(13 * Megabyte, texts.UsedBytes);
        other.GiveBack();
        other.GiveBack();
        filter.GiveBack();
        Assert.Equal(0, texts.UsedBytes);

        // Small ones count as soon as they are large together.
        Assert.True(one.TryTake(Megabyte / 2));
        Assert.True(one.TryTake(Megabyte / 4));
        Assert.Equal(0, texts.UsedBytes);
        Assert.True(one.TryTake(Megabyte / 2));
        Assert.Equal(5 * Megabyte / 4, texts.UsedBytes);
        one.GiveBack();
    }

    [Fact]
    [Trait("Fault", "C1")]
    [Trait("Invariant", "TEXTS-1")]
    public async Task Many_scripts_that_take_text_memory_and_are_cancelled_all_end()
    {
        var texts = new ScriptTextBudget(10 * Megabyte);
        long most = 0;
        await Task.WhenAll(Enumerable.Range(0, 16).Select(seed => Task.Run(async () =>
        {
            var random = new Random(seed);
            for (int i = 0; i < 50; i++)
            {
                var share = new ScriptTextReservation(texts, waits: true);
                using var gone = new CancellationTokenSource();
                try
                {
                    long bytes = random.Next(1, 14) * Megabyte;
                    if (!share.TryTake(bytes))
                    {
                        Task waiting = share.WaitAsync(gone.Token);
                        if (random.Next(4) == 0)
                        {
                            await gone.CancelAsync();
                        }

                        await waiting.WaitAsync(Deadline.Hang, CancellationToken.None);
                        Assert.True(share.TryTake(bytes));
                    }

                    await Task.Yield();
                    Interlocked.Exchange(ref most, Math.Max(Volatile.Read(ref most), texts.UsedBytes));
                }
                catch (OperationCanceledException)
                {
                    Assert.False(share.IsHeld);
                }
                finally
                {
                    share.GiveBack();
                }
            }
        })));
        Assert.Equal((0L, 0), (texts.UsedBytes, texts.WaitingCount));
        Assert.InRange(most, 1, 13 * Megabyte);
    }
}
