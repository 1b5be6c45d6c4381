using System.Buffers.Binary;

namespace Raven.Documents.Settings;

/// <summary>How far a unique constraint is, as it is stored under its number (<see cref="UniqueStates"/>).</summary>
internal sealed class UniqueState
{
    internal const int HeadSizeBytes = 1 + (3 * sizeof(long));

    /// <summary>Its number.</summary>
    internal required int Number { get; init; }

    /// <summary>What it says, JSON.</summary>
    internal required byte[] Definition { get; init; }

    /// <summary>How far it is.</summary>
    internal UniqueStage Stage { get; set; }

    /// <summary>How many documents would have to get another value, so that the constraint holds.</summary>
    internal long Excess { get; set; }

    /// <summary>The documents up to this etag are in.</summary>
    internal long BuiltEtag { get; set; }

    /// <summary>The documents behind this etag were written with the constraint known; 0 before the first
    /// step.</summary>
    internal long StopEtag { get; set; }

    /// <summary>True if it must be stored.</summary>
    internal bool IsChanged { get; set; }

    internal static UniqueState Read(int number, ReadOnlySpan<byte> stored) => new()
    {
        Number = number,
        Stage = (UniqueStage)stored[0],
        Excess = BinaryPrimitives.ReadInt64LittleEndian(stored[1..]),
        BuiltEtag = BinaryPrimitives.ReadInt64LittleEndian(stored[9..]),
        StopEtag = BinaryPrimitives.ReadInt64LittleEndian(stored[17..]),
        Definition = stored[HeadSizeBytes..].ToArray(),
    };

    internal byte[] ToBytes()
    {
        byte[] bytes = new byte[HeadSizeBytes + Definition.Length];
        bytes[0] = (byte)Stage;
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(1), Excess);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(9), BuiltEtag);
        BinaryPrimitives.WriteInt64LittleEndian(bytes.AsSpan(17), StopEtag);
        Definition.CopyTo(bytes, HeadSizeBytes);
        return bytes;
    }
}
