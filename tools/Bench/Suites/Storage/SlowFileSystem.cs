using Raven.Blittable.Memory;
using Raven.Storage.Files;

namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>
/// Another file system whose journal writes and syncs take longer, as on a slower disk; counts the journal's bytes.
/// </summary>
internal sealed class SlowFileSystem(IFileSystem inner, TimeSpan delay) : IFileSystem
{
    private const double DelaysPerMegabyte = 10;

    private long _journalBytes;
    private int _journalRecords;

    /// <summary>The bytes of journal records.</summary>
    internal long JournalBytes => Volatile.Read(ref _journalBytes);

    /// <summary>The journal records: one for each commit.</summary>
    internal int JournalRecords => Volatile.Read(ref _journalRecords);

    public string Description => inner.Description;

    public bool Exists(string name) => inner.Exists(name);

    public IReadOnlyList<string> List() => inner.List();

    public IFile Open(string name, FileOpenMode mode) =>
        new SlowFile(this, inner.Open(name, mode), mode.HasFlag(FileOpenMode.WriteThrough));

    public void Rename(string from, string to) => inner.Rename(from, to);

    public void Delete(string name) => inner.Delete(name);

    public void SyncDirectory() => inner.SyncDirectory();

    private void Wait(long bytes)
    {
        if (delay > TimeSpan.Zero)
        {
            Thread.Sleep(delay * (1 + (bytes / 1e6 * DelaysPerMegabyte)));
        }
    }

    private sealed class SlowFile(SlowFileSystem owner, IFile file, bool isJournal) : IFile
    {
        public string Name => file.Name;

        public long Length => file.Length;

        public int ReadAt(long offset, Span<byte> target) => file.ReadAt(offset, target);

        public void WriteAt(long offset, ReadOnlySpan<byte> source)
        {
            if (isJournal)
            {
                // Zeros that prepare a new file's blocks are no part of a record, but the disk takes its time for them.
                bool isRecord = source.ContainsAnyExcept((byte)0);
                Interlocked.Add(ref owner._journalBytes, isRecord ? source.Length : 0);
                Interlocked.Add(ref owner._journalRecords, isRecord ? 1 : 0);
                owner.Wait(source.Length);
            }

            file.WriteAt(offset, source);
        }

        public void Sync()
        {
            owner.Wait(0);
            file.Sync();
        }

        public void BeginWriteBack(long offset, long length) => file.BeginWriteBack(offset, length);

        public void SetLength(long length) => file.SetLength(length);

        public void Preallocate(long length) => file.Preallocate(length);

        public MemoryMap MapReadOnly(long length) => file.MapReadOnly(length);

        public bool TryLock() => file.TryLock();

        public void Dispose() => file.Dispose();
    }
}
