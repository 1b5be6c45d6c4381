using Microsoft.Win32.SafeHandles;

namespace Raven.Server.Http;

/// <summary>
/// Bytes in a temporary file that has no name any more, so that it ends with its handle, however the process ends. One
/// user at a time.
/// </summary>
internal sealed class SpillFile : IDisposable
{
    private readonly SafeFileHandle _handle;

    private SpillFile(SafeFileHandle handle) => _handle = handle;

    /// <summary>The bytes written.</summary>
    internal long Length { get; private set; }

    /// <summary>A new file in a folder; null where the system gives none.</summary>
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
            // No room, no file descriptor, no right: the answer is made without it.
            return null;
        }
    }

    /// <summary>Writes behind what is there; false, and nothing changed, where there is no room.</summary>
    internal bool TryAppend(ReadOnlySpan<byte> bytes)
    {
        try
        {
            RandomAccess.Write(_handle, bytes, Length);
        }
        catch (IOException)
        {
            // What was written in part lies behind the end and is never read.
            return false;
        }

        Length += bytes.Length;
        return true;
    }

    /// <summary>Reads as many bytes as there are, and as the target has room for.</summary>
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
