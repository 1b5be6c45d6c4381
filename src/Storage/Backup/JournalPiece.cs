using System.Runtime.InteropServices;

namespace Raven.Storage.Backup;

/// <summary>Which transactions a piece of an archived journal has. Immutable.</summary>
/// <param name="First">The first one.</param>
/// <param name="Last">The last one.</param>
/// <param name="FirstAt">When the first one was committed, UTC.</param>
/// <param name="LastAt">When the last one was committed, UTC.</param>
/// <param name="Use">The use of the journal whose file has the last one.</param>
public sealed record JournalPiece(long First, long Last, DateTime FirstAt, DateTime LastAt, long Use);

//   OFFSET  SIZE  FIELD
//        0     8  Magic               "RAVNLOGS"
//        8     4  FormatVersion       1
//       12     4  (zero)
//       16     8  EnvironmentId       of the environment whose journal it is
//       24     8  AfterTransactionId  the piece begins behind this one
//       32     .  records (see JournalRecordHeader), each without its padding: transactions in their order, and the
//                 switches between them
//        .   192  zeros

/// <summary>The first bytes of a piece of an archived journal. Little-endian.</summary>
[StructLayout(LayoutKind.Explicit, Size = SizeInBytes)]
internal struct JournalPieceHeader
{
    internal const int SizeInBytes = 32;
    internal const ulong MagicValue = 0x53474F4C4E564152;
    internal const int CurrentVersion = 1;

    [FieldOffset(0)] internal ulong Magic;
    [FieldOffset(8)] internal int FormatVersion;
    [FieldOffset(16)] internal ulong EnvironmentId;
    [FieldOffset(24)] internal long AfterTransactionId;
}
