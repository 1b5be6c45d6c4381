using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Shared.Storage;

/// <summary>
/// Another file system whose writes fail from a moment on although they are done, as on a disk whose answer is lost; or
/// whose files cannot be mapped, as if the system has no more maps.
/// </summary>
internal sealed class FailingFileSystem(IFileSystem inner) : IFileSystem
{
    private const int InputOutputNumber = 5;
    private const int NoMemoryNumber = 12;

    /// <summary>True while writes fail.</summary>
    internal bool Fails { get; set; }

    /// <summary>True while no file can be mapped.</summary>
    internal bool FailsMaps { get; set; }

    /// <summary>True while what files a folder has cannot be synced.</summary>
    internal bool FailsFolders { get; set; }

    public string Description => inner.Description;

    public bool Exists(string name) => inner.Exists(name);

    public IReadOnlyList<string> List() => inner.List();

    public IFile Open(string name, FileOpenMode mode) => new FailingFile(this, inner.Open(name, mode));

    public void Rename(string from, string to) => inner.Rename(from, to);

    public void Delete(string name) => inner.Delete(name);

    public void SyncDirectory()
    {
        if (FailsFolders)
        {
            throw new StorageIOException(Description, "syncing", InputOutputNumber, "Input/output error");
        }

        inner.SyncDirectory();
    }

    private sealed class FailingFile(FailingFileSystem owner, IFile file) : IFile
    {
        public string Name => file.Name;

        public long Length => file.Length;

        public int ReadAt(long offset, Span<byte> target) => file.ReadAt(offset, target);

        public void WriteAt(long offset, ReadOnlySpan<byte> source)
        {
            file.WriteAt(offset, source);
            if (owner.Fails)
            {
                throw new StorageIOException(file.Name, "writing", InputOutputNumber, "Input/output error");
            }
        }

        public void Sync() => file.Sync();

        public void SetLength(long length) => file.SetLength(length);

        public void Preallocate(long length) => file.Preallocate(length);

        public Raven.Blittable.Memory.MemoryMap MapReadOnly(long length) => owner.FailsMaps
            ? throw new StorageIOException(file.Name, "mapping", NoMemoryNumber, "Cannot allocate memory")
            : file.MapReadOnly(length);

        public bool TryLock() => file.TryLock();

        public void Dispose() => file.Dispose();
    }
}
