using System.Globalization;
using System.Text;

namespace Raven.Server;

/// <summary>
/// The folder of all databases, held by this process alone: an exclusive lock on a file in it, which the system drops
/// when the process ends, however it ends.
/// </summary>
internal sealed class DataFolder : IDisposable
{
    internal const string LockFileName = "server.lock";

    private const int RemovalsMax = 50;

    private readonly FileStream _lock;
    private readonly bool _isTemporary;

    private DataFolder(string path, FileStream handle, bool isTemporary)
    {
        Path = path;
        _lock = handle;
        _isTemporary = isTemporary;
    }

    /// <summary>The full path.</summary>
    internal string Path { get; }

    /// <summary>A new folder that is deleted when it is disposed; in memory, if the system has such a place.</summary>
    internal static DataFolder CreateTemporary()
    {
        const string sharedMemory = "/dev/shm";
        string root = Directory.Exists(sharedMemory) ? sharedMemory : System.IO.Path.GetTempPath();
        return Acquire(System.IO.Path.Combine(root, $"raven-{Guid.NewGuid():N}"), isTemporary: true);
    }

    /// <summary>Takes the folder, and creates it if it is missing.</summary>
    /// <exception cref="ServerStartException">Another process holds it, or it cannot be used.</exception>
    internal static DataFolder Acquire(string path) => Acquire(path, isTemporary: false);

    private static DataFolder Acquire(string path, bool isTemporary)
    {
        if (File.Exists(path))
        {
            throw new ServerStartException($"The data folder {path} is a file, not a folder.");
        }

        string file = System.IO.Path.Combine(path, LockFileName);
        try
        {
            Directory.CreateDirectory(path);
            var handle = new FileStream(file, FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None, 1);
            try
            {
                // A refused process can read here which one holds the lock; on Windows the lock hides the text.
                handle.SetLength(0);
                handle.Write(Encoding.ASCII.GetBytes(
                    string.Create(CultureInfo.InvariantCulture, $"{Environment.ProcessId}\n")));
                handle.Flush();
                return new DataFolder(path, handle, isTemporary);
            }
            catch
            {
                handle.Dispose();
                throw;
            }
        }
        catch (IOException e) when (IsSharingViolation(e))
        {
            throw new ServerStartException(
                $"The data folder {path} is in use by another server (its process id is in {LockFileName}). "
                + "Stop that one, or give this one another folder with --DataDir.",
                e);
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            throw new ServerStartException($"The data folder {path} cannot be used: {e.Message}", e);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _lock.Dispose();
        for (int attempt = 1; _isTemporary && Directory.Exists(Path); attempt++)
        {
            try
            {
                Directory.Delete(Path, recursive: true);
            }
            catch (IOException) when (attempt < RemovalsMax)
            {
                // What was cancelled may still close a file that it has just made: it is removed with the others.
            }
        }
    }

    /// <summary>EWOULDBLOCK of flock on Unix, ERROR_SHARING_VIOLATION on Windows.</summary>
    private static bool IsSharingViolation(IOException e) => e.HResult is 11 or 35 or unchecked((int)0x80070020);
}
