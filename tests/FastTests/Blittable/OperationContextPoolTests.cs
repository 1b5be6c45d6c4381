using FastTests.Support;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Json;

namespace FastTests.Blittable;

public sealed class OperationContextPoolTests
{
    /// <summary>One slot for all processors: which context comes back does not depend on where the scheduler puts the
    /// thread.</summary>
    private static readonly OperationContextPoolOptions OneSlot = new() { Slots = 1 };

    [Fact]
    public void A_context_is_used_again_and_counted()
    {
        using OperationContextPool pool = new(OneSlot);
        OperationContext first = pool.Rent();
        first.Arena.Allocate(1000);
        OperationContextStatistics during = pool.GetStatistics();
        Assert.Equal((1, 1), (during.Contexts, during.Rented));
        Assert.True(during.UsedBytes >= 1000 && during.CommittedBytes >= during.UsedBytes);
        pool.Return(first);
        OperationContextStatistics after = pool.GetStatistics();
        Assert.Equal((1, 0, 0L), (after.Contexts, after.Rented, after.UsedBytes));
        Assert.True(after.HighWaterBytes >= 1000);
    }

    [Fact]
    public void A_context_cannot_be_returned_twice()
    {
        using OperationContextPool pool = new();
        OperationContext context = pool.Rent();
        pool.Return(context);
        Assert.Throws<InvalidOperationException>(() => pool.Return(context));
    }

    [Fact]
    public void Two_operations_never_have_one_context()
    {
        using OperationContextPool pool = new();
        Parallel.For(0, 8, worker =>
        {
            for (int i = 0; i < 5000; i++)
            {
                OperationContext context = pool.Rent();
                Span<byte> block = context.Arena.Allocate(64).WritableSpan;
                block.Fill((byte)worker);
                Assert.Equal(-1, block.IndexOfAnyExcept((byte)worker));
                pool.Return(context);
            }
        });
        OperationContextStatistics statistics = pool.GetStatistics();
        Assert.Equal(0, statistics.Rented);
        Assert.InRange(statistics.Contexts, 1, 64);
    }

    [Fact]
    public void A_context_over_the_retained_size_gives_memory_back_when_it_is_returned()
    {
        using OperationContextPool pool = new(
            OneSlot with { RetainedBytesMax = 1 << 20, TrimToBytes = 1 << 18 });
        OperationContext context = pool.Rent();
        context.Arena.Allocate(8 << 20);
        pool.Return(context);
        Assert.InRange(pool.GetStatistics().CommittedBytes, 0, 1 << 18);
    }

    [Fact]
    public void A_context_that_was_large_once_is_trimmed_after_many_small_operations()
    {
        OperationContextPoolOptions options = OneSlot with { LowUseReturnsBeforeTrim = 5 };
        using OperationContextPool pool = new(options);
        OperationContext context = pool.Rent();
        context.Arena.Allocate(16 << 20);
        pool.Return(context);
        Assert.True(pool.GetStatistics().CommittedBytes >= 16 << 20);
        for (int i = 0; i < options.LowUseReturnsBeforeTrim; i++)
        {
            pool.Return(pool.Rent());
        }

        Assert.InRange(pool.GetStatistics().CommittedBytes, 0, options.TrimToBytes);
    }

    [Fact]
    public void No_more_contexts_are_kept_than_the_options_say()
    {
        using OperationContextPool pool = new(new OperationContextPoolOptions { IdleContextsMax = 2 });
        OperationContext[] many = [.. Enumerable.Range(0, 50).Select(_ => pool.Rent())];
        Array.ForEach(many, pool.Return);
        Assert.InRange(pool.GetStatistics().Contexts, 1, 2 + (2 * Environment.ProcessorCount));
        pool.Trim();
        Assert.InRange(pool.GetStatistics().Contexts, 1, 2);
        Assert.Equal(0, pool.GetStatistics().CommittedBytes);
    }

    [Fact]
    public void The_contexts_of_64_operations_at_a_time_are_all_kept_and_used_again()
    {
        using OperationContextPool pool = new(OneSlot);
        HashSet<OperationContext> first = RentAll(pool);
        Assert.True(first.SetEquals(RentAll(pool)));
    }

    [Fact]
    public void Idle_contexts_together_hold_no_more_than_the_options_say()
    {
        using OperationContextPool pool = new(
            new OperationContextPoolOptions { IdleBytesMax = 8 << 20, CrowdedBytes = 1 << 16 });
        foreach (OperationContext context in RentAll(pool, bytes: 1 << 20))
        {
            Assert.True(context.Arena.CommittedBytes <= 2 << 20);
        }

        long most = (8L << 20) + (2L * Environment.ProcessorCount << 20) + (64 << 16);
        Assert.InRange(pool.GetStatistics().CommittedBytes, 0, most + (1 << 20));
    }

    private static HashSet<OperationContext> RentAll(OperationContextPool pool, int bytes = 100)
    {
        HashSet<OperationContext> contexts = [.. Enumerable.Range(0, 64).Select(_ => pool.Rent())];
        foreach (OperationContext context in contexts)
        {
            context.Arena.Allocate(bytes);
            pool.Return(context);
        }

        return contexts;
    }

    [Fact]
    public void A_closed_pool_disposes_a_context_that_is_returned()
    {
        OperationContextPool pool = new();
        OperationContext context = pool.Rent();
        context.Arena.Allocate(10);
        pool.Dispose();
        pool.Return(context);
        Assert.Equal(0, pool.GetStatistics().Contexts);
        Assert.Throws<ObjectDisposedException>(pool.Rent);
    }

    [Fact]
    public void Renting_and_returning_allocates_no_managed_memory()
    {
        using OperationContextPool pool = new(OneSlot);
        Assert.Equal(0, Allocated.Least(() =>
        {
            for (int i = 0; i < 1000; i++)
            {
                RentAndReturn(pool);
            }
        }));
    }

    private static void RentAndReturn(OperationContextPool pool)
    {
        OperationContext context = pool.Rent();
        context.Arena.Allocate(100);
        pool.Return(context);
    }

    [Fact]
    public void A_returned_context_does_not_keep_the_buffer_of_a_very_long_text()
    {
        using OperationContextPool pool = new(OneSlot);
        OperationContext context = pool.Rent();
        JsonToBlittable parser = context.Parser;
        parser.Begin(BlittableMode.ToDisk);
        Assert.Equal(JsonParseStatus.NeedMore, parser.Feed("{\"T\":\""u8, out _));
        byte[] piece = new byte[64 * 1024];
        piece.AsSpan().Fill((byte)'t');
        for (int i = 0; i < 64; i++)
        {
            Assert.Equal(JsonParseStatus.NeedMore, parser.Feed(piece, out _));
        }

        Assert.True(parser.KeptBytes > 4 << 20);
        pool.Return(context);
        OperationContext again = pool.Rent();
        Assert.Same(context, again);
        Assert.True(again.Parser.KeptBytes < 1 << 20);
        Assert.True(again.Parser.TryParse("{}"u8, BlittableMode.ToDisk, out _, out _));
        pool.Return(again);
    }
}
