using System.Buffers.Binary;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Trees;

/// <summary>What an insert costs is counted: compares, bytes moved, searches that need no descent.</summary>
public sealed class TreeStatisticsTests
{
    private const int Inserts = 4_000;

    [Fact]
    public void Inserts_in_order_move_few_bytes_and_find_their_place_without_a_descent()
    {
        TreeStatistics statistics = Insert(isInOrder: true);
        Assert.Equal(Inserts, statistics.Count);
        Assert.True(statistics.RecentHits > Inserts * 9 / 10, $"{statistics}");
        Assert.True(statistics.BytesMoved < Inserts * 12, $"{statistics}");
    }

    [Fact]
    public void Inserts_in_random_order_compare_as_a_binary_search_does_and_move_the_slots_behind_them()
    {
        TreeStatistics statistics = Insert(isInOrder: false);
        Assert.Equal(Inserts, statistics.Count);
        Assert.InRange(statistics.Searches, Inserts, 3 * Inserts);
        Assert.InRange(statistics.Compares, 4 * statistics.Searches, 40 * statistics.Searches);
        Assert.True(statistics.BytesMoved > Inserts * 100, $"{statistics}");
        Assert.True(statistics.Splits > 10, $"{statistics}");
    }

    private static TreeStatistics Insert(bool isInOrder)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(
            new StorageOptions { FileSystem = disk, Scheduler = new ManualScheduler() });
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        Span<byte> key = stackalloc byte[8];
        for (int i = 0; i < Inserts; i++)
        {
            BinaryPrimitives.WriteInt64BigEndian(key, isInOrder ? i : i * 7_919L % Inserts);
            tree.Put(key, key);
        }

        return tree.GetStatistics();
    }
}
