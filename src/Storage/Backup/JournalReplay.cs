using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;
using Raven.Storage.Recovery;

namespace Raven.Storage.Backup;

//   REPLAY-3  The first record that is applied names the one that made the copied state, and each later one names the
//             record before: a piece that is missing, comes twice or in another order is found before its pages are
//             written.

/// <summary>Applies pieces of an archived journal to the pages of a copy. One use, one thread at a time.</summary>
internal sealed class JournalReplay : IDisposable
{
    private const int StepBytes = 1 << 20;

    private readonly ulong _environmentId;
    private readonly DataFile _data;
    private readonly PageReplayer _pages;
    private readonly NativeBuffer _plain = new(JournalRecordHeader.AlignmentBytes);
    private byte[] _record = new byte[StepBytes];
    private CommitPoint _point;
    private string _name = "";
    private long _position;
    private ulong _before;
    private long _next;
    private bool _isOver;

    /// <param name="target">The folder with the unfinished data file, whose headers are written.</param>
    /// <param name="state">The state of its pages, in the environment that was copied.</param>
    internal JournalReplay(IFileSystem target, in FileHeader state)
    {
        _environmentId = state.EnvironmentId;
        _point = state.Point;
        var options = new StorageOptions { FileSystem = target };
        _data = DataFile.Open(options, DataFile.UnfinishedName);
        _pages = new PageReplayer(_data, options) { HasWholePages = true };
    }

    /// <summary>The bytes that were read since the last call.</summary>
    internal long TakeBytes()
    {
        long bytes = _position;
        _position = 0;
        return bytes;
    }

    /// <summary>Applies the transactions of a piece that were committed at a time or before.</summary>
    internal async Task AddAsync(string name, Stream source, long untilTicks, CancellationToken cancellation)
    {
        if (_isOver)
        {
            return;
        }

        _name = name;
        _position = 0;
        _before = 0;
        await ReadAsync(source, 0, JournalPieceHeader.SizeInBytes, cancellation).ConfigureAwait(false);
        CheckStart();
        while (!_isOver)
        {
            await ReadAsync(source, 0, JournalRecordHeader.SizeInBytes, cancellation).ConfigureAwait(false);
            if (_record.AsSpan(0, JournalRecordHeader.SizeInBytes).IndexOfAnyExcept((byte)0) < 0)
            {
                if (await source.ReadAsync(_record.AsMemory(0, 1), cancellation).ConfigureAwait(false) != 0)
                {
                    throw Damaged("something follows its end");
                }

                return;
            }

            JournalRecordHeader header = ReadHead();
            await ReadAsync(source, JournalRecordHeader.SizeInBytes, header.StoredBytes, cancellation)
                .ConfigureAwait(false);
            Apply(header, untilTicks);
        }
    }

    /// <summary>Writes the pages, durably.</summary>
    /// <returns>The state that they are.</returns>
    internal CommitPoint End()
    {
        _pages.WriteHeld();
        _pages.CheckDirectRuns();
        _data.EnsureLength(_point.NextPageNumber);
        _data.Sync();
        return _point;
    }

    public void Dispose()
    {
        _pages.Dispose();
        _plain.Dispose();
        _data.Dispose();
    }

    private void CheckStart()
    {
        JournalPieceHeader start = MemoryMarshal.Read<JournalPieceHeader>(_record);
        if (start.Magic != JournalPieceHeader.MagicValue || start.FormatVersion < 1)
        {
            throw Damaged("it is no piece of a journal");
        }

        if (start.FormatVersion > JournalPieceHeader.CurrentVersion)
        {
            throw new StorageVersionException(_name, start.FormatVersion, JournalPieceHeader.CurrentVersion);
        }

        if (start.EnvironmentId != _environmentId || start.AfterTransactionId > _point.TransactionId)
        {
            throw Damaged(
                $"it has what follows transaction {start.AfterTransactionId} of {start.EnvironmentId:x16}, and what is "
                + $"before it ends with transaction {_point.TransactionId} of {_environmentId:x16}");
        }

        _next = start.AfterTransactionId + 1;
    }

    private JournalRecordHeader ReadHead()
    {
        if (!JournalRecordHeader.TryReadHead(_record, _environmentId, out JournalRecordHeader header)
            || header.SizeInFileBytes > int.MaxValue - JournalRecordHeader.AlignmentBytes)
        {
            throw Damaged("it has something that is no record");
        }

        return header.FormatVersion <= JournalRecordHeader.CurrentVersion
            ? header
            : throw new StorageVersionException(_name, header.FormatVersion, JournalRecordHeader.CurrentVersion);
    }

    private void Apply(in JournalRecordHeader header, long untilTicks)
    {
        ReadOnlySpan<byte> record = _record.AsSpan(0, JournalRecordHeader.SizeInBytes + header.StoredBytes);
        bool isNext = header.Kind == JournalRecordKind.Switch || header.TransactionId == _next++;
        if (!isNext || !header.HashMatches(record) || (_before != 0 && header.PreviousHash != _before))
        {
            throw Damaged($"the record of transaction {header.TransactionId} is not the one that was written there");
        }

        _before = header.Hash;
        if (header.PreviousHash != _point.ChainHash)
        {
            // What the state has already; its last record may be here, too.
            if (header.TransactionId > _point.TransactionId)
            {
                throw Damaged(
                    $"transaction {header.TransactionId} does not follow transaction {_point.TransactionId} as it was");
            }

            return;
        }

        if (header.Kind == JournalRecordKind.Transaction)
        {
            long ticks = Math.Max(_point.CommitTimeTicks, header.CommitTimeTicks);
            if (ticks > untilTicks)
            {
                _isOver = true;
                return;
            }

            _pages.Apply(_name, header, JournalPayload.Open(header, record, _plain, _name));
            _point.TransactionId = header.TransactionId;
            _point.NextPageNumber = header.NextPageNumber;
            _point.CatalogRecord = header.CatalogRecord;
            _point.LogHash = header.IsInLog ? header.LogHash : 0;
            _point.Epoch = header.IsInLog ? header.Epoch : 0;
            _point.CommitTimeTicks = ticks;
        }

        _point.ChainHash = header.Hash;
    }

    /// <summary>Reads bytes behind others; what a damaged length asks for is taken as it comes.</summary>
    private async ValueTask ReadAsync(Stream source, int at, int length, CancellationToken cancellation)
    {
        for (int done = 0; done < length;)
        {
            int step = Math.Min(length - done, Math.Max(StepBytes, done));
            if (_record.Length < at + done + step)
            {
                Array.Resize(ref _record, at + done + step);
            }

            int read = await source.ReadAtLeastAsync(
                _record.AsMemory(at + done, step), step, throwOnEndOfStream: false, cancellation).ConfigureAwait(false);
            _position += read;
            done += read;
            if (read < step)
            {
                throw Damaged("it ends too early");
            }
        }
    }

    private StorageCorruptedException Damaged(string what) => new(_name, _position, what);
}
