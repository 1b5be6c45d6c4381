using System.Buffers;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Journal;
using Raven.Storage.Recovery;

namespace Raven.Storage.Backup;

/// <summary>
/// Goes through the records behind a transaction, in the files that wait for the archive and in those of the journal.
/// A file may get another name meanwhile: it stays the one that was opened.
/// </summary>
internal sealed class JournalWalk : IDisposable
{
    private readonly IFileSystem _files;
    private readonly ulong _environmentId;
    private readonly long _after;
    private readonly Queue<string> _names = [];
    private readonly ArrayBufferWriter<byte> _taken = new();
    private JournalReader? _reader;
    private long _offset;
    private long _incarnation;
    private ulong _hash;
    private bool _isJoined;

    internal JournalWalk(IFileSystem files, ulong environmentId, long after)
    {
        _files = files;
        _environmentId = environmentId;
        _after = after;
        List<(long Incarnation, long First, string Name)> uses = [];
        foreach (string name in files.List())
        {
            if (JournalName.TryParse(name, out _) || ArchiveName.TryParse(name, out _))
            {
                using JournalReader reader = Open(name, JournalReader.HeadBytes);
                if (reader.TryRead(0, out JournalRecordHeader first, out _))
                {
                    uses.Add((first.Incarnation, first.TransactionId, name));
                }
            }
        }

        // The file with the transaction: what follows it there may be the switch to the next file.
        uses.Sort();
        int start = Math.Max(0, uses.FindLastIndex(use => use.First <= after));
        foreach ((_, _, string name) in uses.Skip(start))
        {
            _names.Enqueue(name);
        }
    }

    /// <summary>The next record that is behind the transaction.</summary>
    /// <param name="last">Where it ends: the last durable transaction.</param>
    /// <param name="header">Its head. A switch comes with the transaction behind it, too.</param>
    internal bool TryNext(long last, out JournalRecordHeader header)
    {
        while (TryRead(out header, out ReadOnlySpan<byte> record))
        {
            bool isSwitch = header.Kind == JournalRecordKind.Switch;
            if (header.TransactionId > last)
            {
                return false;
            }

            if (isSwitch ? header.TransactionId >= _after : header.TransactionId > _after)
            {
                _taken.Write(record[..(JournalRecordHeader.SizeInBytes + header.StoredBytes)]);
                return true;
            }
        }

        return false;
    }

    /// <summary>Writes what was found since the last call.</summary>
    /// <returns>How many bytes that is.</returns>
    internal int TakeTo(ArrayBufferWriter<byte> target)
    {
        int count = _taken.WrittenCount;
        target.Write(_taken.WrittenSpan);
        _taken.ResetWrittenCount();
        return count;
    }

    public void Dispose() => _reader?.Dispose();

    /// <summary>The next record of the chain.</summary>
    private bool TryRead(out JournalRecordHeader header, out ReadOnlySpan<byte> record)
    {
        while (true)
        {
            if (_reader is not null && _reader.TryRead(_offset, out header, out record)
                && header.Incarnation == _incarnation && (!_isJoined || header.PreviousHash == _hash))
            {
                _offset += record.Length;
                _hash = header.Hash;
                _isJoined = true;
                return true;
            }

            _reader?.Dispose();
            _reader = null;
            if (!_names.TryDequeue(out string? name))
            {
                header = default;
                record = default;
                return false;
            }

            _reader = Open(name);
            _offset = 0;
            _incarnation = _reader.TryRead(0, out header, out _) ? header.Incarnation : 0;
        }
    }

    private JournalReader Open(string name, int readAheadBytes = 1 << 20)
    {
        // Between the look at the folder and this the file may have been put aside.
        try
        {
            return new JournalReader(_files.Open(name, FileOpenMode.Existing), _environmentId, readAheadBytes);
        }
        catch (StorageIOException) when (!_files.Exists(name))
        {
            throw new StorageIOException(name, "archiving", 0, "the file got another name; the next try finds it");
        }
    }
}
