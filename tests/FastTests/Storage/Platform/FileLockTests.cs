using System.Globalization;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>The lock of a folder, on the real file system.</summary>
public sealed class FileLockTests : IDisposable
{
    private readonly string _folder = Directory.CreateTempSubdirectory("raven-lock-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    /// <summary>
    /// Starting a process copies all descriptors into it until the new program runs. An environment that is closed in
    /// that moment can be reopened at once.
    /// </summary>
    [Fact]
    public void A_lock_ends_with_its_file_though_another_process_has_a_copy_of_the_descriptor()
    {
        var files = new RealFileSystem(_folder);
        IFile first = files.Open("lock", FileOpenMode.Create);
        Assert.True(first.TryLock());
        int copy = NativeMethods.Duplicate(DescriptorOf(Path.Combine(_folder, "lock")));
        Assert.True(copy > 0);
        try
        {
            using IFile second = files.Open("lock", FileOpenMode.Create);
            Assert.False(second.TryLock());
            first.Dispose();
            Assert.True(second.TryLock());
        }
        finally
        {
            Assert.Equal(0, NativeMethods.Close(copy));
        }
    }

    /// <summary>The end of a file that never got the lock leaves the lock to its owner.</summary>
    [Fact]
    public void A_file_that_was_refused_the_lock_leaves_it_to_its_owner()
    {
        var files = new RealFileSystem(_folder);
        using IFile owner = files.Open("lock", FileOpenMode.Create);
        Assert.True(owner.TryLock());
        IFile refused = files.Open("lock", FileOpenMode.Create);
        Assert.False(refused.TryLock());
        refused.Dispose();
        using IFile third = files.Open("lock", FileOpenMode.Create);
        Assert.False(third.TryLock());
    }

    private static int DescriptorOf(string path)
    {
        foreach (string link in Directory.EnumerateFiles("/proc/self/fd"))
        {
            if (new FileInfo(link).LinkTarget == path)
            {
                return int.Parse(Path.GetFileName(link), CultureInfo.InvariantCulture);
            }
        }

        throw new InvalidOperationException($"Nobody has {path} open.");
    }
}
