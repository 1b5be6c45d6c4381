using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>Runs of pages that are taken and given back in random order.</summary>
public sealed class ScratchPoolTests
{
    private const int PooledPagesMax = 8;

    [Fact]
    [Trait("Invariant", "SCRATCH-1")]
    [Trait("Invariant", "SCRATCH-2")]
    public void A_segment_has_runs_of_one_class_which_share_no_page()
    {
        var random = new Random(1);
        using var pool = new ScratchPool(new ScratchBudget(1L << 30), new ScratchSegments(keptMax: 8));
        List<(NativeSlice Run, byte Mark)> runs = [];
        for (int i = 0; i < 3_000; i++)
        {
            if (runs.Count > 400 || (runs.Count > 0 && random.Next(3) == 0))
            {
                int index = random.Next(runs.Count);
                Give(pool, runs[index]);
                runs[index] = runs[^1];
                runs.RemoveAt(runs.Count - 1);
                continue;
            }

            NativeSlice run = pool.Allocate(random.Next(1, PooledPagesMax + 1));
            for (int at = 0; at < run.Length; at += PageHeader.PageSizeInBytes)
            {
                run.WritableSpan[at] = (byte)i;
            }

            runs.Add((run, (byte)i));
        }

        Assert.All(
            runs.GroupBy(each => AddressOf(each.Run) / ScratchSegments.SizeInBytes, each => ClassOf(each.Run)),
            segment => Assert.Single(segment.Distinct()));
        Assert.Equal(4, runs.Select(each => ClassOf(each.Run)).Distinct().Count());
        runs.ForEach(each => Give(pool, each));
        Assert.Equal(0, pool.UsedBytes);
    }

    private static void Give(ScratchPool pool, (NativeSlice Run, byte Mark) run)
    {
        for (int at = 0; at < run.Run.Length; at += PageHeader.PageSizeInBytes)
        {
            Assert.Equal(run.Mark, run.Run.Span[at]);
        }

        pool.Free(run.Run);
    }

    private static uint ClassOf(NativeSlice run) =>
        BitOperations.RoundUpToPowerOf2((uint)(run.Length / PageHeader.PageSizeInBytes));

    private static long AddressOf(NativeSlice run) =>
        Unsafe.ByteOffset(ref Unsafe.NullRef<byte>(), ref MemoryMarshal.GetReference(run.Span));
}
