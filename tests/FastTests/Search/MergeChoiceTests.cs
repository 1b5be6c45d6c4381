using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Search.Segments;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Search;

/// <summary>Which segments are merged into one.</summary>
public sealed class MergeChoiceTests
{
    [Fact]
    [Trait("Invariant", "LARGE-3")]
    public void Segments_that_are_left_out_take_no_room_from_those_that_are_chosen()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment =
            StorageEnvironment.Open(new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.OpenOrCreateTree(IndexNames.Content);
        Tree segments = transaction.OpenOrCreateTree(IndexNames.Segments);
        long[] megabytes = [10, 300, 200, 100, 20, 20];
        Span<byte> key = stackalloc byte[sizeof(int)];
        for (int i = 0; i < megabytes.Length; i++)
        {
            var header = new SegmentHeader { EntryCount = 1, LargestFieldBytes = megabytes[i] << 20 };
            BinaryPrimitives.WriteInt32BigEndian(key, i);
            segments.Put(key, MemoryMarshal.AsBytes(new ReadOnlySpan<SegmentHeader>(in header)));
        }

        var list = new SegmentList();
        list.Load(transaction);
        var choice = new MergeChoice(inlineBytesMax: 1);

        // Too large: 300 of its own, 100 with those before it. Another merge is at the fifth.
        Assert.True(choice.ChooseAll(list, new HashSet<int> { 4 }));
        Assert.Equal([0, 2, 5], choice.Segments.Select(segment => segment.Id));
    }
}
