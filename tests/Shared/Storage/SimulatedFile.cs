using System.IO.Hashing;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Files;

namespace Shared.Storage;

/// <summary>An open file of a <see cref="SimulatedFileSystem"/>.</summary>
internal sealed class SimulatedFile(
    SimulatedFileSystem disk, SimulatedInode inode, string name, FileOpenMode mode) : IFile
{
    private bool _hasLock;
    private bool _isClosed;

    public string Name { get; } = name;

    public long Length => inode.Length;

    public int ReadAt(long offset, Span<byte> target)
    {
        CheckAlignment(offset, target.Length);
        disk.BeforeLook(Name, "reading");
        int count = (int)Math.Clamp(inode.Length - offset, 0, target.Length);
        inode.Bytes.Slice((int)Math.Min(offset, inode.Length), count).CopyTo(target);
        return count;
    }

    public void WriteAt(long offset, ReadOnlySpan<byte> source)
    {
        CheckAlignment(offset, source.Length);
        if (Name.StartsWith("journal", StringComparison.Ordinal))
        {
            disk.BeforeJournalWrite?.Invoke(source.Length);
        }

        DiskFaultKind? fault = disk.Before(Name, "writing", offset + source.Length > inode.Length, isWrite: true);
        bool isShort = fault == DiskFaultKind.ShortWrite;
        Remember();
        ReadOnlySpan<byte> written = source[..(isShort ? source.Length / 2 / 512 * 512 : source.Length)];
        byte[]? data = null;
        if (disk.LogsData || fault == DiskFaultKind.FlippedBit)
        {
            data = GC.AllocateUninitializedArray<byte>(written.Length);
            written.CopyTo(data);
            written = data;
        }

        if (fault == DiskFaultKind.FlippedBit && data!.Length > 0)
        {
            int bit = (int)(XxHash3.HashToUInt64(data, offset) % (ulong)(data.Length * 8L));
            data[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        inode.Write(offset, written);
        disk.Log.Add(new DiskOperation(
            DiskOperationKind.Write, inode.Number, Offset: offset, Data: data,
            IsWriteThrough: mode.HasFlag(FileOpenMode.WriteThrough)));
        if (isShort)
        {
            throw SimulatedFileSystem.Error(Name, "writing");
        }
    }

    public void BeginWriteBack(long offset, long length) => disk.WriteBacks.Add((disk.Log.Count, offset, length));

    public void Sync()
    {
        if (disk.Before(Name, "syncing", needsSpace: false, isSync: true) == DiskFaultKind.LostSync)
        {
            if (inode.BeforeUnsynced is { } before)
            {
                inode.SetLength(before.Length);
                inode.Write(0, before);
                inode.BeforeUnsynced = null;
            }

            disk.Log.Add(new DiskOperation(DiskOperationKind.LostSync, inode.Number));
            throw SimulatedFileSystem.Error(Name, "syncing");
        }

        inode.BeforeUnsynced = null;
        disk.Log.Add(new DiskOperation(DiskOperationKind.Sync, inode.Number));
    }

    public void SetLength(long length)
    {
        disk.Before(Name, "setting the length", length > inode.Length);
        Remember();
        inode.SetLength(length);
        disk.Log.Add(new DiskOperation(DiskOperationKind.SetLength, inode.Number, Offset: length));
    }

    public void Preallocate(long length)
    {
        if (length > inode.Length)
        {
            SetLength(length);
        }
    }

    public MemoryMap MapReadOnly(long length)
    {
        disk.BeforeMap(Name);
        return inode.Map(length);
    }

    public bool TryLock()
    {
        disk.BeforeLook(Name, "locking");
        bool taken = !inode.IsLocked;
        inode.IsLocked |= taken;
        _hasLock |= taken;
        return taken;
    }

    public void Dispose()
    {
        inode.IsLocked &= !_hasLock;
        _hasLock = false;
        disk.OpenFiles -= _isClosed ? 0 : 1;
        _isClosed = true;
    }

    private void Remember()
    {
        if (disk.Fault is { Kind: DiskFaultKind.LostSync } && !mode.HasFlag(FileOpenMode.WriteThrough))
        {
            inode.BeforeUnsynced ??= inode.ToArray();
        }
    }

    private void CheckAlignment(long offset, int length)
    {
        if (mode.HasFlag(FileOpenMode.Direct) && (offset % 4096 != 0 || length % 4096 != 0))
        {
            throw new StorageIOException(Name, "direct I/O", 22, "Invalid argument");
        }
    }
}
