using System.Text;
using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Raven.Storage.Trees;
using Shared.Storage;

namespace FastTests.Storage.Backup;

/// <summary>Chains of copies of pages, restored, are the state at the end of each copy.</summary>
public sealed class PageBackupTests
{
    /// <summary>Writers go on between any two pages of a copy, and snapshots are replaced in its middle.</summary>
    [Theory]
    [Trait("Invariant", "BACK-1")]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task A_chain_of_copies_made_beside_writers_is_the_state_of_its_last_one(int seed)
    {
        var random = new Random(seed);
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        SortedDictionary<string, string> model = [];
        Change(source, model, random, 40);
        List<(byte[] Copy, Dictionary<string, string> Model)> chain = [];
        long last = 0;
        for (int i = 0; i < 4; i++)
        {
            int turns = 0;
            var backup = new PageBackup(source, last)
            {
                PagesPerTurn = random.Next(1, 6),
                OnTurn = () =>
                {
                    if (turns++ < 30 && random.Next(3) == 0)
                    {
                        Change(source, model, random, 3);
                        return true;
                    }

                    return turns < 40 && random.Next(4) == 0;
                },
            };
            chain.Add((await CopyAsync(backup), new(model)));
            Assert.True(backup.TransactionId >= last);
            last = backup.TransactionId;
            Change(source, model, random, random.Next(12));
        }

        for (int count = 1; count <= chain.Count; count++)
        {
            using SimulatedFileSystem restored = await RestoreAsync(chain.Take(count).Select(one => one.Copy));
            using StorageEnvironment copy = Open(restored);
            Assert.Empty(copy.Audit().Findings);
            Assert.Equal(chain[count - 1].Model.OrderBy(one => one.Key, StringComparer.Ordinal), Read(copy));
            Change(copy, [], random, 5);
            Assert.Empty(copy.Audit().Findings);
        }
    }

    [Fact]
    public async Task No_more_pages_a_second_are_looked_at_than_may_be()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        Change(source, [], new Random(1), 60);
        List<TimeSpan> pauses = [];
        var backup = new PageBackup(source, 0)
        {
            PagesPerSecondMax = 2,
            OnPause = pause =>
            {
                pauses.Add(pause);
                return Task.CompletedTask;
            },
        };
        await CopyAsync(backup);
        Assert.True(pauses.Sum(pause => pause.TotalSeconds) > backup.Pages / 4.0, string.Join(' ', pauses));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Beside_writers_it_is_copied_at_a_bounded_rate(bool hasWriters)
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        SortedDictionary<string, string> model = [];
        var random = new Random(2);
        Change(source, model, random, 60);
        TimeSpan paused = TimeSpan.Zero;
        var backup = new PageBackup(source, 0)
        {
            PagesPerTurn = 4,
            OnTurn = () =>
            {
                if (hasWriters)
                {
                    Change(source, model, random, 1);
                }

                return false;
            },
            OnPause = pause =>
            {
                paused += pause;
                return Task.CompletedTask;
            },
        };
        byte[] copy = await CopyAsync(backup);

        // All but the first turn of the first pass, and not what has changed meanwhile: more than a third of it.
        double seconds = copy.Length / (double)(48 << 20);
        Assert.InRange(paused.TotalSeconds, hasWriters ? seconds / 3 : 0, hasWriters ? seconds : 0);
    }

    [Fact]
    public async Task What_has_not_changed_is_in_no_later_copy()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        Change(source, [], new Random(1), 60);
        var whole = new PageBackup(source, 0);
        byte[] first = await CopyAsync(whole);
        var second = new PageBackup(source, whole.TransactionId);
        Assert.True((await CopyAsync(second)).Length < 1000);
        Assert.Equal(0, second.Pages);
        Assert.Equal(whole.TransactionId, second.TransactionId);
        using (WriteTransaction transaction = source.BeginWrite())
        {
            transaction.OpenOrCreateTree("t"u8).Put("one"u8, "two"u8);
            transaction.Commit();
        }

        var third = new PageBackup(source, second.TransactionId);
        Assert.True((await CopyAsync(third)).Length * 4 < first.Length);
        Assert.InRange(third.Pages, 1, 8);
    }

    [Fact]
    [Trait("Invariant", "BACK-2")]
    public async Task A_copy_with_any_byte_changed_cut_or_added_is_refused_and_leaves_no_environment()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        Change(source, [], new Random(3), 8);
        byte[] copy = await CopyAsync(new PageBackup(source, 0));
        var random = new Random(4);
        for (int i = 0; i < 60; i++)
        {
            byte[] damaged = [.. copy];
            int at = i < 32 ? i : i < 40 ? copy.Length - 1 - (i - 32) : random.Next(copy.Length);
            damaged[at] ^= (byte)(1 << random.Next(8));

            // What a header at the end says of its counter is written anew.
            await AssertRefusedAsync(damaged);
        }

        foreach (int length in (int[])[0, 10, 32, 40, copy.Length / 2, copy.Length - 513, copy.Length - 1])
        {
            await AssertRefusedAsync(copy[..length]);
        }

        await AssertRefusedAsync([.. copy, 0]);
    }

    [Fact]
    public async Task Copies_out_of_their_order_are_refused()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        List<byte[]> chain = [];
        long last = 0;
        for (int i = 0; i < 3; i++)
        {
            Change(source, [], new Random(i), 3);
            var backup = new PageBackup(source, last);
            chain.Add(await CopyAsync(backup));
            last = backup.TransactionId;
        }

        foreach (int[] order in (int[][])[[1], [0, 2], [0, 1, 1], [0, 2, 1]])
        {
            StorageCorruptedException refused = await Assert.ThrowsAsync<StorageCorruptedException>(
                async () => (await RestoreAsync(order.Select(i => chain[i]))).Dispose());
            Assert.Contains("changed after transaction", refused.Message, StringComparison.Ordinal);
        }

        using var other = new SimulatedFileSystem();
        using StorageEnvironment stranger = StorageEnvironment.Open(
            new StorageOptions { FileSystem = other, NewEnvironmentId = 77 });
        Change(stranger, [], new Random(9), 3);
        byte[] foreign = await CopyAsync(new PageBackup(stranger, 1));
        await Assert.ThrowsAsync<StorageCorruptedException>(
            async () => (await RestoreAsync([chain[0], foreign])).Dispose());
    }

    [Fact]
    [Trait("Invariant", "BACK-3")]
    public async Task A_restore_that_the_disk_refuses_leaves_no_environment()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        Change(source, [], new Random(3), 20);
        byte[] copy = await CopyAsync(new PageBackup(source, 0));
        using var inner = new SimulatedFileSystem();
        var full = new QuotaFileSystem(inner) { BytesMax = copy.Length / 2 };
        using (var restore = new PageRestore(full, 0x1234))
        {
            StorageIOException refused = await Assert.ThrowsAsync<StorageIOException>(
                () => restore.AddAsync("copy", new MemoryStream(copy), CancellationToken.None));
            Assert.True(refused.IsDiskFull);
        }

        Assert.DoesNotContain("data.voron", inner.List());
    }

    [Fact]
    public async Task A_copy_is_cancelled_between_pieces()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment source = Open(disk);
        Change(source, [], new Random(3), 20);
        using var stop = new CancellationTokenSource();
        var backup = new PageBackup(source, 0) { PagesPerTurn = 2, Copied = _ => stop.Cancel() };
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => backup.RunAsync(Stream.Null, stop.Token));
        Assert.Equal(0, source.GetStatistics().Readers);
    }

    private static StorageEnvironment Open(IFileSystem files) => StorageEnvironment.Open(
        new StorageOptions { FileSystem = files, FlushAfterBytes = 64 << 10 });

    private static void Change(
        StorageEnvironment environment, SortedDictionary<string, string> model, Random random, int transactions)
    {
        for (int i = 0; i < transactions; i++)
        {
            using WriteTransaction transaction = environment.BeginWrite();
            Tree tree = transaction.OpenOrCreateTree("t"u8);
            for (int j = random.Next(1, 6); j > 0; j--)
            {
                string key = $"k{random.Next(200)}";
                if (random.Next(3) == 0)
                {
                    tree.Delete(Encoding.ASCII.GetBytes(key));
                    model.Remove(key);
                }
                else
                {
                    // Some values are runs of pages.
                    string value = new((char)('a' + random.Next(26)), random.Next(5) == 0 ? 30_000 : random.Next(400));
                    tree.Put(Encoding.ASCII.GetBytes(key), Encoding.ASCII.GetBytes(value));
                    model[key] = value;
                }
            }

            transaction.Commit();
        }
    }

    private static async Task<byte[]> CopyAsync(PageBackup backup)
    {
        using var target = new MemoryStream();
        await backup.RunAsync(target, CancellationToken.None);
        return target.ToArray();
    }

    private static async Task<SimulatedFileSystem> RestoreAsync(IEnumerable<byte[]> chain)
    {
        var target = new SimulatedFileSystem();
        try
        {
            using var restore = new PageRestore(target, 0x1234);
            foreach (byte[] copy in chain)
            {
                await restore.AddAsync("copy", new MemoryStream(copy), CancellationToken.None);
            }

            restore.Complete();
            return target;
        }
        catch
        {
            target.Dispose();
            throw;
        }
    }

    private static async Task AssertRefusedAsync(byte[] copy)
    {
        using var target = new SimulatedFileSystem();
        using var restore = new PageRestore(target, 0x1234);
        Exception? refused = await Record.ExceptionAsync(
            () => restore.AddAsync("copy", new MemoryStream(copy), CancellationToken.None));
        Assert.True(refused is StorageCorruptedException or StorageVersionException, $"{refused}");
        Assert.DoesNotContain("data.voron", target.List());
    }

    private static List<KeyValuePair<string, string>> Read(StorageEnvironment environment)
    {
        List<KeyValuePair<string, string>> all = [];
        using ReadTransaction reader = environment.BeginRead();
        TreeCursor cursor = reader.TryOpenTree("t"u8)!.GetCursor();
        for (bool more = cursor.SeekFirst(); more; more = cursor.MoveNext())
        {
            all.Add(new(Encoding.ASCII.GetString(cursor.Key), Encoding.ASCII.GetString(cursor.Value.Span)));
        }

        return all;
    }
}
