using System.IO.Hashing;
using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>The bytes of format version 2: what is on a disk already must not change its meaning.</summary>
public sealed class GoldenFileTests
{
    private const ulong EmptyDataFile = 8658620276150834729;
    private const ulong FirstRecord = 15856586423552128471;

    [Fact]
    [Trait("Invariant", "DATA-1")]
    public void The_files_of_a_new_environment_are_those_of_version_two()
    {
        using var disk = new SimulatedFileSystem();
        using StorageEnvironment environment = StorageEnvironment.Open(new StorageOptions
        {
            FileSystem = disk,
            Clock = disk.Clock,
            Scheduler = new ManualScheduler(),
            NewEnvironmentId = 0x0123456789ABCDEF,
            AuditsCommits = false,
        });
        Assert.Equal(EmptyDataFile, XxHash3.HashToUInt64(disk.CurrentImage().Files["data.voron"].Span));

        // One page and nothing in it: what the journal makes of a transaction, without the structures.
        using WriteTransaction transaction = environment.BeginWrite();
        transaction.AllocatePage(Raven.Storage.Paging.PageKind.Overflow, 100, out var run);
        run.WritableSpan[Raven.Storage.Paging.PageHeader.SizeInBytes..].Clear();
        transaction.Commit();
        ReadOnlySpan<byte> journal = disk.CurrentImage().Files["journal-000001.voron"].Span;
        Assert.Equal(FirstRecord, XxHash3.HashToUInt64(journal[..4096]));
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    public void A_header_of_a_newer_version_is_refused_beside_one_of_this_version_too(int slot)
    {
        using var disk = new SimulatedFileSystem();
        StorageEnvironment.Open(new StorageOptions { FileSystem = disk }).Dispose();
        DiskImage image = disk.CurrentImage().Copy();
        Span<byte> header = image.Files["data.voron"].Span.Slice(slot * 8192, 512);
        BitConverter.TryWriteBytes(header[16..], 4);
        BitConverter.TryWriteBytes(header, XxHash3.HashToUInt64(header[8..]));
        using var newer = new SimulatedFileSystem(image);
        StorageVersionException refusal = Assert.Throws<StorageVersionException>(
            () => StorageEnvironment.Open(new StorageOptions { FileSystem = newer }));
        Assert.Contains("data.voron", refusal.Message, StringComparison.Ordinal);
    }
}
