using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Server.Options;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

public sealed class ScratchSegmentsTests
{
    [Fact]
    public void Idle_segments_are_few_and_all_given_back_on_demand()
    {
        var segments = new ScratchSegments(keptMax: 3);
        using (var pool = new ScratchPool(new ScratchBudget(1L << 30), segments))
        {
            NativeSlice[] runs = [.. Enumerable.Range(0, 5 * 128).Select(_ => pool.Allocate(1))];
            Assert.Equal(5 * ScratchSegments.SizeInBytes, pool.CommittedBytes);
            Assert.Equal(0, segments.IdleBytes);
            Array.ForEach(runs, pool.Free);
        }

        int kept = OperatingSystem.IsLinux() ? 3 : 0;
        Assert.Equal(kept * ScratchSegments.SizeInBytes, segments.IdleBytes);
        using (var pool = new ScratchPool(new ScratchBudget(1L << 30), segments))
        {
            pool.Allocate(1).WritableSpan.Fill(1);
            Assert.Equal(Math.Max(kept - 1, 0) * ScratchSegments.SizeInBytes, segments.IdleBytes);
        }

        segments.Trim();
        Assert.Equal(0, segments.IdleBytes);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(200)]
    [InlineData(20_000)]
    public void Memory_that_is_refused_is_not_counted(int pages)
    {
        bool refuses = true;
        var segments = new ScratchSegments(keptMax: 0)
        {
            BeforeAllocation = () =>
            {
                if (refuses)
                {
                    throw new InsufficientMemoryException("planted");
                }
            },
        };
        var budget = new ScratchBudget(1L << 30);
        using var pool = new ScratchPool(budget, segments);
        Assert.Throws<InsufficientMemoryException>(() => pool.Allocate(pages));
        Assert.Equal((0, 0, 0), (pool.UsedBytes, pool.CommittedBytes, budget.UsedBytes));
        refuses = false;
        NativeSlice run = pool.Allocate(pages);
        Assert.Equal(run.Length, pool.UsedBytes);
        pool.Free(run);
        Assert.Equal(0, pool.UsedBytes);
    }

    [Fact]
    public void A_long_run_has_the_memory_of_the_one_before_and_what_is_idle_is_bounded()
    {
        var segments = new ScratchSegments(keptMax: 8);
        using var pool = new ScratchPool(new ScratchBudget(1L << 30), segments);
        NativeSlice first = pool.Allocate(129);
        NativeSlice second = pool.Allocate(200);
        NativeSlice third = pool.Allocate(2_000);
        pool.Free(first);
        Assert.Equal(OperatingSystem.IsLinux() ? 2 << 20 : 0, segments.IdleBytes);
        NativeSlice again = pool.Allocate(140);
        if (OperatingSystem.IsLinux())
        {
            Assert.True(again.Span.Overlaps(first.Span));
        }

        again.WritableSpan.Fill(1);
        pool.Free(again);
        pool.Free(second);
        pool.Free(third);
        Assert.InRange(segments.IdleBytes, 0, 8 << 20);
        Assert.Equal(0, pool.CommittedBytes);
        segments.Trim();
        Assert.Equal(0, segments.IdleBytes);
    }

    /// <summary>LONG-1: also the longest ones, which nobody keeps.</summary>
    [Theory]
    [Trait("Invariant", "LONG-1")]
    [InlineData(9)]
    [InlineData(2_048)]
    [InlineData(10_000)]
    public void A_long_run_begins_behind_the_start_of_a_page(int pages)
    {
        using var pool = new ScratchPool(new ScratchBudget(1L << 30), new ScratchSegments(keptMax: 8));
        for (int round = 0; round < 3; round++)
        {
            NativeSlice run = pool.Allocate(pages);
            nint address = Unsafe.ByteOffset(ref Unsafe.NullRef<byte>(), ref MemoryMarshal.GetReference(run.Span));
            Assert.InRange(address % 4096, 64, 1024);
            run.WritableSpan[^1] = 1;
            pool.Free(run);
        }
    }

    [Theory]
    [InlineData(512L << 20, 128L << 20)]
    [InlineData(1L << 20, 16L << 20)]
    public void A_server_with_a_memory_limit_has_a_quarter_of_it_as_scratch_memory(long limit, long scratch)
    {
        Assert.Equal(scratch, new ServerOptions { MemoryBytesMax = limit }.ToScratchBudget().SizeBytesMax);
        Assert.Same(ScratchBudget.Shared, new ServerOptions().ToScratchBudget());
    }
}
