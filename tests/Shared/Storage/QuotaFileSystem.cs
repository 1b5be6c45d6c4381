using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Shared.Storage;

/// <summary>Another file system that is full when its files have a total length.</summary>
internal sealed class QuotaFileSystem(IFileSystem inner) : IFileSystem
{
    private const int NoSpaceNumber = 28;

    /// <summary>Files come and go by more than one thread: none goes between being listed and being measured.</summary>
    private readonly Lock _names = new();

    /// <summary>The bytes that files may have together.</summary>
    internal long BytesMax { get; set; } = long.MaxValue;

    public string Description => inner.Description;

    /// <summary>The bytes that they have.</summary>
    internal long UsedBytes
    {
        get
        {
            lock (_names)
            {
                return inner.List().Sum(name =>
                {
                    using IFile file = inner.Open(name, FileOpenMode.Existing);
                    return file.Length;
                });
            }
        }
    }

    public bool Exists(string name) => inner.Exists(name);

    public IReadOnlyList<string> List() => inner.List();

    public IFile Open(string name, FileOpenMode mode) => new QuotaFile(this, inner.Open(name, mode));

    public void Rename(string from, string to)
    {
        lock (_names)
        {
            inner.Rename(from, to);
        }
    }

    public void Delete(string name)
    {
        lock (_names)
        {
            inner.Delete(name);
        }
    }

    public void SyncDirectory() => inner.SyncDirectory();

    private void Require(IFile file, long length)
    {
        if (length > file.Length && UsedBytes + length - file.Length > BytesMax)
        {
            throw new StorageIOException(file.Name, "growing", NoSpaceNumber, "No space left on device");
        }
    }

    private sealed class QuotaFile(QuotaFileSystem owner, IFile file) : IFile
    {
        public string Name => file.Name;

        public long Length => file.Length;

        public int ReadAt(long offset, Span<byte> target) => file.ReadAt(offset, target);

        public void WriteAt(long offset, ReadOnlySpan<byte> source)
        {
            owner.Require(file, offset + source.Length);
            file.WriteAt(offset, source);
        }

        public void Sync() => file.Sync();

        public void SetLength(long length)
        {
            owner.Require(file, length);
            file.SetLength(length);
        }

        public void Preallocate(long length)
        {
            owner.Require(file, length);
            file.Preallocate(length);
        }

        public Raven.Blittable.Memory.MemoryMap MapReadOnly(long length) => file.MapReadOnly(length);

        public bool TryLock() => file.TryLock();

        public void Dispose() => file.Dispose();
    }
}
