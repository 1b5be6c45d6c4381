using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// The entries whose value lies in a run of ordinals, read from the column: for frequent terms and wide ranges this
/// takes a few hundred nanoseconds a window, however many match.
/// </summary>
internal sealed class ColumnMatcher : Matcher
{
    private FieldReader _field = null!;
    private int _from;
    private int _count;
    private long _cost;

    internal override long Cost => _cost;

    /// <summary>
    /// Opens the matcher for the ordinals from <paramref name="from"/> on and before <paramref name="to"/>.
    /// </summary>
    internal void Open(FieldReader field, int from, int to, long cost)
    {
        _field = field;
        _from = from;
        _count = to - from;
        _cost = cost;
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        bits.Clear();
        int count = Math.Min(Window.Entries, _field.EntryCount - start);
        if (count <= 0)
        {
            return;
        }

        int width = _field.ColumnWidth;
        if (_field.HasManyValues)
        {
            MatchMany(start, count, bits);
            return;
        }

        ReadOnlySpan<byte> column = _field.Column.Slice(start * width, count * width);
        switch (width)
        {
            case 1:
                MatchBytes(column, bits);
                break;
            case 2:
                MatchShorts(MemoryMarshal.Cast<byte, ushort>(column), bits);
                break;
            default:
                MatchInts(MemoryMarshal.Cast<byte, uint>(column), bits);
                break;
        }
    }

    // Values are ordinals plus one; in unsigned arithmetic, v - first is below count exactly if it lies in the run.
    private void MatchBytes(ReadOnlySpan<byte> column, Span<ulong> bits)
    {
        byte first = (byte)(_from + 1);
        int i = 0;
        if (Vector256.IsHardwareAccelerated && _count < 256)
        {
            Vector256<byte> firsts = Vector256.Create(first);
            Vector256<byte> counts = Vector256.Create((byte)_count);
            for (; i + 32 <= column.Length; i += 32)
            {
                Vector256<byte> values = Vector256.Create(column.Slice(i, 32)) - firsts;
                ulong found = Vector256.LessThan(values, counts).ExtractMostSignificantBits();
                bits[i >> 6] |= found << (i & 63);
            }
        }

        for (; i < column.Length; i++)
        {
            bits[i >> 6] |= (byte)(column[i] - first) < _count && column[i] != 0 ? 1UL << (i & 63) : 0;
        }
    }

    private void MatchShorts(ReadOnlySpan<ushort> column, Span<ulong> bits)
    {
        ushort first = (ushort)(_from + 1);
        int i = 0;
        if (Vector256.IsHardwareAccelerated)
        {
            Vector256<ushort> firsts = Vector256.Create(first);
            Vector256<ushort> counts = Vector256.Create((ushort)_count);
            for (; i + 16 <= column.Length; i += 16)
            {
                Vector256<ushort> values = Vector256.Create(column.Slice(i, 16)) - firsts;
                ulong found = Vector256.LessThan(values, counts).ExtractMostSignificantBits();
                bits[i >> 6] |= found << (i & 63);
            }
        }

        for (; i < column.Length; i++)
        {
            bits[i >> 6] |= (ushort)(column[i] - first) < _count ? 1UL << (i & 63) : 0;
        }
    }

    private void MatchInts(ReadOnlySpan<uint> column, Span<ulong> bits)
    {
        uint first = (uint)_from + 1;
        for (int i = 0; i < column.Length; i++)
        {
            bits[i >> 6] |= column[i] - first < (uint)_count ? 1UL << (i & 63) : 0;
        }
    }

    private void MatchMany(int start, int count, Span<ulong> bits)
    {
        for (int i = 0; i < count; i++)
        {
            foreach (int ordinal in _field.OrdinalsOf(start + i))
            {
                if ((uint)(ordinal - _from) < (uint)_count)
                {
                    bits[i >> 6] |= 1UL << (i & 63);
                    break;
                }
            }
        }
    }
}
