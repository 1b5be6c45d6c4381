using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;

namespace FastTests.Blittable;

public sealed class ArenaTests
{
    [Fact]
    [Trait("Invariant", "ARENA-1")]
    [Trait("Invariant", "ARENA-2")]
    public void Blocks_do_not_overlap_and_are_aligned()
    {
        using Arena arena = new();
        Random random = new(7);
        List<(NativeSlice Block, byte Mark)> blocks = [];
        for (int i = 0; i < 5000; i++)
        {
            NativeSlice block = arena.Allocate(random.Next(0, 700));
            block.WritableSpan.Fill((byte)i);
            blocks.Add((block, (byte)i));
        }

        foreach ((NativeSlice block, byte mark) in blocks)
        {
            Assert.Equal(-1, block.Span.IndexOfAnyExcept(mark));
            long address = Unsafe.ByteOffset(ref Unsafe.NullRef<byte>(), ref MemoryMarshal.GetReference(block.Span));
            Assert.Equal(0, address % 8);
        }

        Assert.True(arena.UsedBytes >= blocks.Sum(block => block.Block.Length));
        Assert.True(arena.CommittedBytes >= arena.UsedBytes);
    }

    [Fact]
    public void Prefetching_a_block_of_any_length_changes_nothing()
    {
        default(NativeSlice).Prefetch();
        using Arena arena = new();
        foreach (int length in (int[])[0, 1, 63, 64, 65, 2048, 5000])
        {
            NativeSlice block = arena.Allocate(length);
            block.WritableSpan.Fill(7);
            block.Prefetch();
            block.Prefetch(bytesMax: 0);
            block.Prefetch(bytesMax: int.MaxValue);
            Assert.Equal(-1, block.Span.IndexOfAnyExcept((byte)7));
        }
    }

    [Fact]
    [Trait("Invariant", "ARENA-1")]
    public void The_last_block_grows_shrinks_and_is_freed_in_place()
    {
        using Arena arena = new();
        NativeSlice first = arena.Allocate(100);
        NativeSlice last = arena.Allocate(10);
        last.WritableSpan.Fill(9);
        long used = arena.UsedBytes;
        Assert.False(arena.TryExtend(ref first, 200));
        Assert.True(arena.TryExtend(ref last, 1 << 20));
        Assert.Equal(1 << 20, last.Length);
        Assert.Equal(-1, last.Span[..10].IndexOfAnyExcept((byte)9));
        Assert.True(arena.TryExtend(ref last, 10));
        Assert.Equal(used, arena.UsedBytes);
        arena.Free(first);
        Assert.Equal(used, arena.UsedBytes);
        arena.Free(last);
        arena.Free(first);
        Assert.Equal(0, arena.UsedBytes);
        Assert.True(arena.HighWaterBytes >= 1 << 20);
    }

    [Fact]
    public void Reset_gives_the_same_memory_again()
    {
        using Arena arena = new();
        NativeSlice before = arena.Allocate(1000);
        long committed = arena.CommittedBytes;
        arena.Reset();
        Assert.Equal(0, arena.UsedBytes);
        Assert.Equal(before, arena.Allocate(1000));
        Assert.Equal(committed, arena.CommittedBytes);
    }

    [Fact]
    public void An_operation_larger_than_a_segment_gets_more_and_gives_it_back()
    {
        using Arena arena = new();
        for (int i = 0; i < 5; i++)
        {
            arena.Allocate(40 << 20).WritableSpan[^1] = 1;
        }

        NativeSlice huge = arena.Allocate(Arena.SegmentSizeBytes + 5);
        huge.WritableSpan[^1] = 1;
        Assert.True(arena.UsedBytes > 5 * (40L << 20) + Arena.SegmentSizeBytes);
        arena.Reset();
        Assert.Equal(0, arena.UsedBytes);
        Assert.True(arena.CommittedBytes <= Arena.SegmentSizeBytes);
        Assert.True(arena.HighWaterBytes > 5 * (40L << 20) + Arena.SegmentSizeBytes);
        arena.Trim(0);
        Assert.Equal(0, arena.CommittedBytes);
        arena.Allocate(10).WritableSpan.Clear();
    }

#if DEBUG
    [Fact]
    [Trait("Invariant", "ARENA-3")]
    public void A_debug_build_catches_a_read_after_the_reset()
    {
        using Arena arena = new();
        NativeSlice block = arena.Allocate(16);
        NativeSlice part = block.Slice(4, 4);
        _ = part.Span[0];
        arena.Reset();
        Assert.Throws<InvalidOperationException>(() => block.Span.Length);
        Assert.Throws<InvalidOperationException>(() => part.WritableSpan.Length);
    }

    [Fact]
    public void A_debug_build_catches_a_document_that_outlives_its_operation()
    {
        using OperationContextPool pool = new();
        OperationContext context = pool.Rent();
        var document = Documents.Parse(context, """{"a":1}""").AsObject();
        pool.Return(context);
        Assert.Throws<InvalidOperationException>(() => document.TryGet("a"u8, out _));
    }
#endif
}
