using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Storage.Transactions;

/// <summary>The files of a journal, and what is counted of them.</summary>
public sealed class JournalFilesTests
{
    private const int Incarnation = 1;

    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_new_journal_file_that_cannot_be_reopened_is_deleted_and_not_counted()
    {
        using var disk = new SimulatedFileSystem();
        using var files = new JournalFiles(disk, new StorageOptions { FileSystem = disk });
        disk.Fault = new DiskFault(DiskFaultKind.ReadError, disk.CallsOf(DiskFaultKind.ReadError), IsSticky: false);
        Assert.Throws<StorageIOException>(() => files.Take(1, Incarnation));
        Assert.True(disk.HasFailed);
        Assert.Empty(disk.CurrentImage().Files);
        Assert.Equal(0, files.TotalBytes);
        using JournalFile file = files.Take(1, Incarnation);
        Assert.Equal(file.LengthBytes, files.TotalBytes);
    }
}
