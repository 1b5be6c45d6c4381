using System.Buffers.Binary;
using System.Runtime.InteropServices;
using Raven.Storage.Backup;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Paging;

namespace Raven.Storage.Replication;

// DELTA-1  The pages that have changed since a state are written over that state in place, while a mark in the folder
//          says so: an environment with the mark does not open. Then they are synced, then both headers name the new
//          state, one after the other, each synced, and then the mark goes.
// DELTA-2  A delta that a crash ended is made again, from the state that the header names: all that the first one wrote
//          was changed behind that state, so the next one has it, or has it free.

/// <summary>
/// Brings a folder that is not open from one state to a later one, by the pages that another node has changed since
/// (<see cref="PageBackup"/> with that state's transaction). One use, one thread at a time.
/// </summary>
public sealed class PageDelta : IDisposable
{
    private const int EntryBytes = sizeof(long) + sizeof(int);
    private const long RunBytesMax = int.MaxValue - PageHeader.PageSizeInBytes;

    private readonly IFileSystem _files;
    private readonly IFile _lockFile;
    private readonly DataFile _data;
    private byte[] _buffer = new byte[1 << 20];
    private string _name = "";
    private long _position;

    /// <summary>Takes the lock of a folder whose environment is at the state that the delta begins with.</summary>
    /// <param name="options">As it is opened; only the folder counts.</param>
    /// <exception cref="StorageInUseException">It is open.</exception>
    /// <exception cref="InvalidOperationException">Its journal is in use: it has to be recovered up to a transaction
    /// and closed before.</exception>
    /// <exception cref="StorageCorruptedException">No header of the data file is whole.</exception>
    public PageDelta(StorageOptions options)
    {
        ArgumentNullException.ThrowIfNull(options);
        _files = options.FileSystem;
        _lockFile = FolderLock.Acquire(_files);
        try
        {
            _data = DataFile.Open(options);
            if (_data.Applied.JournalFileNumber != 0)
            {
                _data.Dispose();
                throw new InvalidOperationException(
                    $"{_files.Description} has a journal that is in use: it is to be recovered and closed first.");
            }
        }
        catch
        {
            _lockFile.Dispose();
            throw;
        }
    }

    /// <summary>The state of the folder: a delta is made from its transaction on, also again after a crash.</summary>
    public LogPosition Base => _data.Applied.LogPosition();

    /// <summary>Called with the bytes that were applied so far.</summary>
    public Action<long> Applied { get; init; } = _ => { };

    /// <summary>True if a delta of this folder was not finished; it does not open before another one is.</summary>
    public static bool IsUnfinished(IFileSystem files)
    {
        ArgumentNullException.ThrowIfNull(files);
        return files.Exists(DataFile.DeltaMarkName);
    }

    /// <summary>Applies a delta. If it fails, the folder waits for another one (DELTA-2).</summary>
    /// <param name="name">What messages call it.</param>
    /// <param name="source">What <see cref="PageBackup.RunAsync"/> wrote.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>The state of the folder now.</returns>
    /// <exception cref="StorageCorruptedException">It is none, is damaged, or does not begin with the state of the
    /// folder.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    public async Task<LogPosition> ApplyAsync(string name, Stream source, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(source);
        _name = name;
        _position = 0;
        RequireStart(await ReadAsync(source, PageBackupHeader.SizeInBytes, cancellation).ConfigureAwait(false));
        bool isMarked = false;
        while (true)
        {
            ReadOnlyMemory<byte> entry = await ReadAsync(source, EntryBytes, cancellation).ConfigureAwait(false);
            long page = BinaryPrimitives.ReadInt64LittleEndian(entry.Span);
            int length = BinaryPrimitives.ReadInt32LittleEndian(entry.Span[sizeof(long)..]);
            if (page == -1 && length == FileHeader.SizeInBytes)
            {
                FileHeader end = ReadEnd(await ReadAsync(source, length, cancellation).ConfigureAwait(false));
                await RequireEndAsync(source, cancellation).ConfigureAwait(false);
                Complete(end, isMarked);
                return Base;
            }

            if (page < DataFile.FirstUsablePage - 1 || length <= 0 || length > RunBytesMax
                || length % PageHeader.PageSizeInBytes != 0 || page > long.MaxValue / PageHeader.PageSizeInBytes / 2)
            {
                throw Damaged($"it has a page {page} of {length} bytes");
            }

            ReadOnlyMemory<byte> bytes = await ReadAsync(source, length, cancellation).ConfigureAwait(false);
            RequirePage(page, bytes.Span);
            if (!isMarked)
            {
                Mark();
                isMarked = true;
            }

            _data.EnsureLength(page + (length / PageHeader.PageSizeInBytes));
            _data.WritePages(page, bytes.Span);
            Applied(_position);
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _data.Dispose();
        _lockFile.Dispose();
    }

    /// <summary>From here on the folder is no state, until the new one is whole.</summary>
    private void Mark()
    {
        using (IFile mark = _files.Open(DataFile.DeltaMarkName, FileOpenMode.Create))
        {
            mark.Sync();
        }

        _files.SyncDirectory();
    }

    private void Complete(FileHeader end, bool isMarked)
    {
        if (!isMarked && !IsUnfinished(_files) && end.Point.TransactionId == _data.Applied.TransactionId)
        {
            return;
        }

        if (!isMarked)
        {
            Mark();
        }

        // What uses of the journal there were here is this node's own; so is where its next one begins.
        CommitPoint point = end.Point;
        point.JournalFileNumber = point.JournalOffset = point.JournalLengthBytes = 0;
        point.JournalIncarnation = _data.Applied.JournalIncarnation;
        _data.EnsureLength(point.NextPageNumber);
        _data.Sync();
        _data.WriteHeader(point);
        _data.WriteHeader(point);
        _files.Delete(DataFile.DeltaMarkName);
        _files.SyncDirectory();
    }

    private void RequireStart(ReadOnlyMemory<byte> bytes)
    {
        PageBackupHeader header = MemoryMarshal.Read<PageBackupHeader>(bytes.Span);
        if (header.Magic != PageBackupHeader.MagicValue)
        {
            throw Damaged("it is no copy of pages");
        }

        if (header.FormatVersion > PageBackupHeader.CurrentVersion)
        {
            throw new StorageVersionException(_name, header.FormatVersion, PageBackupHeader.CurrentVersion);
        }

        if (header.PageSizeBytes != PageHeader.PageSizeInBytes || header.EnvironmentId != _data.EnvironmentId
            || header.BaseTransactionId != Base.TransactionId)
        {
            throw Damaged(
                $"it has what changed after transaction {header.BaseTransactionId} of {header.EnvironmentId:x16}, and "
                + $"the folder is at transaction {Base.TransactionId} of {_data.EnvironmentId:x16}");
        }
    }

    private FileHeader ReadEnd(ReadOnlyMemory<byte> bytes)
    {
        if (!FileHeader.TryRead(bytes.Span, out FileHeader header) || header.EnvironmentId != _data.EnvironmentId
            || header.Point.NextPageNumber < _data.Applied.NextPageNumber
            || header.Point.TransactionId < Base.TransactionId)
        {
            throw Damaged("the header at its end is not whole, or is of an earlier state");
        }

        return header.FormatVersion <= FileHeader.CurrentVersion
            ? header
            : throw new StorageVersionException(_name, header.FormatVersion, FileHeader.CurrentVersion);
    }

    private async ValueTask RequireEndAsync(Stream source, CancellationToken cancellation)
    {
        if (await source.ReadAsync(_buffer.AsMemory(0, 1), cancellation).ConfigureAwait(false) != 0)
        {
            throw Damaged("something follows its end");
        }
    }

    private void RequirePage(long page, ReadOnlySpan<byte> bytes)
    {
        PageHeader header = MemoryMarshal.Read<PageHeader>(bytes);
        bool isOld = Base.TransactionId != 0 && header.TransactionId <= Base.TransactionId;
        if (header.PageNumber != page || isOld
            || header.Checksum != DataFile.ChecksumOf(bytes, _data.EnvironmentId))
        {
            throw Damaged($"page {page} does not have its checksum, or is older than the delta");
        }
    }

    private async ValueTask<Memory<byte>> ReadAsync(Stream source, int length, CancellationToken cancellation)
    {
        if (_buffer.Length < length)
        {
            Array.Resize(ref _buffer, length);
        }

        Memory<byte> part = _buffer.AsMemory(0, length);
        int read = await source.ReadAtLeastAsync(part, length, throwOnEndOfStream: false, cancellation)
            .ConfigureAwait(false);
        if (read < length)
        {
            throw Damaged("it ends too early");
        }

        _position += read;
        return part;
    }

    private StorageCorruptedException Damaged(string what) => new(_name, _position, what);
}
