using System.Buffers.Binary;
using System.Numerics;

namespace Raven.Documents.Rows.Series;

//   The data of an open segment:
//   OFFSET  SIZE  FIELD
//        0     8  Delta      of the last point's time to that of the one before
//        8     1  Count      values of the last point
//        9     1  Tag        number of the last point's tag, 0 for none
//       10     2  (zero)
//       12     .  points, each:
//                 varint     signed: how much its delta is above that of the point before; times two, and one more
//                            if it has as many values as the point before, and the same tag
//                 1, 1       otherwise: its number of values, the number of its tag
//                 for each value, X being its bits XOR those of the column's value before (0 before the first):
//                   1        S, the bytes of X between bytes of zero; and in the upper half, the zero bytes below them
//                   S        those bytes

/// <summary>
/// A segment that is written point by point, in the order of the times. What an append costs depends on the length of
/// the segment, which is bounded, not on that of the series. Allocates nothing.
/// </summary>
internal static class OpenSegment
{
    /// <summary>The longest open segment.</summary>
    internal const int SizeBytesMax = 7 * 1024;

    private const int PointsMax = 1024;
    private const int StateSizeBytes = 12;
    private const int DataBytesMax = 3 * 1024;
    private const int DataBytesOfColumn = 64;

    /// <summary>Makes an empty segment, to which at least one point is appended.</summary>
    /// <param name="body">At least <see cref="SizeBytesMax"/> bytes.</param>
    /// <param name="width">Values of the point that has most.</param>
    /// <param name="name">The name of the series.</param>
    internal static void Begin(Span<byte> body, int width, ReadOnlySpan<byte> name)
    {
        body.Clear();
        var head = new SegmentHead
        {
            Kind = SegmentHead.Open,
            Width = width,
            NameLength = name.Length,
            DataBytes = StateSizeBytes,
        };
        head.Write(body);
        name.CopyTo(body[head.NameOffset..]);
    }

    /// <summary>Appends a point whose time is after the last one's.</summary>
    /// <param name="body">The segment, and room up to <see cref="SizeBytesMax"/> behind it.</param>
    /// <param name="time">The point's time.</param>
    /// <param name="values">Its values.</param>
    /// <param name="tag">Its tag; empty for none.</param>
    /// <returns>False if it has no room, or has fewer columns: then nothing is changed.</returns>
    internal static bool TryAppend(
        Span<byte> body, long time, ReadOnlySpan<double> values, ReadOnlySpan<byte> tag)
    {
        SegmentHead head = SegmentHead.Read(body);
        if (head.Kind != SegmentHead.Open || values.Length > head.Width || head.Count >= PointsMax)
        {
            return false;
        }

        Span<byte> state = body[head.DataOffset..];
        int number = FindTag(body.Slice(head.TagsOffset, head.TagBytes), tag, out int tags);
        int newTagBytes = number < 0 ? 1 + tag.Length : 0;
        number = number < 0 ? tags + 1 : number;
        Span<byte> point = stackalloc byte[16 + (9 * PointList.ValuesMax)];
        var writer = new ByteWriter(point);
        long delta = head.Count == 0 ? 0 : time - head.Last;
        bool isSame = values.Length == state[8] && number == state[9];
        long change = delta - BinaryPrimitives.ReadInt64LittleEndian(state);
        writer.Varint((((ulong)(change << 1) ^ (ulong)(change >> 63)) << 1) | (isSame ? 1UL : 0));
        if (!isSame)
        {
            writer.Byte(values.Length);
            writer.Byte(number);
        }

        for (int i = 0; i < values.Length; i++)
        {
            int last = SegmentHead.SizeBytes + (i * ColumnSummary.SizeBytes) + sizeof(double);
            WriteValue(
                ref writer,
                BitConverter.DoubleToUInt64Bits(values[i]) ^ BinaryPrimitives.ReadUInt64LittleEndian(body[last..]));
        }

        int growth = newTagBytes + writer.Length;
        int limit = DataBytesMax + (DataBytesOfColumn * head.Width);
        if (number > byte.MaxValue || head.Length + growth > SizeBytesMax
            || (head.Count != 0 && head.TagBytes + head.DataBytes + growth > limit))
        {
            return false;
        }

        BinaryPrimitives.WriteInt64LittleEndian(state, delta);
        state[8] = (byte)values.Length;
        state[9] = (byte)number;
        if (newTagBytes != 0)
        {
            AddTag(body, ref head, tag);
        }

        point[..writer.Length].CopyTo(body[head.Length..]);
        head.DataBytes += writer.Length;
        head.First = head.Count == 0 ? time : head.First;
        head.Last = time;
        head.IsMixed |= values.Length != head.Width;
        head.Count++;
        head.Write(body);
        AddToSummaries(body, values);
        return true;
    }

    /// <summary>Adds all points of a segment to a list.</summary>
    internal static void Read(ReadOnlySpan<byte> body, PointList target)
    {
        SegmentHead head = SegmentHead.Read(body);
        Span<int> tags = stackalloc int[256];
        head.ReadTags(body, target.TagList, tags);
        var reader = new ByteReader(body.Slice(head.DataOffset, head.DataBytes));
        reader.Skip(StateSizeBytes);
        Span<ulong> last = stackalloc ulong[PointList.ValuesMax];
        last.Clear();
        Span<double> values = stackalloc double[PointList.ValuesMax];
        long time = head.First;
        long delta = 0;
        int count = 0;
        int tag = 0;
        for (int i = 0; i < head.Count; i++)
        {
            ulong first = reader.Varint();
            ulong change = first >> 1;
            delta += (long)(change >> 1) ^ -(long)(change & 1);
            time += delta;
            if ((first & 1) == 0)
            {
                count = reader.Byte();
                tag = tags[reader.Byte()];
            }

            for (int column = 0; column < count; column++)
            {
                last[column] ^= ReadValue(ref reader);
                values[column] = BitConverter.UInt64BitsToDouble(last[column]);
            }

            target.AddNumbered(time, values[..count], tag);
        }
    }

    private static void WriteValue(ref ByteWriter writer, ulong bits)
    {
        if (bits == 0)
        {
            writer.Byte(0);
            return;
        }

        int below = BitOperations.TrailingZeroCount(bits) >> 3;
        int size = 8 - below - (BitOperations.LeadingZeroCount(bits) >> 3);
        writer.Byte((below << 4) | size);
        bits >>= below * 8;
        for (int i = 0; i < size; i++)
        {
            writer.Byte((byte)bits);
            bits >>= 8;
        }
    }

    private static ulong ReadValue(ref ByteReader reader)
    {
        int shape = reader.Byte();
        ulong bits = 0;
        ReadOnlySpan<byte> bytes = reader.Bytes(shape & 15);
        for (int i = bytes.Length - 1; i >= 0; i--)
        {
            bits = (bits << 8) | bytes[i];
        }

        return bits << ((shape >> 4) * 8);
    }

    /// <summary>The number of a tag, 0 for none; -1 if it is not there.</summary>
    private static int FindTag(ReadOnlySpan<byte> tags, ReadOnlySpan<byte> tag, out int count)
    {
        count = 0;
        if (tag.IsEmpty)
        {
            return 0;
        }

        while (!tags.IsEmpty)
        {
            count++;
            if (tags.Slice(1, tags[0]).SequenceEqual(tag))
            {
                return count;
            }

            tags = tags[(1 + tags[0])..];
        }

        return -1;
    }

    private static void AddTag(Span<byte> body, ref SegmentHead head, ReadOnlySpan<byte> tag)
    {
        int size = 1 + tag.Length;
        body.Slice(head.DataOffset, head.DataBytes).CopyTo(body[(head.DataOffset + size)..]);
        body[head.DataOffset] = (byte)tag.Length;
        tag.CopyTo(body[(head.DataOffset + 1)..]);
        head.TagBytes += size;
        head.IsTagged = true;
    }

    private static void AddToSummaries(Span<byte> body, ReadOnlySpan<double> values)
    {
        for (int i = 0; i < values.Length; i++)
        {
            Span<byte> place = body[(SegmentHead.SizeBytes + (i * ColumnSummary.SizeBytes))..];
            ColumnSummary summary = ColumnSummary.Read(place);
            summary.Add(values[i]);
            summary.Write(place);
        }
    }
}
