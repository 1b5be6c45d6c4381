using Raven.Storage;
using Raven.Storage.Compaction;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;

namespace SlowTests.Storage;

/// <summary>
/// A life in events, at two fifths of its size: four million writes, deletes, journal switches, flushes, rebuilt
/// trees, backups that are opened, restarts, and a reader that stays open over fifty thousand writes, forty times;
/// memory, threads, scratch and open files stay what they were.
/// </summary>
[Trait(Category.Shard, "storage-soak")]
[Collection(nameof(SoakTests))]
public sealed class SoakTests
{
    private const int Writes = 4_000_000;
    private const int RestartBatches = 200;
    private const int RestartAt = 100;
    private const int ReaderEndsAt = 0;
    private const int RebuildBatches = 100;

    private readonly List<ProcessSample> _samples = [];
    private readonly Random _random = new(12);
    private readonly HashSet<int> _live = [];
    private StorageEnvironment _environment = null!;
    private ReadTransaction? _reader;
    private int _readerCount;
    private long _switches;
    private long _flushes;

    [Fact]
    public void Nothing_but_the_data_has_grown_after_four_million_writes()
    {
        string folder = Directory.CreateTempSubdirectory("raven-soak-").FullName;
        _environment = SoakLoad.Open(folder + "/0");
        for (int batch = 0; batch < Writes / SoakLoad.Batch; batch++)
        {
            SoakLoad.Write(_environment, _random, _live);
            if (batch % RestartBatches == RestartAt)
            {
                EndReader();
                Restart(folder + "/0");
                _samples.Add(ProcessSample.Take());
                BeginReader();
            }

            CheckReader();
            if (batch % RestartBatches == ReaderEndsAt)
            {
                EndReader();
            }

            if (batch % RebuildBatches == 50)
            {
                Rebuild(_environment);
            }

            if (batch % 400 == 300)
            {
                BackUp($"{folder}/backup-{batch}");
            }
        }

        EndReader();

        // A flush that was under way ends before the last commit; the next one does not.
        Assert.True(_environment.Flush() & _environment.Flush());
        Assert.Equal(0, _environment.GetStatistics().Scratch.UsedBytes);
        CountEvents();
        Assert.True(_switches > 400, $"{_switches} switches");
        Assert.True(_flushes > 100, $"{_flushes} flushes");
        RequireCompact(_environment, folder + "/compact");
        _environment.Dispose();
        Directory.Delete(folder, recursive: true);
        ProcessSample.RequireFlat(_samples);
    }

    private void BeginReader()
    {
        _reader = _environment.BeginRead();
        _reader.Purpose = "soak";
        _readerCount = _live.Count;
    }

    /// <summary>It is named, sees its state, and holds no more than that.</summary>
    private void CheckReader()
    {
        if (_reader is not null)
        {
            StorageStatistics statistics = _environment.GetStatistics();
            Assert.Equal("soak", statistics.OldestReader.Purpose);
            Assert.InRange(statistics.Scratch.UsedBytes, 0, SoakLoad.ScratchBytesMax);
            Assert.Equal(_readerCount, _reader.TryOpenTree("t"u8)!.Count);
        }
    }

    private void EndReader()
    {
        if (_reader is null)
        {
            return;
        }

        int count = 0;
        TreeCursor cursor = _reader.TryOpenTree("t"u8)!.GetCursor();
        for (bool found = cursor.SeekFirst(); found; found = cursor.MoveNext())
        {
            count++;
        }

        Assert.Equal(_readerCount, count);
        _reader.Dispose();
        _reader = null;
    }

    /// <summary>A tree that is deleted and made again from another one.</summary>
    private static void Rebuild(StorageEnvironment environment)
    {
        using WriteTransaction transaction = environment.BeginWrite();
        _ = transaction.DeleteStructure("copy"u8);
        Tree copy = transaction.OpenOrCreateTree("copy"u8);
        TreeCursor cursor = transaction.OpenOrCreateTree("t"u8).GetCursor();
        int kept = 0;
        for (bool found = cursor.SeekFirst(); found && kept < 5_000; found = cursor.MoveNext())
        {
            copy.Put(cursor.Key, []);
            kept++;
        }

        transaction.Commit();
    }

    private void BackUp(string folder)
    {
        StorageBackup.Copy(_environment, new RealFileSystem(folder));
        using StorageEnvironment restored = SoakLoad.Open(folder);
        Assert.Empty(restored.Audit().Findings);
        RequireCount(restored, _live.Count);
    }

    private void CountEvents()
    {
        StorageStatistics statistics = _environment.GetStatistics();
        _switches += statistics.JournalFiles.Created + statistics.JournalFiles.Recycled;
        _flushes += statistics.Flushes;
    }

    private void Restart(string folder)
    {
        CountEvents();
        _environment.Dispose();
        _environment = SoakLoad.Open(folder);
        Assert.Empty(_environment.Audit().Findings);
        RequireCount(_environment, _live.Count);
    }

    private static void RequireCount(StorageEnvironment environment, int count)
    {
        using ReadTransaction reader = environment.BeginRead();
        Assert.Equal(count, reader.TryOpenTree("t"u8)!.Count);
    }

    private static void RequireCompact(StorageEnvironment environment, string folder)
    {
        using StorageEnvironment compact = SoakLoad.Open(folder);
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

        long length = new FileInfo(Path.Combine(folder, DataFile.Name)).Length;
        Assert.True(length <= 1.5 * payload, $"a file of {length} bytes for {payload}");
    }
}
