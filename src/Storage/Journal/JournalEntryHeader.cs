using System.Runtime.InteropServices;

namespace Raven.Storage.Journal;

//   OFFSET  SIZE  FIELD
//        0     8  PageNumber
//        8     4  LengthBytes       of the page or run, a multiple of the page size
//       12     4  Kind              JournalEntryKind
//       16     4  DataBytes         behind this header
//       20     4  (zero)
//       24        data: a PagePatch, or hashes

/// <summary>The head of one page in a journal record's payload.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct JournalEntryHeader
{
    internal const int SizeInBytes = 24;

    [FieldOffset(0)] internal long PageNumber;
    [FieldOffset(8)] internal int LengthBytes;
    [FieldOffset(12)] internal JournalEntryKind Kind;
    [FieldOffset(16)] internal int DataBytes;
}
