using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Storage.Files;

namespace Shared.Storage;

/// <summary>
/// Another file system on a clock that only it moves: each write of a journal takes the same time, and a sync of the
/// data file ends when enough of those have passed. If there are no writes meanwhile, as all writers wait for the sync
/// or have ended, the sync lets its own time pass. Any thread, on a file system that is for one.
/// </summary>
internal sealed class TimedFileSystem(IFileSystem inner, ManualClock clock) : IFileSystem, IDisposable
{
    private static readonly TimeSpan NobodyWritesAfter = TimeSpan.FromSeconds(8);

    private readonly Lock _inner = new();
    private volatile bool _writersEnded;

    /// <summary>What one write of a journal takes.</summary>
    internal TimeSpan JournalWriteTime { get; init; }

    /// <summary>What a sync of the data file takes.</summary>
    internal TimeSpan DataSyncTime { get; set; }

    /// <summary>Set once a sync of the data file has begun that takes any time.</summary>
    internal ManualResetEventSlim IsSyncing { get; } = new();

    public string Description => inner.Description;

    public bool Exists(string name) => inner.Exists(name);

    public IReadOnlyList<string> List() => inner.List();

    public IFile Open(string name, FileOpenMode mode) =>
        Alone(() => (IFile)new TimedFile(this, inner.Open(name, mode)));

    public void Rename(string from, string to) => Alone(() => inner.Rename(from, to));

    public void Delete(string name) => Alone(() => inner.Delete(name));

    public void SyncDirectory() => Alone(inner.SyncDirectory);

    /// <summary>There will be no more writes: a sync has none to wait for.</summary>
    internal void EndWriters() => _writersEnded = true;

    public void Dispose() => IsSyncing.Dispose();

    private void Alone(Action work)
    {
        lock (_inner)
        {
            work();
        }
    }

    private T Alone<T>(Func<T> work)
    {
        lock (_inner)
        {
            return work();
        }
    }

    private void PassDataSync()
    {
        long now = clock.GetTimestamp();
        long end = now + DataSyncTime.Ticks;
        if (now == end)
        {
            return;
        }

        IsSyncing.Set();
        long lastMove = Stopwatch.GetTimestamp();
        while (now < end && !_writersEnded && Stopwatch.GetElapsedTime(lastMove) < NobodyWritesAfter)
        {
            Thread.Sleep(1);
            long then = now;
            now = clock.GetTimestamp();
            lastMove = now == then ? lastMove : Stopwatch.GetTimestamp();
        }

        clock.Advance(TimeSpan.FromTicks(Math.Max(0, end - now)));
    }

    private sealed class TimedFile(TimedFileSystem owner, IFile inner) : IFile
    {
        public string Name => inner.Name;

        public long Length => inner.Length;

        public int ReadAt(long offset, Span<byte> target) => inner.ReadAt(offset, target);

        public void WriteAt(long offset, ReadOnlySpan<byte> source)
        {
            lock (owner._inner)
            {
                inner.WriteAt(offset, source);
            }

            owner.PassJournalWrite(Name);
        }

        public void Sync()
        {
            if (Name == "data.voron")
            {
                owner.PassDataSync();
            }

            owner.Alone(inner.Sync);
        }

        public void SetLength(long length) => owner.Alone(() => inner.SetLength(length));

        public void Preallocate(long length) => owner.Alone(() => inner.Preallocate(length));

        public MemoryMap MapReadOnly(long length) => inner.MapReadOnly(length);

        public bool TryLock() => inner.TryLock();

        public void Dispose() => inner.Dispose();
    }

    private void PassJournalWrite(string file)
    {
        if (file != "data.voron")
        {
            clock.Advance(JournalWriteTime);
        }
    }
}
