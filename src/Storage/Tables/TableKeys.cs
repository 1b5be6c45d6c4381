using System.Buffers.Binary;
using Raven.Storage.Trees;

namespace Raven.Storage.Tables;

/// <summary>
/// Makes index keys of the fields of a row, such that keys in byte order are in the order of their fields: numbers
/// big-endian with the sign bit inverted; bytes followed by another part with 0 escaped as 0 255, and ended by 0 1.
/// </summary>
public static class TableKeys
{
    private const int Int64Size = sizeof(long);

    private const byte Escape = 255;
    private const byte End = 1;

    /// <summary>Writes the key of a row in an index.</summary>
    /// <returns>Its length.</returns>
    /// <exception cref="ArgumentOutOfRangeException">It is longer than a key can be.</exception>
    internal static int Write(TableIndex index, in TableRow row, Span<byte> key)
    {
        int length = 0;
        ReadOnlySpan<TableKeyPart> parts = index.Parts;
        for (int i = 0; i < parts.Length; i++)
        {
            if (parts[i].IsInt64)
            {
                length += WriteInt64(row.Int64(parts[i].Field), key[length..]);
            }
            else
            {
                length += WriteBytes(row[parts[i].Field].Span, i == parts.Length - 1, key[length..]);
            }
        }

        return length;
    }

    /// <summary>Writes a number as a part of a key.</summary>
    /// <returns>The bytes written.</returns>
    public static int WriteInt64(long value, Span<byte> key)
    {
        CheckRoom(key, Int64Size);
        BinaryPrimitives.WriteInt64BigEndian(key, value ^ long.MinValue);
        return Int64Size;
    }

    /// <summary>Writes bytes as a part of a key; <paramref name="isLast"/> if no other part follows.</summary>
    /// <returns>The bytes written.</returns>
    public static int WriteBytes(ReadOnlySpan<byte> value, bool isLast, Span<byte> key)
    {
        if (isLast)
        {
            CheckRoom(key, value.Length);
            value.CopyTo(key);
            return value.Length;
        }

        int length = 0;
        foreach (byte b in value)
        {
            CheckRoom(key, length + 2);
            key[length++] = b;
            if (b == 0)
            {
                key[length++] = Escape;
            }
        }

        CheckRoom(key, length + 2);
        key[length++] = 0;
        key[length++] = End;
        return length;
    }

    private static void CheckRoom(Span<byte> key, int length)
    {
        if (length > key.Length)
        {
            throw new ArgumentOutOfRangeException(
                nameof(key), $"An index key is longer than {TreeLimits.KeySizeBytesMax} bytes.");
        }
    }
}
