using System.Buffers.Binary;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;

namespace Raven.Documents.Rows;

//   OFFSET  SIZE  FIELD
//        0     8  Index        the change that wrote the value: an etag of the database
//        8     2  KeyLength    1..512
//       10     6  0
//       16     .  Key          UTF-8, as the last put wrote it
//        .     .  Value        a blittable object: {"Object": the value, "@metadata": its metadata if it has some}

/// <summary>
/// A compare-exchange value as it lies in storage: valid as long as the transaction that it came from.
/// </summary>
public readonly struct CompareExchangeValue
{
    internal const int KeyLengthOffset = 8;
    internal const int KeyOffset = 16;

    private readonly NativeSlice _row;

    internal CompareExchangeValue(NativeSlice row) => _row = row;

    /// <summary>The change that wrote it; a compare-and-set names it.</summary>
    public long Index => BinaryPrimitives.ReadInt64LittleEndian(_row.Span);

    /// <summary>The key, UTF-8, as the last put wrote it.</summary>
    public NativeSlice Key => _row.Slice(KeyOffset, KeyLength);

    /// <summary>The bytes of <see cref="Value"/>.</summary>
    internal NativeSlice Memory => _row.Slice(KeyOffset + KeyLength);

    /// <summary>An object with <c>Object</c> and, if there is some, <c>@metadata</c>.</summary>
    public BlittableObject Value => BlittableObject.Open(Memory);

    private int KeyLength => BinaryPrimitives.ReadUInt16LittleEndian(_row.Span[KeyLengthOffset..]);
}
