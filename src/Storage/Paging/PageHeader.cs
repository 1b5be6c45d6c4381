using System.Runtime.InteropServices;

namespace Raven.Storage.Paging;

//   OFFSET  SIZE  FIELD
//        0     8  Checksum          XXH3-64 of bytes 8..end of the page (of the whole run for an overflow run), seeded
//                                   by the environment's id. Written when the page leaves for the data file.
//        8     8  PageNumber        where the page belongs: catches a write that went to another place
//       16     8  TransactionId     the transaction that wrote this version
//       24     1  Kind              PageKind
//       25     1  Flags             owned by the kind
//       26     2  (zero)
//       28     4  RunLengthBytes    Overflow: payload bytes behind the header, over as many pages as they need; else 0
//       32        body              owned by the kind

/// <summary>The first 32 bytes of every page. Little-endian.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
public struct PageHeader
{
    /// <summary>The size of the header; a page's own content starts here.</summary>
    public const int SizeInBytes = 32;

    /// <summary>The size of a page in bytes, chosen by measurement (docs/decisions/0005).</summary>
#if PAGE_4096
    public const int PageSizeInBytes = 4096;
#else
    public const int PageSizeInBytes = 8192;
#endif

    [FieldOffset(0)] public ulong Checksum;
    [FieldOffset(8)] public long PageNumber;
    [FieldOffset(16)] public long TransactionId;
    [FieldOffset(24)] public PageKind Kind;
    [FieldOffset(25)] public byte Flags;
    [FieldOffset(28)] public int RunLengthBytes;

    /// <summary>How many pages a run with this many payload bytes takes, its header included.</summary>
    public static int PagesForRun(int payloadBytes) =>
        (int)(((long)payloadBytes + SizeInBytes + PageSizeInBytes - 1) / PageSizeInBytes);
}
