using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Raven.Storage.Platform;
using Raven.Storage.Transactions;

namespace FastTests.Storage.Platform;

/// <summary>A file that cannot be examined is not absent: an environment is only made if there is none.</summary>
[Trait(Proof.Row, Proof.DiskErrors)]
public sealed class AbsentFileTests : IDisposable
{
    private const string DataName = "data.voron";
    private const int NotADirectory = 20;
    private const int BadDescriptor = 9;

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-absent-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>As if the file is on another disk, which is not mounted.</summary>
    [Fact]
    public void A_data_file_that_cannot_be_reached_is_not_replaced_by_an_empty_one()
    {
        string link = Path.Combine(_folder, DataName);
        string target = Path.Combine(_folder, "not-mounted", DataName);
        File.CreateSymbolicLink(link, target);
        StorageIOException failure = Assert.Throws<StorageIOException>(
            () => StorageEnvironment.Open(new StorageOptions { FileSystem = new RealFileSystem(_folder) }));
        Assert.Equal((DataName, "opening"), (failure.File, failure.Operation));
        Assert.Equal(target, new FileInfo(link).LinkTarget);
    }

    [Fact]
    public void A_folder_that_cannot_be_listed_is_an_error_and_not_an_empty_one()
    {
        string folder = Path.Combine(_folder, "store");
        var files = new RealFileSystem(folder);
        Assert.False(files.Exists(DataName));
        Assert.Empty(files.List());
        Directory.Delete(folder);
        File.WriteAllText(folder, "no folder");
        StorageIOException failure = Assert.Throws<StorageIOException>(() => files.Exists(DataName));
        Assert.Equal((DataName, NotADirectory), (failure.File, failure.ErrorNumber));
        Assert.Throws<StorageIOException>(() => files.List());
    }

    [Fact]
    public void A_name_that_belongs_to_a_folder_exists_and_cannot_be_deleted_as_a_file()
    {
        var files = new RealFileSystem(_folder);
        Directory.CreateDirectory(Path.Combine(_folder, DataName));
        Assert.True(files.Exists(DataName));
        Assert.Throws<StorageIOException>(() => files.Delete(DataName));
    }

    [Fact]
    public void A_lock_request_that_fails_is_an_error_and_not_a_lock_held_by_another()
    {
        IFile file = new RealFileSystem(_folder).Open("lock", FileOpenMode.Create);
        file.Dispose();
        StorageIOException failure = Assert.Throws<StorageIOException>(() => file.TryLock());
        Assert.Equal(("lock", BadDescriptor), (failure.File, failure.ErrorNumber));
    }
}
