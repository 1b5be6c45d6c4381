using System.IO.Hashing;
using System.Runtime.InteropServices;

namespace Raven.Storage.Paging;

//   OFFSET  SIZE  FIELD
//        0     8  Checksum          XXH3-64 of bytes 8..511, seed 0
//        8     8  Magic             "RAVNDATA"
//       16     4  FormatVersion     2; 1 has zeros for CommitTimeTicks; 3 if Point is in a log
//       20     4  PageSizeBytes     8192
//       24     8  EnvironmentId     seeds every other checksum of this environment
//       32     8  Counter           counts up; header n lies in page n & 1
//       40   144  Point             see CommitPoint
//      184   328  (zero)

/// <summary>The file header: one of two, written in turn, each within one 512-byte sector.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct FileHeader
{
    internal const int SizeInBytes = 512;
    internal const int CurrentVersion = 3;
    internal const int VersionWithoutLog = 2;
    internal const ulong MagicValue = 0x415441444E564152;

    [FieldOffset(0)] internal ulong Checksum;
    [FieldOffset(8)] internal ulong Magic;
    [FieldOffset(16)] internal int FormatVersion;
    [FieldOffset(20)] internal int PageSizeBytes;
    [FieldOffset(24)] internal ulong EnvironmentId;
    [FieldOffset(32)] internal long Counter;
    [FieldOffset(40)] internal CommitPoint Point;

    /// <summary>Where the header with this counter lies in the file.</summary>
    internal static long OffsetOf(long counter) => (counter & 1) * PageHeader.PageSizeInBytes;

    /// <summary>Writes the header's bytes with their checksum.</summary>
    internal void WriteTo(Span<byte> target)
    {
        Magic = MagicValue;
        FormatVersion = Point.LogHash == 0 ? VersionWithoutLog : CurrentVersion;
        PageSizeBytes = PageHeader.PageSizeInBytes;
        MemoryMarshal.Write(target, in this);
        Checksum = ChecksumOf(target);
        MemoryMarshal.Write(target, in this);
    }

    /// <summary>Reads a header; false if its bytes are not what was written.</summary>
    internal static bool TryRead(ReadOnlySpan<byte> source, out FileHeader header)
    {
        header = MemoryMarshal.Read<FileHeader>(source);
        return header.Magic == MagicValue && header.Checksum == ChecksumOf(source);
    }

    private static ulong ChecksumOf(ReadOnlySpan<byte> bytes) =>
        XxHash3.HashToUInt64(bytes[sizeof(ulong)..SizeInBytes]);
}
