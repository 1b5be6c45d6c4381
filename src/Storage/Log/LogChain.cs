using System.Buffers.Binary;
using System.IO.Hashing;
using Raven.Storage.Journal;
using Raven.Storage.Paging;

namespace Raven.Storage.Log;

// LOG-1  LogHash(T) is the XXH3-64 of LogHash(T-1), T, the epoch, NextPageNumber, CatalogRecord and EntriesHash, which
//        is the XXH3-64 of the entries as the primary's record has them: two nodes with the same T and LogHash have the
//        same pages. It does not depend on what differs between nodes (offsets, packing, what a patch is against), and
//        recovery checks it on each, as a record has its EntriesHash beside it.
// LOG-2  A log begins with the first commit that passes a gate: LogHash(T-1) is 0 then. From there on each commit
//        continues it, with a gate or without. An environment that never had a gate has no log, and computes nothing.

/// <summary>The hashes of a log.</summary>
internal static class LogChain
{
    private const int FieldsBytes = 4 * sizeof(long);

    /// <summary>The hash of the entries of a record.</summary>
    internal static ulong HashOfEntries(ReadOnlySpan<byte> stored) => XxHash3.HashToUInt64(stored);

    /// <summary>The hash of the log with one more transaction; never 0.</summary>
    internal static ulong Next(
        ulong previous, long transactionId, long epoch, long nextPageNumber, in CatalogRecord catalog,
        ulong entriesHash)
    {
        Span<byte> bytes = stackalloc byte[FieldsBytes + CatalogRecord.SizeInBytes + sizeof(ulong)];
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, previous);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[8..], transactionId);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[16..], epoch);
        BinaryPrimitives.WriteInt64LittleEndian(bytes[24..], nextPageNumber);
        ((ReadOnlySpan<byte>)catalog).CopyTo(bytes[FieldsBytes..]);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes[(FieldsBytes + CatalogRecord.SizeInBytes)..], entriesHash);
        return Math.Max(XxHash3.HashToUInt64(bytes), 1);
    }

    /// <summary>Puts a record of this node into the log behind a state, once its payload is encoded.</summary>
    internal static void Continue(ref JournalRecordHeader header, ulong previous, long epoch, ReadOnlySpan<byte> stored)
    {
        header.Flags |= JournalRecordHeader.LogFlag | JournalRecordHeader.OwnEntriesFlag;
        header.Epoch = epoch;
        header.EntriesHash = HashOfEntries(stored);
        header.LogHash = HashOf(header, previous);
    }

    /// <summary>Says what a record that was read does not have in common with the log behind a state; null if it
    /// continues it.</summary>
    internal static string? FindBreak(in JournalRecordHeader header, ulong previous, ReadOnlySpan<byte> record)
    {
        if (!header.IsInLog)
        {
            return previous == 0 ? null : "it is not in the log that the transaction before it is in";
        }

        if (header.LogHash != HashOf(header, previous))
        {
            return "its hash of the log does not follow that of the transaction before it";
        }

        bool isOwn = (header.Flags & JournalRecordHeader.OwnEntriesFlag) != 0;
        return !isOwn || header.EntriesHash == HashOfEntries(EntriesOf(header, record))
            ? null
            : "its entries are not those of the log";
    }

    private static ReadOnlySpan<byte> EntriesOf(in JournalRecordHeader header, ReadOnlySpan<byte> record) =>
        record.Slice(JournalRecordHeader.SizeInBytes, header.StoredBytes);

    private static ulong HashOf(in JournalRecordHeader header, ulong previous) => Next(
        previous, header.TransactionId, header.Epoch, header.NextPageNumber, header.CatalogRecord, header.EntriesHash);
}
