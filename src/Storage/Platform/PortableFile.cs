using System.IO.MemoryMappedFiles;
using Microsoft.Win32.SafeHandles;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Raven.Storage.Platform;

/// <summary>
/// A file by the portable calls of .NET. Not tested outside of Linux. A map cannot extend beyond the end of a file
/// here, so the file is extended to the map's length first.
/// </summary>
internal sealed unsafe class PortableFile : IFile
{
    private readonly string _path;
    private readonly SafeFileHandle _handle;
    private FileStream? _lock;

    private PortableFile(string name, string path, SafeFileHandle handle)
    {
        Name = name;
        _path = path;
        _handle = handle;
    }

    public string Name { get; }

    public long Length => RandomAccess.GetLength(_handle);

    internal static PortableFile Open(string name, string path, FileOpenMode mode)
    {
        try
        {
            return new PortableFile(name, path, File.OpenHandle(
                path,
                mode.HasFlag(FileOpenMode.Create) ? FileMode.OpenOrCreate : FileMode.Open,
                FileAccess.ReadWrite,
                FileShare.ReadWrite | FileShare.Delete,
                mode.HasFlag(FileOpenMode.WriteThrough) ? FileOptions.WriteThrough : FileOptions.None));
        }
        catch (IOException failure)
        {
            throw Failure(name, "opening", failure);
        }
    }

    public int ReadAt(long offset, Span<byte> target)
    {
        int done = 0;
        while (done < target.Length)
        {
            int count;
            try
            {
                count = RandomAccess.Read(_handle, target[done..], offset + done);
            }
            catch (IOException failure)
            {
                throw Failure(Name, "reading", failure);
            }

            if (count == 0)
            {
                break;
            }

            done += count;
        }

        return done;
    }

    public void WriteAt(long offset, ReadOnlySpan<byte> source)
    {
        try
        {
            RandomAccess.Write(_handle, source, offset);
        }
        catch (IOException failure)
        {
            throw Failure(Name, "writing", failure);
        }
    }

    public void Sync()
    {
        try
        {
            RandomAccess.FlushToDisk(_handle);
        }
        catch (IOException failure)
        {
            throw Failure(Name, "syncing", failure);
        }
    }

    public void SetLength(long length)
    {
        try
        {
            RandomAccess.SetLength(_handle, length);
        }
        catch (IOException failure)
        {
            throw Failure(Name, "setting the length", failure);
        }
    }

    public void Preallocate(long length)
    {
        if (length > Length)
        {
            SetLength(length);
        }
    }

    public MemoryMap MapReadOnly(long length)
    {
        Preallocate(length);
        MemoryMappedFile file = MemoryMappedFile.CreateFromFile(
            _handle, null, length, MemoryMappedFileAccess.Read, HandleInheritability.None, leaveOpen: true);
        MemoryMappedViewAccessor view = file.CreateViewAccessor(0, length, MemoryMappedFileAccess.Read);
        byte* start = null;
        view.SafeMemoryMappedViewHandle.AcquirePointer(ref start);
        return new MemoryMap(start, length, () =>
        {
            view.SafeMemoryMappedViewHandle.ReleasePointer();
            view.Dispose();
            file.Dispose();
        });
    }

    public bool TryLock()
    {
        try
        {
            _lock = new FileStream(_path + ".lock", FileMode.OpenOrCreate, FileAccess.ReadWrite, FileShare.None);
            return true;
        }
        catch (IOException)
        {
            return false;
        }
    }

    public void Dispose()
    {
        _lock?.Dispose();
        _handle.Dispose();
    }

    private static StorageIOException Failure(string name, string operation, IOException failure) =>
        new(name, operation, failure.HResult & 0xFFFF, failure.Message);
}
