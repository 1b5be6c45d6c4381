using Raven.Storage.Errors;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Journal;

/// <summary>
/// Appends sealed records to the journal, each with one write. One caller at a time; <see cref="Recycle"/> and
/// <see cref="Settle"/> may run beside it.
/// </summary>
internal sealed class JournalWriter : IDisposable
{
    // A first write into reserved blocks costs a small record as much as growing the file, about twice as much as
    // overwriting blocks; a large record hardly more. docs/decisions/0020 has the figures.
    private const int BytesAhead = 256 << 10;
    private const int SmallRecordBytesMax = 64 << 10;

    /// <summary>Only read, so one copy serves all environments of the process; never freed.</summary>
    private static readonly Lazy<NativeBuffer> Zeros = new(() =>
    {
        var zeros = new NativeBuffer(BytesAhead);
        zeros.Span.Clear();
        return zeros;
    });

    private readonly JournalFiles _files;
    private readonly StorageOptions _options;
    private readonly FaultLatch _faults;
    private readonly Lock _lock = new();
    private readonly Lock _syncLock = new();
    private readonly List<JournalFile> _inUse = [];
    private JournalFile? _current;
    private long _nextIncarnation;
    private long _backlogBytes;

    internal JournalWriter(JournalFiles files, StorageOptions options, FaultLatch faults, long nextIncarnation)
    {
        _files = files;
        _faults = faults;
        _options = options;
        _nextIncarnation = nextIncarnation;
    }

    /// <summary>True once a file is in use; before that, the header must name the first file.</summary>
    internal bool IsStarted => _current is not null;

    /// <summary>The bytes of records that recovery would read: those behind the state in the header.</summary>
    internal long BacklogBytes => Volatile.Read(ref _backlogBytes);

    internal JournalFiles Files => _files;

    internal long NextIncarnation => _nextIncarnation;

    /// <summary>Takes the first file and says in <paramref name="point"/> where it starts.</summary>
    internal void Start(long bytes, ref CommitPoint point)
    {
        _current = _files.Take(WithSwitch(bytes), _nextIncarnation++);
        lock (_lock)
        {
            _inUse.Add(_current);
        }

        _current.SetPosition(ref point, 0);
    }

    /// <summary>True if a record of this size goes into another file than the record before.</summary>
    internal bool NeedsSwitch(long bytes) => _current!.Offset + WithSwitch(bytes) > _current.LengthBytes;

    /// <summary>
    /// Continues in another file while no record is being written: the next record names the switch as the one
    /// before it.
    /// </summary>
    internal void Switch(ref JournalRecordHeader header, Span<byte> switchRecord) =>
        header.PreviousHash = SwitchFile(header, switchRecord);

    /// <summary>Takes the place of a record, and says in <paramref name="point"/> where the next one goes.</summary>
    /// <returns>The file to write it to.</returns>
    internal JournalFile Reserve(ref JournalRecordHeader header, ref CommitPoint point)
    {
        JournalFile current = _current!;
        header.Incarnation = current.Incarnation;
        header.FileOffset = current.Offset;
        lock (_lock)
        {
            current.Offset += header.SizeInFileBytes;
            current.LastTransaction = header.TransactionId;
        }

        Interlocked.Add(ref _backlogBytes, header.SizeInFileBytes);
        current.SetPosition(ref point, current.Offset);
        return current;
    }

    /// <summary>Writes a sealed record to its place; durable when it returns, unless lazy.</summary>
    internal void Append(JournalFile file, in JournalRecordHeader header, ReadOnlySpan<byte> record) =>
        Write(file, header.FileOffset, record);

    /// <summary>
    /// Waits until the records of a lazy environment are on the medium. No file is given back meanwhile.
    /// </summary>
    internal void Sync()
    {
        lock (_syncLock)
        {
            JournalFile[] files;
            lock (_lock)
            {
                files = [.. _inUse];
            }

            foreach (JournalFile file in files)
            {
                Sync(file);
            }
        }
    }

    /// <summary>If a state was the last one of its file, makes it point to the next file instead.</summary>
    internal void Settle(ref CommitPoint point)
    {
        lock (_lock)
        {
            foreach (JournalFile file in _inUse)
            {
                if (file.Number == point.JournalFileNumber && file.LastTransaction <= point.TransactionId
                    && file.Next is { } next)
                {
                    next.SetPosition(ref point, 0);
                    point.ChainHash = file.SwitchHash;
                }
            }
        }
    }

    /// <summary>Gives back the files before the one that a durable header names.</summary>
    internal void Recycle(in CommitPoint applied)
    {
        using Lock.Scope syncing = _syncLock.EnterScope();
        int done;
        lock (_lock)
        {
            long number = applied.JournalFileNumber;
            int count = _inUse.FindIndex(file => file.Number == number);
            done = Math.Max(count, 0);
            if (count >= 0 && _inUse.Count > done)
            {
                // The file stays, but what precedes the header's place in it no longer counts: otherwise one
                // transaction above the bound of the backlog would stop writers forever.
                JournalFile first = _inUse[done];
                long appliedBytes = first.Number == number ? applied.JournalOffset : 0;
                Interlocked.Add(ref _backlogBytes, first.AppliedBytes - appliedBytes);
                first.AppliedBytes = appliedBytes;
            }
        }

        // One at a time: if the disk refuses to delete one, the others are still listed, to be given back or
        // closed later.
        for (; done > 0; done--)
        {
            JournalFile file;
            lock (_lock)
            {
                file = _inUse[0];
                _inUse.RemoveAt(0);
            }

            Interlocked.Add(ref _backlogBytes, file.AppliedBytes - file.Offset);
            if (!_files.Spool.TryTake(file))
            {
                _files.Give(file);
            }
            else
            {
                _files.Forget(file);
            }
        }
    }

    public void Dispose()
    {
        lock (_lock)
        {
            _inUse.ForEach(file => file.Dispose());
            _inUse.Clear();
        }

        _files.Dispose();
    }

    /// <summary>A file keeps room for its last record.</summary>
    private static long WithSwitch(long bytes) => bytes + JournalRecordHeader.AlignmentBytes;

    private ulong SwitchFile(in JournalRecordHeader record, Span<byte> buffer)
    {
        JournalFile current = _current!;
        JournalFile next = _files.Take(WithSwitch(record.SizeInFileBytes), _nextIncarnation++);
        lock (_lock)
        {
            // Before the switch is written: if that fails, the next file has to be closed too.
            _inUse.Add(next);
        }

        _options.Hooks.Mark(CoverageMark.JournalSwitched);
        SyncIfLazy(current);
        var header = new JournalRecordHeader
        {
            Kind = JournalRecordKind.Switch,
            EnvironmentId = record.EnvironmentId,
            Incarnation = current.Incarnation,
            FileOffset = current.Offset,
            TransactionId = record.TransactionId - 1,
            PreviousHash = record.PreviousHash,
            DurableTransactionId = record.TransactionId - 1,
            NextPageNumber = record.NextPageNumber,
            NextFileNumber = next.Number,
            NextIncarnation = next.Incarnation,
            NextFileLengthBytes = next.LengthBytes,
        };
        ulong hash = header.Seal(buffer);
        Write(current, header.FileOffset, buffer[..(int)header.SizeInFileBytes]);
        SyncIfLazy(current);
        lock (_lock)
        {
            current.Offset += header.SizeInFileBytes;
            current.SwitchHash = hash;
            current.Next = next;
        }

        Interlocked.Add(ref _backlogBytes, header.SizeInFileBytes);
        _current = next;
        return hash;
    }

    /// <summary>After a failed write or sync the file's content is unknown: nothing more is acknowledged.</summary>
    private void Write(JournalFile file, long offset, ReadOnlySpan<byte> bytes)
    {
        try
        {
            WriteAhead(file, offset + bytes.Length, bytes.Length);
            file.Handle.WriteAt(offset, bytes);
        }
        catch (Exception failure)
        {
            _faults.Trip(failure);
            throw;
        }
    }

    /// <summary>Writes the blocks of the next small records at once, with one write.</summary>
    private void WriteAhead(JournalFile file, long end, int recordBytes)
    {
        if (end <= file.WrittenBytes)
        {
            return;
        }

        if (recordBytes > SmallRecordBytesMax || _options.Durability == StorageDurability.Lazy)
        {
            file.WrittenBytes = end;
            return;
        }

        int ahead = (int)Math.Min(BytesAhead, file.LengthBytes - file.WrittenBytes);
        file.Handle.WriteAt(file.WrittenBytes, Zeros.Value.Slice(ahead).Span);
        file.WrittenBytes += ahead;
    }

    private void SyncIfLazy(JournalFile file)
    {
        if (_options.Durability == StorageDurability.Lazy)
        {
            Sync(file);
        }
    }

    private void Sync(JournalFile file)
    {
        try
        {
            file.Handle.Sync();
        }
        catch (Exception failure)
        {
            _faults.Trip(failure);
            throw;
        }
    }
}
