using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Raven.Storage.Recovery;

namespace Raven.Storage.Replication;

/// <summary>What a folder has of a log, without being opened or changed.</summary>
public sealed class LogScan
{
    private readonly List<LogPosition> _records = [];
    private IReadOnlyList<ReadOnlyMemory<byte>> _kept = [];

    private LogScan(ulong environmentId, LogPosition applied)
    {
        EnvironmentId = environmentId;
        Applied = applied;
    }

    /// <summary>The id of the environment.</summary>
    public ulong EnvironmentId { get; }

    /// <summary>The state of the data file: recovery begins with it.</summary>
    public LogPosition Applied { get; }

    /// <summary>The whole records of the journal behind it, in their order.</summary>
    public IReadOnlyList<LogPosition> Records => _records;

    /// <summary>The log records of the last of them, as <see cref="CommitShipment.CopyTo"/> makes them.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Kept => _kept;

    /// <summary>Where an open would end.</summary>
    public LogPosition Last => _records.Count > 0 ? _records[^1] : Applied;

    /// <summary>
    /// Reads the heads of the journal of a folder that is not open, to agree with other nodes on what of it is kept
    /// (<see cref="StorageOptions.RecoverUpTo"/>). Holds the folder's lock meanwhile. Damage that lets an open fail
    /// ends the records here.
    /// </summary>
    /// <param name="options">As it is opened; only the folder counts.</param>
    /// <param name="keptBytesMax">
    /// How many bytes of log records are kept, so that they can be shipped before the folder is opened; the last one is
    /// in any case. 0: none.
    /// </param>
    /// <returns>Null if there is no environment in the folder.</returns>
    /// <exception cref="StorageInUseException">It is open.</exception>
    /// <exception cref="StorageCorruptedException">No header of the data file is whole.</exception>
    /// <exception cref="StorageVersionException">A newer build wrote it.</exception>
    public static LogScan? Run(StorageOptions options, long keptBytesMax = 0)
    {
        ArgumentNullException.ThrowIfNull(options);
        if (!options.FileSystem.Exists(DataFile.Name))
        {
            return null;
        }

        using IFile lockFile = FolderLock.Acquire(options.FileSystem);
        using DataFile data = DataFile.Open(options);
        CommitPoint point = data.Applied;
        var scan = new LogScan(data.EnvironmentId, point.LogPosition());
        using var log = new JournaledLog(data, keptBytesMax);
        while (point.JournalFileNumber != 0 && scan.TryReadFile(options.FileSystem, ref point, log))
        {
        }

        scan._kept = log.Kept;
        return scan;
    }

    /// <returns>True if the journal goes on in another file.</returns>
    private bool TryReadFile(IFileSystem files, ref CommitPoint point, JournaledLog log)
    {
        string name = JournalName.Of(point.JournalFileNumber);
        if (!files.Exists(name))
        {
            return false;
        }

        using var reader = new JournalReader(files.Open(name, FileOpenMode.Existing), EnvironmentId);
        while (reader.TryRead(point.JournalOffset, out JournalRecordHeader header, out ReadOnlySpan<byte> record)
            && header.Incarnation == point.JournalIncarnation && header.PreviousHash == point.ChainHash)
        {
            point.ChainHash = header.Hash;
            if (header.Kind == JournalRecordKind.Switch)
            {
                point.JournalFileNumber = header.NextFileNumber;
                point.JournalIncarnation = header.NextIncarnation;
                point.JournalOffset = 0;
                return true;
            }

            if (LogChain.FindBreak(header, Last.LogHash, record) is not null)
            {
                return false;
            }

            log.Add(name, header, record, Last.LogHash);
            _records.Add(
                header.IsInLog
                    ? new LogPosition(header.TransactionId, header.LogHash, header.Epoch)
                    : new LogPosition(header.TransactionId, 0, 0));
            point.JournalOffset += record.Length;
        }

        return false;
    }
}
