namespace Raven.Server.Http;

/// <summary>
/// The memory that all answers of a server together keep while they are made or wait for their clients. An answer that
/// gets no more of it goes on in a file of its own, which the page cache holds as long as the system has room, so that
/// neither long answers nor slow clients add up. Any thread.
/// </summary>
/// <param name="bytesMax">How many bytes answers keep, besides a segment or two of each.</param>
internal sealed class ResponseMemory(long bytesMax)
{
    private long _usedBytes;
    private long _spilledBytes;
    private long _fileCount;

    /// <summary>Where files are made; empty for nowhere: then answers keep all of their bytes in memory.</summary>
    internal string Folder { get; set; } = "";

    /// <summary>The bytes that are kept now.</summary>
    internal long UsedBytes => Volatile.Read(ref _usedBytes);

    /// <summary>The bytes that are in files now.</summary>
    internal long SpilledBytes => Volatile.Read(ref _spilledBytes);

    /// <summary>Takes so many bytes of the whole; false where they are not to be had.</summary>
    internal bool TryTake(int bytes)
    {
        if (Interlocked.Add(ref _usedBytes, bytes) <= bytesMax)
        {
            return true;
        }

        Give(bytes);
        return false;
    }

    /// <summary>Takes bytes that have nowhere else to be.</summary>
    internal void Take(int bytes) => Interlocked.Add(ref _usedBytes, bytes);

    /// <summary>Gives bytes back that were taken.</summary>
    internal void Give(long bytes) => Interlocked.Add(ref _usedBytes, -bytes);

    /// <summary>Counts bytes that went to a file, or with a minus those that went with it.</summary>
    internal void CountSpilled(long bytes) => Interlocked.Add(ref _spilledBytes, bytes);

    /// <summary>How many answers have gone on in a file.</summary>
    internal long FileCount => Volatile.Read(ref _fileCount);

    /// <summary>A file for an answer; null where there is none to be had.</summary>
    internal SpillFile? TryCreateFile()
    {
        SpillFile? file = Folder.Length == 0 ? null : SpillFile.TryCreate(Folder);
        _ = file is null ? 0 : Interlocked.Increment(ref _fileCount);
        return file;
    }
}
