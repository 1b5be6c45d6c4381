using System.Runtime.InteropServices;

namespace Raven.Storage.Paging;

//   OFFSET  SIZE  FIELD
//        0     8  TransactionId        the last transaction that is in this state
//        8     8  ChainHash            the hash of the journal record that made it: the next record names it
//       16     8  NextPageNumber       pages at and above this have never been used
//       24     8  JournalFileNumber    where the next record will be: the file (0: no journal is in use) ...
//       32     8  JournalIncarnation   ... its use, counted up with each reuse of a journal file ...
//       40     8  JournalOffset        ... and the byte
//       48     8  JournalLengthBytes   the length of that file
//       56    64  CatalogRecord           owned by the structures
//      120     8  LogHash              of the log that this node shares with others (LOG-1); 0 if it shares none
//      128     8  CommitTimeTicks      when that transaction was committed, UTC; 0 if an older build committed it
//      136     8  Epoch                under which its primary made it; 0 without a log

/// <summary>A committed state: what the file header keeps of it, and what recovery begins with.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct CommitPoint
{
    internal const int SizeInBytes = 144;

    [FieldOffset(0)] internal long TransactionId;
    [FieldOffset(8)] internal ulong ChainHash;
    [FieldOffset(16)] internal long NextPageNumber;
    [FieldOffset(24)] internal long JournalFileNumber;
    [FieldOffset(32)] internal long JournalIncarnation;
    [FieldOffset(40)] internal long JournalOffset;
    [FieldOffset(48)] internal long JournalLengthBytes;
    [FieldOffset(56)] internal CatalogRecord CatalogRecord;
    [FieldOffset(120)] internal ulong LogHash;
    [FieldOffset(128)] internal long CommitTimeTicks;
    [FieldOffset(136)] internal long Epoch;
}
