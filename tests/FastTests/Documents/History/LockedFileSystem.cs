using Raven.Blittable.Memory;
using Raven.Storage.Files;

namespace FastTests.Documents.History;

/// <summary>A disk for one thread at a time, for several: their operations come one after the other.</summary>
internal sealed class LockedFileSystem(IFileSystem disk) : IFileSystem
{
    private readonly Lock _lock = new();

    public string Description => disk.Description;

    public bool Exists(string name)
    {
        lock (_lock)
        {
            return disk.Exists(name);
        }
    }

    public IReadOnlyList<string> List()
    {
        lock (_lock)
        {
            return disk.List();
        }
    }

    public IFile Open(string name, FileOpenMode mode)
    {
        lock (_lock)
        {
            return new LockedFile(disk.Open(name, mode), _lock);
        }
    }

    public void Rename(string from, string to)
    {
        lock (_lock)
        {
            disk.Rename(from, to);
        }
    }

    public void Delete(string name)
    {
        lock (_lock)
        {
            disk.Delete(name);
        }
    }

    public void SyncDirectory()
    {
        lock (_lock)
        {
            disk.SyncDirectory();
        }
    }

    private sealed class LockedFile(IFile file, Lock gate) : IFile
    {
        public string Name => file.Name;

        public long Length
        {
            get
            {
                lock (gate)
                {
                    return file.Length;
                }
            }
        }

        public int ReadAt(long offset, Span<byte> target)
        {
            lock (gate)
            {
                return file.ReadAt(offset, target);
            }
        }

        public void WriteAt(long offset, ReadOnlySpan<byte> source)
        {
            lock (gate)
            {
                file.WriteAt(offset, source);
            }
        }

        public void Sync()
        {
            lock (gate)
            {
                file.Sync();
            }
        }

        public void SetLength(long length)
        {
            lock (gate)
            {
                file.SetLength(length);
            }
        }

        public void Preallocate(long length)
        {
            lock (gate)
            {
                file.Preallocate(length);
            }
        }

        public MemoryMap MapReadOnly(long length)
        {
            lock (gate)
            {
                return file.MapReadOnly(length);
            }
        }

        public bool TryLock()
        {
            lock (gate)
            {
                return file.TryLock();
            }
        }

        public void Dispose()
        {
            lock (gate)
            {
                file.Dispose();
            }
        }
    }
}
