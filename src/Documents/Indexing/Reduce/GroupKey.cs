using System.Buffers;
using System.Buffers.Binary;
using System.IO.Hashing;
using System.Text;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Reduce;

// The bytes of a key; equal keys have equal bytes:
//   0                    null, and what is missing
//   1, 2                 false, true
//   3 INTEGER            a whole number of 64 bits (8, little-endian), however it was written: 1 and 1.0 are one key
//   4 DOUBLE             any other number (8)
//   5 LENGTH TEXT        a string (length: 4)
//   6 COUNT ITEMS        an array (count: 4)
//   7 COUNT PAIRS        an object: names as texts, each with its value behind it
//   8 INTEGER            a whole number beyond 64 bits that no double has (16, little-endian)
//   9 LENGTH TEXT        a number beyond the largest double: its digits and its power of ten (length: 4)
// A key of more than LengthMax bytes is cut, and ends in two 64-bit hashes of all its bytes.

/// <summary>Encodes the key of a group as bytes.</summary>
internal sealed class GroupKey
{
    internal const int LengthMax = 400;
    internal const long OtherSeed = unchecked((long)0x9E3779B97F4A7C15);

    private readonly ArrayBufferWriter<byte> _bytes = new(256);
    private readonly byte[] _short = new byte[LengthMax];

    /// <summary>The bytes of a key, valid until the next call.</summary>
    internal ReadOnlySpan<byte> Encode(DynamicValue key)
    {
        _bytes.ResetWrittenCount();
        Write(key, 0);
        ReadOnlySpan<byte> whole = _bytes.WrittenSpan;
        if (whole.Length <= LengthMax)
        {
            return whole;
        }

        whole[..(LengthMax - 16)].CopyTo(_short);
        BinaryPrimitives.WriteUInt64LittleEndian(_short.AsSpan(LengthMax - 16), XxHash3.HashToUInt64(whole));
        BinaryPrimitives.WriteUInt64LittleEndian(
            _short.AsSpan(LengthMax - 8), XxHash3.HashToUInt64(whole, OtherSeed));
        return _short;
    }

    private void Write(DynamicValue value, int depth)
    {
        if (depth > 50)
        {
            throw new InvalidOperationException("The key of a group nests too deep.");
        }

        switch (value.Kind)
        {
            case DynamicKind.Missing or DynamicKind.Null:
                Tag(0);
                break;
            case DynamicKind.Boolean:
                Tag(value.Boolean ? (byte)2 : (byte)1);
                break;
            case DynamicKind.Integer:
                Number(3, value.Integer);
                break;
            case DynamicKind.Real when value.HasMoreDigits && LargeInteger.TryRead(value.Stored, out Int128 large)
                && (Int128)(double)large != large:
                Tag(8);
                BinaryPrimitives.WriteInt128LittleEndian(_bytes.GetSpan(16), large);
                _bytes.Advance(16);
                break;
            case DynamicKind.Real when value.HasMoreDigits && double.IsInfinity(value.Real):
                Text(DoubleOverflow.PlainOf(value.Stored), 9);
                break;
            case DynamicKind.Real or DynamicKind.Decimal:
                Number(DynamicNumbers.ToReal(value));
                break;
            case DynamicKind.StoredArray or DynamicKind.Sequence:
                Number(6, DynamicSequence.CountOf(value), 4);
                foreach (DynamicValue item in value.Items())
                {
                    Write(item, depth + 1);
                }

                break;
            case DynamicKind.StoredObject:
                WriteObject(value.Stored.AsObject(), depth);
                break;
            case DynamicKind.Record:
                WriteRecord((DynamicRecord)value.Object!, depth);
                break;
            default:
                Text(value.ToText() ?? string.Empty);
                break;
        }
    }

    private void WriteObject(BlittableObject source, int depth)
    {
        Number(7, source.Count, 4);
        for (int i = 0; i < source.Count; i++)
        {
            BlittableProperty property = source.GetProperty(i);
            Text(property.GetName());
            Write(DynamicValue.Of(property.Value), depth + 1);
        }
    }

    private void WriteRecord(DynamicRecord record, int depth)
    {
        Number(7, record.Count, 4);
        for (int i = 0; i < record.Count; i++)
        {
            Text(record.Names[i]);
            Write(record.Values[i], depth + 1);
        }
    }

    private void Number(double value)
    {
        if (value == Math.Floor(value) && Math.Abs(value) < 9e18)
        {
            Number(3, (long)value);
        }
        else
        {
            Number(4, BitConverter.DoubleToInt64Bits(value));
        }
    }

    private void Tag(byte tag)
    {
        _bytes.GetSpan(1)[0] = tag;
        _bytes.Advance(1);
    }

    private void Number(byte tag, long value, int size = 8)
    {
        Tag(tag);
        Span<byte> eight = stackalloc byte[8];
        BinaryPrimitives.WriteInt64LittleEndian(eight, value);
        _bytes.Write(eight[..size]);
    }

    private void Text(string text, byte tag = 5)
    {
        Number(tag, Encoding.UTF8.GetByteCount(text), 4);
        Span<byte> room = _bytes.GetSpan(text.Length * 3);
        _bytes.Advance(Encoding.UTF8.GetBytes(text, room));
    }
}
