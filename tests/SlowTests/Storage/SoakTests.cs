using System.Buffers.Binary;
using Raven.Storage;
using Raven.Storage.Compaction;
using Raven.Storage.Files;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace SlowTests.Storage;

/// <summary>
/// A life in events (T12), at a tenth of its size: a million writes, deletes, journal switches, flushes, backups that
/// are opened, restarts; scratch memory and open files stay what they were.
/// </summary>
[Trait(Category.Shard, "storage-soak")]
public sealed class SoakTests
{
    private const int Writes = 1_000_000;
    private const int Batch = 500;
    private const int LiveKeys = 60_000;

    [Fact]
    public void After_a_million_writes_nothing_has_grown_that_is_not_data()
    {
        string folder = Directory.CreateTempSubdirectory("raven-soak-").FullName;
        var random = new Random(12);
        var live = new HashSet<int>();
        StorageEnvironment environment = Open(folder + "/0");
        long switches = 0;
        int handles = 0;
        for (int batch = 0; batch < Writes / Batch; batch++)
        {
            Write(environment, random, live);
            if (batch % 200 == 100)
            {
                switches += Restart(ref environment, folder + "/0", live.Count);
                int open = Directory.GetFiles("/proc/self/fd").Length;
                handles = handles == 0 ? open : handles;
                Assert.InRange(open, 0, handles + 20);
            }

            if (batch % 400 == 300)
            {
                string copy = $"{folder}/backup-{batch}";
                StorageBackup.Copy(environment, new RealFileSystem(copy));
                using StorageEnvironment restored = Open(copy);
                Assert.Empty(restored.Audit().Findings);
                RequireCount(restored, live.Count);
            }
        }

        // A flush that was under way ends before the last commit; the next one does not.
        Assert.True(environment.Flush() & environment.Flush());
        Assert.Equal(0, environment.GetStatistics().Scratch.UsedBytes);
        switches += Switches(environment);
        Assert.True(switches > 200, $"{switches} switches");
        RequireCompact(environment, folder + "/compact");
        environment.Dispose();
        Directory.Delete(folder, recursive: true);
    }

    private static StorageEnvironment Open(string folder) => StorageEnvironment.Open(new StorageOptions
    {
        FileSystem = new RealFileSystem(folder),
        JournalSizeBytesMax = 1 << 20,
        FlushAfterBytes = 2 << 20,
        SnapshotAgeMax = TimeSpan.FromMinutes(10),
    });

    private static void Write(StorageEnvironment environment, Random random, HashSet<int> live)
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

    private static long Restart(ref StorageEnvironment environment, string folder, int count)
    {
        long switches = Switches(environment);
        environment.Dispose();
        environment = Open(folder);
        Assert.Empty(environment.Audit().Findings);
        RequireCount(environment, count);
        return switches;
    }

    private static long Switches(StorageEnvironment environment)
    {
        (long created, long recycled) = environment.GetStatistics().JournalFiles;
        return created + recycled;
    }

    private static void RequireCount(StorageEnvironment environment, int count)
    {
        using ReadTransaction reader = environment.BeginRead();
        Assert.Equal(count, reader.TryOpenTree("t"u8)!.Count);
    }

    private static void RequireCompact(StorageEnvironment environment, string folder)
    {
        using StorageEnvironment compact = Open(folder);
        using ReadTransaction reader = environment.BeginRead();
        StructureCopy.Run(
            reader, compact, (ReadOnlySpan<byte> _, out ReadOnlySpan<byte> heap) => heap = default, default);
        Assert.True(compact.Flush());
        long payload = 0;
        TreeCursor cursor = reader.TryOpenTree("t"u8)!.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            payload += cursor.Key.Length + cursor.Value.Length + 10;
        }

        long used = (compact.GetStatistics().Pages - compact.GetStatistics().FreePages) * 8192;
        Assert.True(used <= 1.5 * payload, $"{used} bytes for {payload}");
    }
}
