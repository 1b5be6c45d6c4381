using System.Runtime.InteropServices;
using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Platform;

namespace FastTests.Storage.Platform;

/// <summary>
/// Calls that the kernel ends before they are done. That is settled below the file seam (a caller of
/// <see cref="IFile"/> never sees a short count or an interruption), so it is tested on the real one, with a file of
/// the kernel that does such a thing; interruptions come from strace (<c>tools/Stress strace</c>).
/// </summary>
public sealed class ShortCallTests : IDisposable
{
    private const int PageSize = 4096;

    private readonly string _empty = Path.GetTempFileName();

    public void Dispose() => File.Delete(_empty);

    /// <summary>
    /// The memory of this process as a file: behind a page that can be written comes one that cannot even be read, and
    /// a call over both ends after the first of them with the count so far.
    /// </summary>
    [Fact]
    [Trait(Proof.Row, Proof.DiskErrors)]
    public void A_call_that_returns_a_short_count_is_continued_and_the_error_behind_it_is_reported()
    {
        nint memory = NativeMethods.MemoryMap(
            0, 2 * PageSize, NativeMethods.ReadAndWrite, NativeMethods.PrivateAndAnonymous, -1, 0);
        Assert.NotEqual(-1, memory);
        try
        {
            MapNothingAt(memory + PageSize);
            using IFile self = new RealFileSystem("/proc/self").Open("mem", FileOpenMode.Existing);
            byte[] bytes = new byte[2 * PageSize];
            bytes.AsSpan().Fill(7);
            StorageIOException failure = Assert.Throws<StorageIOException>(() => self.WriteAt(memory, bytes));
            Assert.Equal(("mem", "writing"), (failure.File, failure.Operation));
            Assert.Equal(7, Marshal.ReadByte(memory + PageSize - 1));
            bytes.AsSpan().Clear();
            failure = Assert.Throws<StorageIOException>(() => self.ReadAt(memory, bytes));
            Assert.Equal(("mem", "reading"), (failure.File, failure.Operation));
            Assert.Equal(7, bytes[PageSize - 1]);
        }
        finally
        {
            Assert.Equal(0, NativeMethods.MemoryUnmap(memory, 2 * PageSize));
        }
    }

    /// <summary>
    /// A page of a file that has none: it is mapped, so no other mapping gets the place, and cannot be touched.
    /// </summary>
    private void MapNothingAt(nint address)
    {
        using FileStream file = File.OpenRead(_empty);
        Assert.Equal(address, NativeMethods.MemoryMap(
            address, PageSize, NativeMethods.ReadOnly, NativeMethods.SharedAtAddress,
            (int)file.SafeFileHandle.DangerousGetHandle(), 0));
    }
}
