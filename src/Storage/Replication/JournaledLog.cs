using System.Runtime.InteropServices;
using Raven.Storage.Errors;
using Raven.Storage.Journal;
using Raven.Storage.Log;
using Raven.Storage.Paging;
using Raven.Storage.Platform;

namespace Raven.Storage.Replication;

// LOG-3  A log record can be made again of the record that any node's journal has of it: its entries are that node's,
//        whose patches are against the same version before, and direct runs are where its data file has them. What it
//        does not have is the list of the pages that were freed; who applies it finds them by the map of free pages.

/// <summary>Makes log records of the records of a journal, from the first that can be made to the last one.</summary>
/// <param name="data">The data file that the journal belongs to.</param>
/// <param name="bytesMax">How many bytes of them are kept: those of the last ones, and the last one in any
/// case.</param>
internal sealed class JournaledLog(DataFile data, long bytesMax) : IDisposable
{
    private readonly NativeBuffer _plain = new(JournalRecordHeader.AlignmentBytes);
    private readonly List<(long Page, int LengthBytes)> _runs = [];
    private readonly LinkedList<byte[]> _kept = [];
    private long _bytes;

    /// <summary>The log records that were made: those of the last records of the journal.</summary>
    internal IReadOnlyList<ReadOnlyMemory<byte>> Kept => [.. _kept.Select(record => (ReadOnlyMemory<byte>)record)];

    /// <summary>Takes the next record of the journal, which is whole and continues the log.</summary>
    internal void Add(string file, in JournalRecordHeader own, ReadOnlySpan<byte> record, ulong previousLogHash)
    {
        if (!own.IsInLog || bytesMax == 0 || Make(file, own, record, previousLogHash) is not { } made)
        {
            _kept.Clear();
            _bytes = 0;
            return;
        }

        _kept.AddLast(made);
        _bytes += made.Length;
        while (_bytes > bytesMax && _kept.Count > 1)
        {
            _bytes -= _kept.First!.Value.Length;
            _kept.RemoveFirst();
        }
    }

    public void Dispose() => _plain.Dispose();

    /// <returns>Null if a direct run is in the data file no more, or the record is longer than one can be.</returns>
    private byte[]? Make(
        string file, in JournalRecordHeader own, ReadOnlySpan<byte> record, ulong previousLogHash)
    {
        LogRecordHeader header = LogRecordHeader.Of(own, previousLogHash);
        header.Flags |= LogRecordHeader.RemadeFlag;
        header.DirectBytes = FindRuns(own, JournalPayload.Open(own, record, _plain, file));
        if (header.RecordBytes > Array.MaxLength)
        {
            return null;
        }

        byte[] made = GC.AllocateUninitializedArray<byte>((int)header.RecordBytes);
        record.Slice(JournalRecordHeader.SizeInBytes, own.StoredBytes).CopyTo(
            made.AsSpan(LogRecordHeader.SizeInBytes));
        Span<byte> rest = made.AsSpan(LogRecordHeader.SizeInBytes + own.StoredBytes);
        foreach ((long page, int length) in _runs)
        {
            if (data.ReadAt(page, rest[..length]) != length)
            {
                return null;
            }

            rest = rest[length..];
        }

        header.Seal(made);
        return AreRunsWhole(made, own.EnvironmentId) ? made : null;
    }

    /// <summary>Finds the direct runs among entries.</summary>
    /// <returns>Their bytes.</returns>
    private long FindRuns(in JournalRecordHeader own, ReadOnlySpan<byte> entries)
    {
        _runs.Clear();
        long bytes = 0;
        for (int i = 0; i < own.EntryCount && entries.Length >= JournalEntryHeader.SizeInBytes; i++)
        {
            JournalEntryHeader entry = MemoryMarshal.Read<JournalEntryHeader>(entries);
            entries = entries[JournalEntryHeader.SizeInBytes..];
            if (entry.DataBytes < 0 || entry.DataBytes > entries.Length)
            {
                break;
            }

            if (entry.Kind == JournalEntryKind.Direct && entry.LengthBytes > 0)
            {
                _runs.Add((entry.PageNumber, entry.LengthBytes));
                bytes += entry.LengthBytes;
            }

            entries = entries[entry.DataBytes..];
        }

        return bytes;
    }

    /// <summary>True if the runs of a record have their hashes: a later transaction may have overwritten one.</summary>
    private bool AreRunsWhole(ReadOnlySpan<byte> record, ulong environmentId)
    {
        if (_runs.Count == 0)
        {
            return true;
        }

        try
        {
            LogEntries entries = LogEntries.Open(record, environmentId, _plain);
            for (int i = 0; i < entries.Header.EntryCount; i++)
            {
                ReadOnlySpan<byte> hashes = entries.Next(out JournalEntryHeader entry);
                if (entry.Kind == JournalEntryKind.Direct)
                {
                    _ = entries.TakeDirect(entry, hashes);
                }
            }

            return true;
        }
        catch (LogRecordException)
        {
            return false;
        }
    }
}
