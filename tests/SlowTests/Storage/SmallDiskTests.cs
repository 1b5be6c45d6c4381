using Raven.Storage.Platform;
using Shared.Storage;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>
/// A real disk of 64 MB that fills up and gets room again, each tenth time with writes that take 50 ms. Mounting
/// one takes the right to: see <see cref="SmallDisk"/>.
/// </summary>
[Trait(Category.Shard, "small-disk")]
[Collection(nameof(SoakTests))]
public sealed class SmallDiskTests(ITestOutputHelper output)
{
    private const int Rounds = 50;
    private const int SlowRounds = 10;
    private const long GrowthBytesMax = 64L << 20;

    private static readonly TimeSpan SlowWrite = TimeSpan.FromMilliseconds(50);

    [Theory]
    [InlineData("tmpfs")]
    [InlineData("ext4")]
    public void A_disk_that_is_full_and_free_again_fifty_times_loses_nothing(string kind)
    {
        using SmallDisk? disk = SmallDisk.Mount(kind, output);
        if (disk is null)
        {
            return;
        }

        var files = new DelayedFileSystem(new RealFileSystem(Path.Combine(disk.Folder, "data")));
        using var check = new DiskFullCheck(files, seed: 50);
        long first = 0;
        for (int round = 0; round < Rounds; round++)
        {
            files.WriteDelay = round % SlowRounds == SlowRounds - 1 ? SlowWrite : TimeSpan.Zero;
            long full = 0;
            check.Round(
                fill: () => disk.Fill(round % 3),
                free: () =>
                {
                    full = ProcessSample.Take().MemoryBytes;
                    disk.Free();
                });
            first = round == 0 ? full : first;
            Assert.True(
                full < first + GrowthBytesMax, $"round {round}: {full >> 20} MB of memory, {first >> 20} at first");
        }
    }
}
