using Raven.Blittable.Memory;
using Raven.Server.Options;
using Raven.Storage.Paging;
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
    [InlineData(512L << 20, 128L << 20)]
    [InlineData(1L << 20, 16L << 20)]
    public void A_server_with_a_limit_has_a_quarter_of_it_for_pages_that_wait(long limit, long scratch)
    {
        Assert.Equal(scratch, new ServerOptions { MemoryBytesMax = limit }.ToScratchBudget().SizeBytesMax);
        Assert.Same(ScratchBudget.Shared, new ServerOptions().ToScratchBudget());
    }
}
