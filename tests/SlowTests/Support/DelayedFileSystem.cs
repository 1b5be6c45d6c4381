using Raven.Blittable.Memory;
using Raven.Storage.Files;

namespace SlowTests.Support;

/// <summary>Another file system whose writes take longer when a test asks for it.</summary>
internal sealed class DelayedFileSystem(IFileSystem inner) : IFileSystem
{
    private long _delayTicks;

    /// <summary>What each write takes besides.</summary>
    internal TimeSpan WriteDelay
    {
        get => TimeSpan.FromTicks(Volatile.Read(ref _delayTicks));
        set => Volatile.Write(ref _delayTicks, value.Ticks);
    }

    public string Description => inner.Description;

    public bool Exists(string name) => inner.Exists(name);

    public IReadOnlyList<string> List() => inner.List();

    public IFile Open(string name, FileOpenMode mode) => new DelayedFile(this, inner.Open(name, mode));

    public void Rename(string from, string to) => inner.Rename(from, to);

    public void Delete(string name) => inner.Delete(name);

    public void SyncDirectory() => inner.SyncDirectory();

    private sealed class DelayedFile(DelayedFileSystem owner, IFile file) : IFile
    {
        public string Name => file.Name;

        public long Length => file.Length;

        public int ReadAt(long offset, Span<byte> target) => file.ReadAt(offset, target);

        public void WriteAt(long offset, ReadOnlySpan<byte> source)
        {
            if (owner.WriteDelay > TimeSpan.Zero)
            {
                Thread.Sleep(owner.WriteDelay);
            }

            file.WriteAt(offset, source);
        }

        public void Sync() => file.Sync();

        public void SetLength(long length) => file.SetLength(length);

        public void Preallocate(long length) => file.Preallocate(length);

        public MemoryMap MapReadOnly(long length) => file.MapReadOnly(length);

        public bool TryLock() => file.TryLock();

        public void Dispose() => file.Dispose();
    }
}
