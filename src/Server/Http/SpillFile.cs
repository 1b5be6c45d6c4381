using Microsoft.Win32.SafeHandles;

namespace Raven.Server.Http;

/// <summary>
/// Bytes in a temporary file without a name, so that the system frees it with its handle, however the process ends. One
/// user at a time.
/// </summary>
internal sealed class SpillFile : IDisposable
{
    private readonly SafeFileHandle _handle;

    private SpillFile(SafeFileHandle handle) => _handle = handle;

    /// <summary>The bytes written.</summary>
    internal long Length { get; private set; }

    /// <summary>A new file in a folder; null if the system makes none.</summary>
    internal static SpillFile? TryCreate(string folder)
    {
        string path = Path.Combine(folder, $"answer-{Guid.NewGuid():N}.tmp");
        try
        {
            FileOptions options = OperatingSystem.IsWindows() ? FileOptions.DeleteOnClose : FileOptions.None;
            SafeFileHandle handle = File.OpenHandle(
                path, FileMode.CreateNew, FileAccess.ReadWrite, FileShare.Delete, options);
            if (!OperatingSystem.IsWindows())
            {
                File.Delete(path);
            }

            return new SpillFile(handle);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // No room, no file descriptor, no permission: the answer is made without a file.
            return null;
        }
    }

    /// <summary>Appends bytes; false, and nothing changed, if there is no room.</summary>
    internal bool TryAppend(ReadOnlySpan<byte> bytes)
    {
        try
        {
            RandomAccess.Write(_handle, bytes, Length);
        }
        catch (IOException)
        {
            // Bytes that were written in part lie behind the end and are never read.
            return false;
        }

        Length += bytes.Length;
        return true;
    }

    /// <summary>Reads as many bytes as there are, up to the size of the target.</summary>
    /// <exception cref="IOException">The file cannot be read.</exception>
    internal int Read(long offset, Span<byte> target)
    {
        Span<byte> wanted = target[..(int)Math.Min(target.Length, Length - offset)];
        int done = 0;
        while (done < wanted.Length)
        {
            int count = RandomAccess.Read(_handle, wanted[done..], offset + done);
            if (count == 0)
            {
                throw new EndOfStreamException("A temporary file of an answer has become shorter.");
            }

            done += count;
        }

        return done;
    }

    /// <inheritdoc/>
    public void Dispose() => _handle.Dispose();
}
