using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Recovery;

// RECOVERY-1  It starts at the state in the header and follows the chain of records: each names the hash of the one
//             before, the last one of a file names the next file.
// RECOVERY-2  It deletes and truncates nothing. Only after the recovered state is synced and the header names it may
//             journal files be used again.
// RECOVERY-3  The chain may end anywhere, unless something behind proves that more had been durable. A whole record
//             behind the end that proves it means damage, and the open fails.
// RECOVERY-4  With RecoverUpTo it ends with that transaction, whatever follows it whole in the journal, or fails and
//             writes no header. What was given up is never read again: its use of a journal file has a lower number.

/// <summary>Brings the data file to the state of the last durable transaction.</summary>
internal sealed class JournalRecovery : IDisposable
{
    /// <summary>
    /// How far the incarnation, which numbers the uses of journal files, is advanced by a recovery. Before a
    /// crash, uses may have begun that the chain has no trace of: they are fewer than this, so that no number is
    /// given out twice.
    /// </summary>
    private const long IncarnationJump = 1L << 20;

    private readonly StorageOptions _options;
    private readonly DataFile _data;
    private readonly NativeBuffer _plain = new(JournalRecordHeader.AlignmentBytes);
    private CommitPoint _point;
    private long _transactions;
    private long _bytes;
    private bool _tornTail;
    private bool _isCut;

    internal JournalRecovery(StorageOptions options, DataFile data)
    {
        _options = options;
        _data = data;
        _point = data.Applied;
    }

    internal RecoveryResult Run()
    {
        long start = _options.Clock.GetTimestamp();
        bool isInUse = _point.JournalFileNumber != 0;
        RequireReachable(isInUse);
        if (isInUse)
        {
            Replay();
            _data.Sync();
            _point.JournalFileNumber = _point.JournalOffset = _point.JournalLengthBytes = 0;
            _point.JournalIncarnation += IncarnationJump;
            _data.WriteHeader(_point);
        }
        else
        {
            RequireNothingBehindClose();
        }

        if (_data.LengthBytes < _point.NextPageNumber * PageHeader.PageSizeInBytes)
        {
            throw new StorageCorruptedException(DataFile.Name, _data.LengthBytes, "the file was cut off.");
        }

        _options.Hooks.Mark(_transactions > 0 ? CoverageMark.TransactionReplayed : CoverageMark.NothingToRecover);
        var result = new RecoveryResult(
            _transactions, _bytes, _point.TransactionId, _tornTail, _options.Clock.GetElapsedTime(start))
        {
            JournalRead = isInUse,
        };
        if (_transactions > 0 || _tornTail)
        {
            _options.Report(_tornTail, $"recovered {result}");
        }

        return result;
    }

    public void Dispose() => _plain.Dispose();

    /// <summary>Requires that the data file has no more than what is to be recovered.</summary>
    private void RequireReachable(bool isInUse)
    {
        if (_options.RecoverUpTo is { } wanted
            && (_point.TransactionId > wanted || (!isInUse && _point.TransactionId < wanted)))
        {
            throw new RecoverUpToException(_options.FileSystem.Description, wanted, _point.TransactionId);
        }
    }

    private void RequireReached()
    {
        if (_options.RecoverUpTo is { } wanted && _point.TransactionId < wanted)
        {
            throw new RecoverUpToException(_options.FileSystem.Description, wanted, _point.TransactionId);
        }
    }

    private void Replay()
    {
        using var pages = new PageReplayer(_data, _options);
        try
        {
            ReplayFiles(pages);
            pages.WriteHeld();
            pages.CheckDirectRuns();
        }
        catch (StorageCorruptedException damage)
        {
            if (!_options.KeepsWhatPrecedesDamage)
            {
                throw;
            }

            _options.Report(isWarning: true, damage.Message);
            pages.WriteHeld();
        }

        RequireReached();
    }

    private void ReplayFiles(PageReplayer pages)
    {
        bool goesOn = true;
        while (goesOn)
        {
            using JournalReader reader = OpenFile();
            goesOn = ReplayFile(reader, pages);
            if (!goesOn && !_isCut)
            {
                RequireEnd(reader);
            }
        }
    }

    private JournalReader OpenFile()
    {
        string name = JournalName.Of(_point.JournalFileNumber);
        if (!_options.FileSystem.Exists(name))
        {
            throw new StorageCorruptedException(name, -1, "the file is missing, and transactions may be in it.");
        }

        var reader = new JournalReader(
            _options.FileSystem.Open(name, FileOpenMode.Existing), _data.EnvironmentId);
        if (reader.Length >= _point.JournalLengthBytes)
        {
            return reader;
        }

        var damage = new StorageCorruptedException(
            name,
            reader.Length,
            $"the file was cut from {_point.JournalLengthBytes} bytes, and transactions may have been there.");
        if (_options.KeepsWhatPrecedesDamage)
        {
            // The records that remain in the file are complete.
            _options.Report(isWarning: true, damage.Message);
            return reader;
        }

        reader.Dispose();
        throw damage;
    }

    /// <summary>
    /// By the header, no journal file has content. If one has content all the same, a newer header is damaged. If the
    /// options allow to give up that content, the incarnation is advanced, as the next open would fail otherwise.
    /// </summary>
    private void RequireNothingBehindClose()
    {
        try
        {
            RequireNoNewerUse(_point.JournalIncarnation, DataFile.Name, 0);
        }
        catch (StorageCorruptedException damage) when (_options.KeepsWhatPrecedesDamage)
        {
            _options.Report(isWarning: true, damage.Message);
            _point.JournalIncarnation += IncarnationJump;
            _data.WriteHeader(_point);
        }
    }

    /// <returns>True if the journal continues in another file.</returns>
    private bool ReplayFile(JournalReader reader, PageReplayer pages)
    {
        while (reader.TryRead(_point.JournalOffset, out JournalRecordHeader header, out ReadOnlySpan<byte> record)
            && header.Incarnation == _point.JournalIncarnation
            && header.PreviousHash == _point.ChainHash)
        {
            if (header.Kind == JournalRecordKind.Transaction && header.TransactionId > _options.RecoverUpTo)
            {
                _options.Report(
                    isWarning: true, $"transaction {header.TransactionId} and what follows it are given up, as asked.");
                _isCut = true;
                return false;
            }

            _point.ChainHash = header.Hash;
            _bytes += record.Length;
            if (header.Kind == JournalRecordKind.Switch)
            {
                _point.JournalFileNumber = header.NextFileNumber;
                _point.JournalIncarnation = header.NextIncarnation;
                _point.JournalLengthBytes = header.NextFileLengthBytes;
                _point.JournalOffset = 0;
                _options.Hooks.Mark(CoverageMark.SwitchFollowed);
                return true;
            }

            if (header.TransactionId != _point.TransactionId + 1)
            {
                throw new StorageCorruptedException(
                    reader.Name,
                    header.FileOffset,
                    $"transaction {header.TransactionId} follows {_point.TransactionId}.");
            }

            if (LogChain.FindBreak(header, _point.LogHash, record) is { } broken)
            {
                throw new StorageCorruptedException(
                    reader.Name, header.FileOffset, $"transaction {header.TransactionId}: {broken}.");
            }

            pages.Apply(reader.Name, header, JournalPayload.Open(header, record, _plain, reader.Name));
            _point.TransactionId = header.TransactionId;
            _point.NextPageNumber = header.NextPageNumber;
            _point.CatalogRecord = header.CatalogRecord;
            _point.LogHash = header.IsInLog ? header.LogHash : 0;
            _point.Epoch = header.IsInLog ? header.Epoch : 0;
            _point.CommitTimeTicks = Math.Max(_point.CommitTimeTicks, header.CommitTimeTicks);
            _point.JournalOffset += record.Length;
            Progress(record.Length);
        }

        return false;
    }

    private void Progress(int recordBytes)
    {
        _transactions++;
        long step = _options.RecoveryProgressBytes;
        if (_bytes / step != (_bytes - recordBytes) / step)
        {
            _options.Report(isWarning: false, $"recovering, {_bytes >> 20} MB of journal read.");
        }
    }

    /// <summary>Checks RECOVERY-3 in this file, and in those that may have followed it.</summary>
    private void RequireEnd(JournalReader reader)
    {
        long end = _point.JournalOffset;
        for (long offset = end; offset < reader.Length; offset += JournalRecordHeader.AlignmentBytes)
        {
            if (reader.TryRead(offset, out JournalRecordHeader header, out _)
                && header.Incarnation == _point.JournalIncarnation
                && (header.DurableTransactionId > _point.TransactionId || offset == end))
            {
                throw Damage(reader.Name, end, $"{reader.Name}, offset {offset}");
            }

            _tornTail |= offset == end && header.Magic == JournalRecordHeader.MagicValue
                && header.Incarnation == _point.JournalIncarnation;
        }

        if (_tornTail)
        {
            _options.Hooks.Mark(CoverageMark.TailTorn);
        }

        RequireNoNewerUse(_point.JournalIncarnation + 1, reader.Name, end);
    }

    /// <summary>
    /// Requires that no journal file has a later incarnation than the state: such a file proves that a newer header, or
    /// a further part of the chain, existed and is damaged.
    /// </summary>
    private void RequireNoNewerUse(long incarnationMin, string file, long offset)
    {
        foreach (string name in _options.FileSystem.List())
        {
            if (!JournalName.TryParse(name, out _))
            {
                continue;
            }

            using var reader = new JournalReader(
                _options.FileSystem.Open(name, FileOpenMode.Existing),
                _data.EnvironmentId,
                JournalReader.HeadBytes);
            if (reader.TryRead(0, out JournalRecordHeader header, out _) && header.Incarnation >= incarnationMin)
            {
                throw Damage(file, offset, $"{name}, offset 0");
            }
        }
    }

    private StorageCorruptedException Damage(string file, long offset, string where) => new(
        file, offset, $"the record behind transaction {_point.TransactionId} is damaged, and is not the last one: " +
            $"{where} has a later one. Restore a backup, or let the tool `Inspect recover` keep what comes before it.");
}
