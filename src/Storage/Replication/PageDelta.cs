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
    private readonly IFileSystem _files;
    private readonly IFile _lockFile;
    private readonly DataFile _data;

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
        var reader = new PageBackupReader(name, source);
        PageBackupHeader start = await reader.ReadStartAsync(cancellation).ConfigureAwait(false);
        RequireStart(reader, start);
        bool isMarked = false;
        while (await reader.ReadNextAsync(_data.EnvironmentId, cancellation).ConfigureAwait(false))
        {
            RequireNew(reader);
            if (!isMarked)
            {
                Mark();
                isMarked = true;
            }

            _data.EnsureLength(reader.Page + (reader.Bytes.Length / PageHeader.PageSizeInBytes));
            _data.WritePages(reader.Page, reader.Bytes.Span);
            Applied(reader.Position);
        }

        RequireLater(reader);
        Complete(reader.End, isMarked);
        return Base;
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

    private void Complete(in FileHeader end, bool isMarked)
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

    private void RequireStart(PageBackupReader reader, in PageBackupHeader header)
    {
        if (header.EnvironmentId != _data.EnvironmentId || header.BaseTransactionId != Base.TransactionId)
        {
            throw reader.Damaged(
                $"it has what changed after transaction {header.BaseTransactionId} of {header.EnvironmentId:x16}, and "
                + $"the folder is at transaction {Base.TransactionId} of {_data.EnvironmentId:x16}");
        }
    }

    private void RequireLater(PageBackupReader reader)
    {
        if (reader.End.Point.NextPageNumber < _data.Applied.NextPageNumber
            || reader.End.Point.TransactionId < Base.TransactionId)
        {
            throw reader.Damaged("the header at its end is of an earlier state");
        }
    }

    private void RequireNew(PageBackupReader reader)
    {
        PageHeader header = MemoryMarshal.Read<PageHeader>(reader.Bytes.Span);
        if (Base.TransactionId != 0 && header.TransactionId <= Base.TransactionId)
        {
            throw reader.Damaged($"page {reader.Page} is older than the delta");
        }
    }
}
