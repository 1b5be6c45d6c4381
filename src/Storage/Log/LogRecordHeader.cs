using System.IO.Hashing;
using System.Runtime.InteropServices;
using Raven.Storage.Journal;
using Raven.Storage.Paging;

namespace Raven.Storage.Log;

//   OFFSET  SIZE  FIELD
//        0     8  Hash               XXH3-64 of all that follows, seed EnvironmentId
//        8     8  Magic              "RAVNLOGR"
//       16     4  FormatVersion      1
//       20     4  Flags              1: the entries are LZ4; 2: made again of a journal (LOG-3): EntriesHash is not
//                                    of these entries, FreedCount is 0
//       24     8  EnvironmentId
//       32     8  TransactionId
//       40     8  Epoch
//       48     8  PreviousLogHash    0 in the first record of a log
//       56     8  LogHash            see LOG-1
//       64     8  EntriesHash        XXH3-64 of the entries as they are here, seed 0
//       72     8  NextPageNumber
//       80     8  CommitTimeTicks
//       88     4  EntryCount
//       92     4  StoredBytes        of the entries here
//       96     4  PlainBytes         of the entries unpacked
//      100     4  FreedCount
//      104     8  DirectBytes
//      112    16  (zero)
//      128    64  CatalogRecord
//      192        entries, as in the journal of the primary (JournalEntryHeader)
//                 the numbers of the pages that the transaction freed, 8 bytes each
//                 the bytes of the direct runs, in the order of their entries

/// <summary>The head of a log record: what a primary sends of one commit. Little-endian.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct LogRecordHeader
{
    internal const int SizeInBytes = 192;
    internal const int CurrentVersion = 1;
    internal const int CompressedFlag = 1;
    internal const int RemadeFlag = 2;
    internal const ulong MagicValue = 0x52474F4C4E564152;

    [FieldOffset(0)] internal ulong Hash;
    [FieldOffset(8)] internal ulong Magic;
    [FieldOffset(16)] internal int FormatVersion;
    [FieldOffset(20)] internal int Flags;
    [FieldOffset(24)] internal ulong EnvironmentId;
    [FieldOffset(32)] internal long TransactionId;
    [FieldOffset(40)] internal long Epoch;
    [FieldOffset(48)] internal ulong PreviousLogHash;
    [FieldOffset(56)] internal ulong LogHash;
    [FieldOffset(64)] internal ulong EntriesHash;
    [FieldOffset(72)] internal long NextPageNumber;
    [FieldOffset(80)] internal long CommitTimeTicks;
    [FieldOffset(88)] internal int EntryCount;
    [FieldOffset(92)] internal int StoredBytes;
    [FieldOffset(96)] internal int PlainBytes;
    [FieldOffset(100)] internal int FreedCount;
    [FieldOffset(104)] internal long DirectBytes;
    [FieldOffset(128)] internal CatalogRecord CatalogRecord;

    /// <summary>Where it leaves the log.</summary>
    internal readonly LogPosition Position => new(TransactionId, LogHash, Epoch);

    /// <summary>True if it was made again of a journal (LOG-3).</summary>
    internal readonly bool IsRemade => (Flags & RemadeFlag) != 0;

    /// <summary>The bytes of the whole record.</summary>
    internal readonly long RecordBytes => SizeInBytes + StoredBytes + ((long)FreedCount * sizeof(long)) + DirectBytes;

    /// <summary>What a record of a journal says of its commit; without the pages that it freed, and direct runs.
    /// </summary>
    internal static LogRecordHeader Of(in JournalRecordHeader own, ulong previousLogHash) => new()
    {
        Flags = (own.Flags & JournalRecordHeader.CompressedFlag) != 0 ? CompressedFlag : 0,
        EnvironmentId = own.EnvironmentId,
        TransactionId = own.TransactionId,
        Epoch = own.Epoch,
        PreviousLogHash = previousLogHash,
        LogHash = own.LogHash,
        EntriesHash = own.EntriesHash,
        NextPageNumber = own.NextPageNumber,
        CommitTimeTicks = own.CommitTimeTicks,
        EntryCount = own.EntryCount,
        StoredBytes = own.StoredBytes,
        PlainBytes = own.PlainBytes,
        CatalogRecord = own.CatalogRecord,
    };

    /// <summary>Writes the head in front of a record whose other bytes are there, and hashes all.</summary>
    internal void Seal(Span<byte> record)
    {
        Magic = MagicValue;
        FormatVersion = CurrentVersion;
        MemoryMarshal.Write(record, in this);
        Hash = HashOf(record, EnvironmentId);
        MemoryMarshal.Write(record, in Hash);
    }

    internal static ulong HashOf(ReadOnlySpan<byte> record, ulong environmentId) =>
        XxHash3.HashToUInt64(record[sizeof(ulong)..], (long)environmentId);
}
