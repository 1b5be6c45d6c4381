using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>A disk that is full for a while (T10).</summary>
public sealed class DiskFullTests
{
    [Fact]
    public void A_full_disk_fails_commits_and_loses_nothing()
    {
        using var disk = new SimulatedFileSystem();
        var files = new QuotaFileSystem(disk);
        using var check = new DiskFullCheck(files, seed: 1);
        for (int round = 0; round < 2; round++)
        {
            check.Round(
                fill: () => files.BytesMax = files.UsedBytes + (1 << 20),
                free: () => files.BytesMax = long.MaxValue);
        }
    }
}
