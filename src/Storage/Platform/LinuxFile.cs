using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Raven.Storage.Platform;

/// <summary>
/// A file by Linux system calls. A call interrupted by a signal is repeated; a short write is continued.
/// </summary>
internal sealed unsafe class LinuxFile : IFile
{
    private int _descriptor;
    private bool _locked;

    private LinuxFile(string name, int descriptor)
    {
        Name = name;
        _descriptor = descriptor;
    }

    public string Name { get; }

    public long Length
    {
        get
        {
            long length = Libc.Seek(_descriptor, 0, Libc.SeekEnd);
            return length >= 0 ? length : throw Failure(Name, "reading the length");
        }
    }

    internal static LinuxFile Open(string name, string path, FileOpenMode mode)
    {
        int flags = Libc.ReadWrite | Libc.CloseOnExec;
        flags |= mode.HasFlag(FileOpenMode.Create) ? Libc.Create : 0;
        flags |= mode.HasFlag(FileOpenMode.WriteThrough) ? Libc.DataSync : 0;
        int direct = mode.HasFlag(FileOpenMode.Direct) ? Libc.Direct : 0;
        int descriptor = Libc.Open(path, flags | direct, Libc.OwnerAndGroup);
        if (descriptor < 0 && direct != 0 && Marshal.GetLastPInvokeError() == Libc.InvalidArgument)
        {
            // A file system without O_DIRECT: the writes stay write-through.
            descriptor = Libc.Open(path, flags, Libc.OwnerAndGroup);
        }

        return descriptor >= 0 ? new LinuxFile(name, descriptor) : throw Failure(name, "opening");
    }

    /// <summary>
    /// True if the folder has the name, also for a link to nothing. Only the error for "no such entry" means no: with
    /// any other error the file may exist, and a new one must not replace it.
    /// </summary>
    internal static bool Exists(string name, string path)
    {
        int descriptor = Libc.Open(path, Libc.PathOnly | Libc.NoFollow | Libc.CloseOnExec, 0);
        if (descriptor >= 0)
        {
            _ = Libc.Close(descriptor);
            return true;
        }

        int error = Marshal.GetLastPInvokeError();
        return error == Libc.NoSuchEntry ? false : throw Failure(name, "looking for it", error);
    }

    internal static void SyncDirectory(string path)
    {
        int descriptor = Libc.Open(path, Libc.ReadOnly | Libc.Directory | Libc.CloseOnExec, 0);
        if (descriptor < 0)
        {
            throw Failure(path, "opening the folder");
        }

        int result = Libc.Sync(descriptor);
        int error = Marshal.GetLastPInvokeError();
        _ = Libc.Close(descriptor);
        if (result != 0)
        {
            throw Failure(path, "syncing the folder", error);
        }
    }

    public int ReadAt(long offset, Span<byte> target)
    {
        int done = 0;
        fixed (byte* start = target)
        {
            while (done < target.Length)
            {
                nint count = Libc.ReadAt(_descriptor, start + done, target.Length - done, offset + done);
                if (count == 0)
                {
                    break;
                }

                if (count > 0)
                {
                    done += (int)count;
                }
                else if (Marshal.GetLastPInvokeError() != Libc.Interrupted)
                {
                    throw Failure(Name, "reading");
                }
            }
        }

        return done;
    }

    public void WriteAt(long offset, ReadOnlySpan<byte> source)
    {
        int done = 0;
        fixed (byte* start = source)
        {
            while (done < source.Length)
            {
                nint count = Libc.WriteAt(_descriptor, start + done, source.Length - done, offset + done);
                if (count > 0)
                {
                    done += (int)count;
                }
                else if (count == 0)
                {
                    throw Failure(Name, "writing", Libc.NoSpaceLeft);
                }
                else if (Marshal.GetLastPInvokeError() != Libc.Interrupted)
                {
                    throw Failure(Name, "writing");
                }
            }
        }
    }

    public void BeginWriteBack(long offset, long length) =>
        _ = Libc.SyncRange(_descriptor, offset, length, Libc.BeginWriting);

    public void Sync()
    {
        if (Libc.SyncData(_descriptor) != 0)
        {
            throw Failure(Name, "syncing");
        }
    }

    public void SetLength(long length)
    {
        if (Libc.Truncate(_descriptor, length) != 0)
        {
            throw Failure(Name, "setting the length");
        }
    }

    public void Preallocate(long length)
    {
        long present = Length;
        if (length <= present)
        {
            return;
        }

        int result;
        do
        {
            result = Libc.Allocate(_descriptor, 0, present, length - present);
        }
        while (result != 0 && Marshal.GetLastPInvokeError() == Libc.Interrupted);
        if (result != 0)
        {
            if (Marshal.GetLastPInvokeError() != Libc.NotSupported)
            {
                throw Failure(Name, $"reserving {length - present} more bytes");
            }

            SetLength(length);
        }
    }

    public MemoryMap MapReadOnly(long length)
    {
        byte* start = Libc.Map(null, (nint)length, Libc.ProtectionRead, Libc.MapShared, _descriptor, 0);
        return start != (byte*)-1
            ? new MemoryMap(start, length, () => _ = Libc.Unmap(start, (nint)length))
            : throw Failure(Name, "mapping");
    }

    public bool TryLock()
    {
        if (Libc.Lock(_descriptor, Libc.LockExclusive | Libc.LockWithoutWaiting) == 0)
        {
            return _locked = true;
        }

        return Marshal.GetLastPInvokeError() == Libc.WouldBlock ? false : throw Failure(Name, "locking");
    }

    public void Dispose()
    {
        int descriptor = Interlocked.Exchange(ref _descriptor, -1);
        if (descriptor >= 0)
        {
            // A process that another thread is starting holds a copy of the descriptor until it runs its own program,
            // and the lock would live as long as that copy.
            if (_locked)
            {
                _ = Libc.Lock(descriptor, Libc.Unlock);
            }

            _ = Libc.Close(descriptor);
        }
    }

    private static StorageIOException Failure(string name, string operation) =>
        Failure(name, operation, Marshal.GetLastPInvokeError());

    private static StorageIOException Failure(string name, string operation, int error) =>
        new(name, operation, error, Marshal.GetPInvokeErrorMessage(error));
}
