namespace Raven.Storage.Tables;

/// <summary>A field of a row as a part of an index key.</summary>
/// <param name="Field">The field's position in the row.</param>
/// <param name="IsInt64">
/// The field holds 8 bytes, a little-endian number, and the key orders by it; else the key orders by the field's bytes.
/// </param>
public readonly record struct TableKeyPart(int Field, bool IsInt64)
{
    /// <summary>A field of any bytes.</summary>
    public static TableKeyPart Bytes(int field) => new(field, IsInt64: false);

    /// <summary>A field that holds an 8-byte number.</summary>
    public static TableKeyPart Int64(int field) => new(field, IsInt64: true);
}
