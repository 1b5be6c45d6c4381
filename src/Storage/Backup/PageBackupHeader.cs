using System.Runtime.InteropServices;

namespace Raven.Storage.Backup;

//   OFFSET  SIZE  FIELD
//        0     8  Magic              "RAVNPAGE"
//        8     4  FormatVersion      1
//       12     4  PageSizeBytes      8192
//       16     8  EnvironmentId      of the environment that was copied
//       24     8  BaseTransactionId  the state that the pages are added to; 0 if they are a whole environment

/// <summary>The first bytes of a copy of pages. Little-endian.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct PageBackupHeader
{
    internal const int SizeInBytes = 32;
    internal const ulong MagicValue = 0x454741504E564152;
    internal const int CurrentVersion = 1;

    [FieldOffset(0)] internal ulong Magic;
    [FieldOffset(8)] internal int FormatVersion;
    [FieldOffset(12)] internal int PageSizeBytes;
    [FieldOffset(16)] internal ulong EnvironmentId;
    [FieldOffset(24)] internal long BaseTransactionId;
}
