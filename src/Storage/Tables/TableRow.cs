using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Storage.Errors;
using Raven.Storage.Trees;

namespace Raven.Storage.Tables;

//   OFFSET  SIZE  FIELD
//        0   4*F  Ends            for each of the F fields of the schema, where it ends; the first one starts at 4 * F
//      4*F        the fields

/// <summary>
/// A row of a table, in its page: valid until the table changes, or the transaction ends. While a row is being added or
/// updated its fields are written in place.
/// </summary>
public readonly struct TableRow
{
    private readonly NativeSlice _bytes;
    private readonly int _fields;

    internal TableRow(long id, NativeSlice bytes, int fields)
    {
        Id = id;
        _bytes = bytes;
        _fields = fields;
    }

    /// <summary>The row's id in the table: valid until the row is updated or deleted.</summary>
    public long Id { get; }

    /// <summary>A field, to read.</summary>
    /// <exception cref="StorageCorruptedException">The row is damaged.</exception>
    public NativeSlice this[int field]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)field, (uint)_fields, nameof(field));
            ReadOnlySpan<byte> bytes = _bytes.Span;
            int header = sizeof(int) * _fields;
            if (bytes.Length < header)
            {
                ThrowDamaged();
            }

            int end = MemoryMarshal.Read<int>(bytes[(sizeof(int) * field)..]);
            int start = field == 0 ? header : MemoryMarshal.Read<int>(bytes[(sizeof(int) * (field - 1))..]);
            if (start < header || end < start || end > bytes.Length)
            {
                ThrowDamaged();
            }

            return _bytes.Slice(start, end - start);
        }
    }

    /// <summary>The number in a field of 8 bytes.</summary>
    public long Int64(int field)
    {
        NativeSlice bytes = this[field];
        if (bytes.Length != sizeof(long))
        {
            ThrowDamaged();
        }

        return MemoryMarshal.Read<long>(bytes.Span);
    }

    /// <summary>A field to write, while the row is being added or updated.</summary>
    public Span<byte> Writable(int field) => this[field].WritableSpan;

    /// <summary>Writes the number of a field of 8 bytes, while the row is being added or updated.</summary>
    public void SetInt64(int field, long value) => MemoryMarshal.Write(Writable(field), in value);

    internal static int SizeOf(ReadOnlySpan<int> fieldLengths)
    {
        long size = sizeof(int) * fieldLengths.Length;
        foreach (int length in fieldLengths)
        {
            ArgumentOutOfRangeException.ThrowIfNegative(length, nameof(fieldLengths));
            size += length;
        }

        return size <= RowHeap.RowSizeBytesMax
            ? (int)size
            : throw new ArgumentOutOfRangeException(nameof(fieldLengths), "The row is too long.");
    }

    internal static void WriteEnds(Span<byte> row, ReadOnlySpan<int> fieldLengths)
    {
        int end = sizeof(int) * fieldLengths.Length;
        for (int i = 0; i < fieldLengths.Length; i++)
        {
            end += fieldLengths[i];
            MemoryMarshal.Write(row[(sizeof(int) * i)..], in end);
        }
    }

    private void ThrowDamaged() => throw Damage.Of($"row {Id} has damaged fields");
}
