using System.Buffers.Binary;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;

namespace Raven.Storage.Journal;

//   SPOOL-1  While an archive is on, a journal file with records is neither used again nor deleted before the archive
//            has them: it gets another name. The folder says that it is on, so that the next open does the same with
//            what a crash left.
//   SPOOL-2  The archive stops no writer: if the files that wait for it have too many bytes, or the disk is full, it is
//            given up, and the journal goes on as without one. What it lacks from then on shows, as the records name
//            each other.

/// <summary>The journal files that wait until they are archived. Any thread.</summary>
internal sealed class JournalSpool(IFileSystem files, StorageOptions options)
{
    private readonly Lock _lock = new();
    private readonly SortedDictionary<long, long> _lengths = [];
    private volatile bool _isOn;
    private volatile string? _failure;
    private long _bytes;
    private long _from = long.MaxValue;

    /// <summary>Whether records are archived: then they must have all that they change in them.</summary>
    internal bool IsOn => _isOn;

    /// <summary>The transaction behind which all records have all that they change in them.</summary>
    internal long From => Volatile.Read(ref _from);

    /// <summary>Why it was given up; null if it was not.</summary>
    internal string? Failure => _failure;

    /// <summary>The bytes of the files that wait.</summary>
    internal long Bytes => Volatile.Read(ref _bytes);

    /// <summary>The uses of the journal whose files wait, in their order.</summary>
    internal long[] Incarnations()
    {
        lock (_lock)
        {
            return [.. _lengths.Keys];
        }
    }

    /// <summary>Finds what an earlier use of the folder left, before any file of the journal is used again.</summary>
    internal void Open(ulong environmentId)
    {
        IReadOnlyList<string> names = files.List();
        if (!names.Contains(ArchiveName.Marker))
        {
            return;
        }

        _isOn = true;
        ReadMarker();
        foreach (string name in names)
        {
            if (ArchiveName.TryParse(name, out long incarnation))
            {
                using IFile file = files.Open(name, FileOpenMode.Existing);
                Add(incarnation, file.Length);
            }
            else if (JournalName.TryParse(name, out _)
                && TryReadFirst(name, environmentId, out JournalRecordHeader first, out long length)
                && HasRoom(length))
            {
                files.Rename(name, ArchiveName.Of(first.Incarnation));
                Add(first.Incarnation, length);
            }
        }

        files.SyncDirectory();
    }

    /// <summary>Switches it on, durably; again if it was given up.</summary>
    /// <param name="from">The last transaction: no later one was begun.</param>
    internal void TurnOn(long from)
    {
        lock (_lock)
        {
            if (!_isOn || From == long.MaxValue)
            {
                WriteMarker(from);
                Volatile.Write(ref _from, from);
            }

            _failure = null;
            _isOn = true;
        }
    }

    /// <summary>Switches it off, and removes the files that wait.</summary>
    internal void TurnOff()
    {
        lock (_lock)
        {
            _isOn = false;
            _failure = null;
            Volatile.Write(ref _from, long.MaxValue);
            files.Delete(ArchiveName.Marker);
            RemoveUpTo(long.MaxValue);
            files.SyncDirectory();
        }
    }

    /// <summary>Removes the files of all uses up to one: the archive has them.</summary>
    internal void Release(long incarnation)
    {
        lock (_lock)
        {
            RemoveUpTo(incarnation);
        }
    }

    /// <summary>Keeps a file of which the journal needs nothing anymore (SPOOL-1), and closes it.</summary>
    /// <returns>False if the journal may use it again: it is as it was.</returns>
    internal bool TryTake(JournalFile file)
    {
        if (!_isOn || _failure is not null || file.Offset == 0)
        {
            return false;
        }

        lock (_lock)
        {
            if (!HasRoom(file.Offset))
            {
                return false;
            }

            try
            {
                file.Handle.SetLength(file.Offset);
                file.Dispose();
                files.Rename(file.Handle.Name, ArchiveName.Of(file.Incarnation));
                Add(file.Incarnation, file.Offset);
            }
            catch (StorageIOException failure)
            {
                // It may have been cut, and is not used again; the next open takes it as it is.
                file.Dispose();
                GiveUp(failure.Message);
            }

            return true;
        }
    }

    /// <summary>Removes the files that wait because the disk is full (SPOOL-2).</summary>
    /// <returns>False if there are none.</returns>
    internal bool TryMakeRoom()
    {
        lock (_lock)
        {
            if (_lengths.Count == 0)
            {
                return false;
            }

            GiveUp("the disk is full, and writers need the room");
            int count = _lengths.Count;
            try
            {
                RemoveUpTo(long.MaxValue);
            }
            catch (StorageIOException)
            {
                // The full disk is the failure to report.
            }

            return _lengths.Count < count;
        }
    }

    private void WriteMarker(long from)
    {
        Span<byte> bytes = stackalloc byte[2 * sizeof(long)];
        BinaryPrimitives.WriteInt64LittleEndian(bytes, from);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[sizeof(long)..], ~from);
        using (IFile marker = files.Open(ArchiveName.Marker, FileOpenMode.Create))
        {
            marker.WriteAt(0, bytes);
            marker.Sync();
        }

        files.SyncDirectory();
    }

    /// <summary>A marker that is not whole is one that was being written: it is written anew when it is switched on.
    /// </summary>
    private void ReadMarker()
    {
        Span<byte> bytes = stackalloc byte[2 * sizeof(long)];
        using IFile marker = files.Open(ArchiveName.Marker, FileOpenMode.Existing);
        long from = marker.ReadAt(0, bytes) == bytes.Length ? BinaryPrimitives.ReadInt64LittleEndian(bytes) : 0;
        bool isWhole = from == ~BinaryPrimitives.ReadInt64LittleEndian(bytes[sizeof(long)..]);
        Volatile.Write(ref _from, isWhole ? from : long.MaxValue);
    }

    private bool HasRoom(long length)
    {
        if (_failure is null && _bytes + length > options.ArchiveBytesMax)
        {
            GiveUp($"{_bytes} bytes wait for it, and {options.ArchiveBytesMax} may");
        }

        return _failure is null;
    }

    private void GiveUp(string why)
    {
        _failure = why;
        options.Report(
            isWarning: true,
            $"the archive of the journal has a gap from now on until the next backup: {why}.");
    }

    private void Add(long incarnation, long length)
    {
        _lengths[incarnation] = length;
        Volatile.Write(ref _bytes, _bytes + length);
    }

    private void RemoveUpTo(long incarnation)
    {
        while (_lengths.Count > 0 && _lengths.First() is var (first, length) && first <= incarnation)
        {
            files.Delete(ArchiveName.Of(first));
            _lengths.Remove(first);
            Volatile.Write(ref _bytes, _bytes - length);
        }
    }

    private bool TryReadFirst(string name, ulong environmentId, out JournalRecordHeader first, out long length)
    {
        using IFile file = files.Open(name, FileOpenMode.Existing);
        Span<byte> head = stackalloc byte[JournalRecordHeader.SizeInBytes];
        length = file.Length;
        int read = file.ReadAt(0, head);
        return JournalRecordHeader.TryReadHead(head[..read], environmentId, out first) && first.FileOffset == 0;
    }
}
