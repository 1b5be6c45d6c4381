using System.Buffers.Binary;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace SlowTests.Storage;

/// <summary>What the soak tests write: one tree whose entries come, change and go at random.</summary>
internal static class SoakLoad
{
    internal const int Batch = 500;
    private const int LiveKeys = 60_000;

    /// <summary>60,000 entries of some 115 bytes in half-full pages are 14 MB: each once for a reader and once as it is
    /// now.</summary>
    internal const long ScratchBytesMax = 32L << 20;

    /// <param name="folder">The folder of the environment.</param>
    /// <param name="backlogBytesMax">The journal that a reader may hold back before it is ended.</param>
    internal static StorageEnvironment Open(string folder, long backlogBytesMax = 256L << 20) =>
        StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = new RealFileSystem(folder),
            JournalSizeBytesMax = 1 << 20,
            FlushAfterBytes = 2 << 20,
            SnapshotAgeMax = TimeSpan.FromMinutes(10),
            SnapshotBacklogBytesMax = backlogBytesMax,
            BacklogBytesMax = 4 * backlogBytesMax,
            AuditsCommits = true,
        });

    /// <summary>A transaction of <see cref="Batch"/> puts and deletes.</summary>
    /// <param name="environment">The target.</param>
    /// <param name="random">Which ones.</param>
    /// <param name="live">The keys that are there, kept up to date.</param>
    internal static void Write(StorageEnvironment environment, Random random, HashSet<int> live)
    {
        Span<byte> key = stackalloc byte[sizeof(int)];
        using WriteTransaction transaction = environment.BeginWrite();
        Tree tree = transaction.OpenOrCreateTree("t"u8);
        for (int i = 0; i < Batch; i++)
        {
            int number = random.Next(LiveKeys);
            BinaryPrimitives.WriteInt32BigEndian(key, number);
            if (i % 10 == 0)
            {
                Assert.Equal(live.Remove(number), tree.Delete(key));
            }
            else
            {
                random.NextBytes(tree.Reserve(key, random.Next(10, 200)).WritableSpan);
                live.Add(number);
            }
        }

        transaction.Commit();
    }
}
