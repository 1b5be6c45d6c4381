using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Paging;

namespace Raven.Storage.Backup;

//   BACK-3  A folder that pages are restored into has no environment until all copies of the chain are in it and
//           synced: its data file has another name before that.

/// <summary>
/// Makes an environment of copies of pages: a whole one, and then those of what has changed, each on top of the one
/// before. One use, one thread at a time.
/// </summary>
public sealed class PageRestore : IDisposable
{
    /// <summary>Pages that lie one behind the other are written at once, up to so many bytes.</summary>
    private const int RunBytes = 1 << 20;

    private readonly IFileSystem _target;
    private readonly ulong _environmentId;
    private readonly IFile _file;
    private FileHeader _state;
    private JournalReplay? _replay;
    private readonly byte[] _run = new byte[RunBytes];
    private long _runPosition;
    private int _runLength;
    private long _position;

    /// <summary>Begins in a folder without an environment.</summary>
    /// <param name="target">The folder.</param>
    /// <param name="environmentId">The id of the new environment: what it does next is no part of the history that the
    /// copies are of.</param>
    /// <exception cref="InvalidOperationException">There is an environment in it.</exception>
    public PageRestore(IFileSystem target, ulong environmentId)
    {
        ArgumentNullException.ThrowIfNull(target);
        _environmentId = environmentId;
        if (target.Exists(DataFile.Name))
        {
            throw new InvalidOperationException($"{target.Description} has an environment in it already.");
        }

        _target = target;
        _file = target.Open(DataFile.UnfinishedName, FileOpenMode.Create);
        _file.SetLength(0);
    }

    /// <summary>Called with the bytes that were restored so far.</summary>
    public Action<long> Restored { get; init; } = _ => { };

    /// <summary>Adds a copy.</summary>
    /// <param name="name">What messages call it.</param>
    /// <param name="source">Its bytes.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="StorageCorruptedException">It is no copy, is damaged, or does not follow the one before; the
    /// environment is of no use.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    public async Task AddAsync(string name, Stream source, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(source);
        var reader = new PageBackupReader(name, source);
        PageBackupHeader start = await reader.ReadStartAsync(cancellation).ConfigureAwait(false);
        RequireNext(reader, start);
        while (await reader.ReadNextAsync(_state.EnvironmentId, cancellation).ConfigureAwait(false))
        {
            Write(reader.Page, reader.Bytes.Span);
            Restored(_position = reader.Position);
        }

        _position = reader.Position;
        _state = reader.End;
        WriteRun();
    }

    /// <summary>Adds a piece of the archived journal (<see cref="JournalArchive"/>), behind all copies.</summary>
    /// <param name="name">What messages call it.</param>
    /// <param name="source">Its bytes.</param>
    /// <param name="until">Transactions that were committed after this are left out.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <exception cref="StorageCorruptedException">It is no such piece, is damaged, or does not follow what is before
    /// it; the environment is of no use.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    public async Task ReplayAsync(string name, Stream source, DateTime until, CancellationToken cancellation)
    {
        ArgumentNullException.ThrowIfNull(source);
        if (_state.Magic == 0)
        {
            throw new InvalidOperationException("Nothing was restored.");
        }

        _replay ??= BeginReplay();
        await _replay.AddAsync(name, source, until.Ticks, cancellation).ConfigureAwait(false);
        Restored(_position += _replay.TakeBytes());
    }

    /// <summary>Makes it an environment, durably (BACK-3).</summary>
    public void Complete()
    {
        if (_state.Magic == 0)
        {
            throw new InvalidOperationException("Nothing was restored.");
        }

        if (_replay is not null)
        {
            _state.Point = _replay.End();
            _replay.Dispose();
            _replay = null;
        }

        if (_state.EnvironmentId != _environmentId)
        {
            // Another environment, which shares no log with the one that was copied (LOG-2).
            _state.Point.LogHash = 0;
            _state.Point.Epoch = 0;
        }

        _state.EnvironmentId = _environmentId;
        long length = _state.Point.NextPageNumber * PageHeader.PageSizeInBytes;
        _file.SetLength(Math.Max(length, _file.Length));
        WriteHeaders(_state);
        _file.Sync();
        _file.Dispose();
        _target.Rename(DataFile.UnfinishedName, DataFile.Name);
        _target.SyncDirectory();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _replay?.Dispose();
        _file.Dispose();
    }

    private JournalReplay BeginReplay()
    {
        FileHeader header = _state;
        header.EnvironmentId = _environmentId;
        _file.SetLength(Math.Max(header.Point.NextPageNumber * PageHeader.PageSizeInBytes, _file.Length));
        WriteHeaders(header);
        return new JournalReplay(_target, _state);
    }

    private void WriteHeaders(FileHeader header)
    {
        Span<byte> sector = stackalloc byte[FileHeader.SizeInBytes];
        for (header.Counter = 0; header.Counter < 2; header.Counter++)
        {
            header.WriteTo(sector);
            _file.WriteAt(FileHeader.OffsetOf(header.Counter), sector);
        }
    }

    /// <summary>Requires that a copy begins where the one before it ends.</summary>
    private void RequireNext(PageBackupReader reader, in PageBackupHeader header)
    {
        bool isFirst = _state.Magic == 0;
        if (isFirst && header.BaseTransactionId != 0)
        {
            throw reader.Damaged(
                $"it has what changed after transaction {header.BaseTransactionId}, and nothing is before it");
        }

        if (!isFirst && (header.EnvironmentId != _state.EnvironmentId
            || header.BaseTransactionId != _state.Point.TransactionId))
        {
            throw reader.Damaged(
                $"it has what changed after transaction {header.BaseTransactionId} of {header.EnvironmentId:x16}, and "
                + $"what is before it ends with transaction {_state.Point.TransactionId} of "
                + $"{_state.EnvironmentId:x16}");
        }

        _state.EnvironmentId = header.EnvironmentId;
    }

    private void Write(long page, Span<byte> bytes)
    {
        DataFile.Seal(bytes, _environmentId);
        long position = page * PageHeader.PageSizeInBytes;
        if (position != _runPosition + _runLength || bytes.Length > RunBytes - _runLength)
        {
            WriteRun();
            _runPosition = position;
        }

        if (bytes.Length > RunBytes)
        {
            _file.WriteAt(position, bytes);
            _runPosition = position + bytes.Length;
            return;
        }

        bytes.CopyTo(_run.AsSpan(_runLength));
        _runLength += bytes.Length;
    }

    /// <summary>Writes the pages that were collected.</summary>
    private void WriteRun()
    {
        if (_runLength > 0)
        {
            _file.WriteAt(_runPosition, _run.AsSpan(0, _runLength));
            _file.BeginWriteBack(_runPosition, _runLength);
            _runPosition += _runLength;
            _runLength = 0;
        }
    }
}
