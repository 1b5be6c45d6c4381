namespace Raven.Server.Http;

/// <summary>
/// The memory that all answers of a server together use while they are made or wait for their clients. An answer that
/// gets no more of it uses a file of its own, which the page cache holds as long as the system has room, so that
/// neither long answers nor slow clients add up. Any thread.
/// </summary>
/// <param name="bytesMax">How many bytes answers keep, besides a segment or two of each.</param>
internal sealed class ResponseMemory(long bytesMax)
{
    private long _usedBytes;
    private long _spilledBytes;
    private long _fileCount;

    /// <summary>The folder of the files; if it is empty, answers keep all of their bytes in memory.</summary>
    internal string Folder { get; set; } = "";

    /// <summary>The bytes that are kept now.</summary>
    internal long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>The bytes that are in files now.</summary>
    internal long SpilledBytes => Volatile.Read(ref _spilledBytes);

    /// <summary>Takes so many bytes of the budget; false if there are not enough left.</summary>
    internal bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _usedBytes, bytes) <= bytesMax)
        {
            return true;
        }

        Give(bytes);
        return false;
    }

    /// <summary>Takes so many bytes, even above the budget: they can be nowhere else.</summary>
    internal void Take(int bytes) => Interlocked.Add(ref _usedBytes, bytes);

    /// <summary>Gives bytes back that were taken.</summary>
    internal void Give(long bytes) => Interlocked.Add(ref _usedBytes, -bytes);

    /// <summary>Counts bytes that were moved to a file; negative when the file is deleted.</summary>
    internal void CountSpilled(long bytes) => Interlocked.Add(ref _spilledBytes, bytes);

    /// <summary>How many answers have used a file.</summary>
    internal long FileCount => Volatile.Read(ref _fileCount);

    /// <summary>A file for an answer; null if none can be made.</summary>
    internal SpillFile? TryCreateFile()
    {
        SpillFile? file = Folder.Length == 0 ? null : SpillFile.TryCreate(Folder);
        _ = file is null ? 0 : Interlocked.Increment(ref _fileCount);
        return file;
    }
}
