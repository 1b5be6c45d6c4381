using System.IO.Hashing;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Storage.Paging;

namespace Raven.Storage.Journal;

// JOURNAL-1  A record starts at a multiple of 4096 and is followed by zeros up to the next one.
// JOURNAL-2  Hash covers all bytes behind itself, header and payload; its seed is the environment's id.
// JOURNAL-3  PreviousHash is the Hash of the record before, over file switches, so that records form one chain; the
//            first record of an environment has 0.
// JOURNAL-4  Incarnation counts up with each use of a file, so that what an earlier use left behind is never read.
//
//   OFFSET  SIZE  FIELD
//        0     8  Hash
//        8     8  Magic                 "RAVNJRNL"
//       16     4  FormatVersion         2; 1 has zeros for CommitTimeTicks; 3 if it is in a log (flag 2)
//       20     4  Kind                  JournalRecordKind
//       24     8  EnvironmentId
//       32     8  Incarnation
//       40     8  FileOffset            where the record belongs
//       48     8  TransactionId         of a switch: the last one before it
//       56     8  PreviousHash
//       64     8  DurableTransactionId  what was on the medium when this was written: a hole above it is no damage
//       72     8  NextPageNumber
//       80     4  EntryCount
//       84     4  Flags                 1: the payload is LZ4; 2: it is in the log of a group of nodes (LOG-1);
//                                       4: EntriesHash is that of this payload, and not of another node's
//       88     4  StoredBytes           payload bytes behind the header
//       92     4  PlainBytes            payload bytes when unpacked
//       96     8  NextFileNumber        of a switch; of a transaction CommitTimeTicks: UTC, never less than before
//      104     8  NextIncarnation       of a switch; of a transaction in a log Epoch: under which its primary made it
//      112     8  NextFileLengthBytes   of a switch; of a transaction in a log EntriesHash
//      120     8  LogHash               of a transaction in a log
//      128    64  CatalogRecord
//      192        payload: EntryCount entries, see JournalEntryHeader

/// <summary>The head of a journal record. Little-endian.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct JournalRecordHeader
{
    internal const int SizeInBytes = 192;
    internal const int AlignmentBytes = 4096;
    internal const int CurrentVersion = 3;
    internal const int VersionWithoutLog = 2;
    internal const int CompressedFlag = 1;
    internal const int LogFlag = 2;
    internal const int OwnEntriesFlag = 4;
    internal const ulong MagicValue = 0x4C4E524A4E564152;

    [FieldOffset(0)] internal ulong Hash;
    [FieldOffset(8)] internal ulong Magic;
    [FieldOffset(16)] internal int FormatVersion;
    [FieldOffset(20)] internal JournalRecordKind Kind;
    [FieldOffset(24)] internal ulong EnvironmentId;
    [FieldOffset(32)] internal long Incarnation;
    [FieldOffset(40)] internal long FileOffset;
    [FieldOffset(48)] internal long TransactionId;
    [FieldOffset(56)] internal ulong PreviousHash;
    [FieldOffset(64)] internal long DurableTransactionId;
    [FieldOffset(72)] internal long NextPageNumber;
    [FieldOffset(80)] internal int EntryCount;
    [FieldOffset(84)] internal int Flags;
    [FieldOffset(88)] internal int StoredBytes;
    [FieldOffset(92)] internal int PlainBytes;
    [FieldOffset(96)] internal long NextFileNumber;
    [FieldOffset(96)] internal long CommitTimeTicks;
    [FieldOffset(104)] internal long NextIncarnation;
    [FieldOffset(104)] internal long Epoch;
    [FieldOffset(112)] internal long NextFileLengthBytes;
    [FieldOffset(112)] internal ulong EntriesHash;
    [FieldOffset(120)] internal ulong LogHash;
    [FieldOffset(128)] internal CatalogRecord CatalogRecord;

    /// <summary>The bytes the record takes in the file, its padding included.</summary>
    internal readonly long SizeInFileBytes => AlignUp((long)SizeInBytes + StoredBytes);

    /// <summary>True if the transaction is in the log of a group of nodes.</summary>
    internal readonly bool IsInLog => (Flags & LogFlag) != 0;

    internal static long AlignUp(long bytes) => (bytes + AlignmentBytes - 1) / AlignmentBytes * AlignmentBytes;

    /// <summary>Puts the header in front of the payload, hashes both and clears the padding behind.</summary>
    /// <returns>The hash.</returns>
    internal ulong Seal(Span<byte> record)
    {
        Magic = MagicValue;
        FormatVersion = IsInLog ? CurrentVersion : VersionWithoutLog;
        MemoryMarshal.Write(record, in this);
        int end = SizeInBytes + StoredBytes;
        record[end..(int)SizeInFileBytes].Clear();
        Hash = XxHash3.HashToUInt64(record[sizeof(ulong)..end], (long)EnvironmentId);
        MemoryMarshal.Write(record, in Hash);
        return Hash;
    }

    /// <summary>
    /// True if these bytes look like the head of a record of this environment; the hash is not checked.
    /// </summary>
    internal static bool TryReadHead(ReadOnlySpan<byte> source, ulong environmentId, out JournalRecordHeader header)
    {
        Unsafe.SkipInit(out header);
        if (source.Length < SizeInBytes)
        {
            return false;
        }

        header = MemoryMarshal.Read<JournalRecordHeader>(source);
        return header.Magic == MagicValue && header.EnvironmentId == environmentId
            && header.StoredBytes >= 0 && header.PlainBytes >= 0 && header.EntryCount >= 0;
    }

    /// <summary>True if the record's bytes are what was written.</summary>
    internal readonly bool HashMatches(ReadOnlySpan<byte> record) =>
        Hash == XxHash3.HashToUInt64(record[sizeof(ulong)..(SizeInBytes + StoredBytes)], (long)EnvironmentId);
}
