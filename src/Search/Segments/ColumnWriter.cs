using System.Runtime.InteropServices;
using Raven.Search.Buffers;
using Raven.Search.Fields;

namespace Raven.Search.Segments;

/// <summary>
/// Collects which entry has which term, term by term, and inverts it: for each entry its ordinals, ascending.
/// </summary>
internal sealed class ColumnWriter
{
    private int[] _entries = new int[256];
    private int[] _ordinals = new int[256];
    private int[] _starts = [];
    private int[] _values = [];
    private int _count;

    internal void Begin() => _count = 0;

    internal void Add(int entry, int ordinal)
    {
        if (_count == _entries.Length)
        {
            Array.Resize(ref _entries, _count * 2);
            Array.Resize(ref _ordinals, _count * 2);
        }

        _entries[_count] = entry;
        _ordinals[_count++] = ordinal;
    }

    internal void Finish(ByteBuffer blob, ref FieldHeader header, int entryCount)
    {
        header.Column = blob.Length;
        bool isSingle = CountPerEntry(entryCount, out header.EntriesWithField);
        if (isSingle)
        {
            WriteSingle(blob, header.TermCount, entryCount);
        }
        else
        {
            header.Parts |= FieldParts.ManyValues;
            WriteMany(blob, entryCount);
        }

        blob.Align();
    }

    /// <summary>Bytes of an ordinal of a column with one value an entry; 0 there says that it has none.</summary>
    internal static int WidthOf(int termCount) => termCount < 256 ? 1 : termCount < 65536 ? 2 : 4;

    private bool CountPerEntry(int entryCount, out int withField)
    {
        if (_starts.Length < entryCount + 1)
        {
            _starts = new int[entryCount + 1];
        }

        Array.Clear(_starts);
        bool isSingle = true;
        withField = 0;
        for (int i = 0; i < _count; i++)
        {
            int before = _starts[_entries[i] + 1]++;
            isSingle &= before == 0;
            withField += before == 0 ? 1 : 0;
        }

        return isSingle;
    }

    private void WriteSingle(ByteBuffer blob, int termCount, int entryCount)
    {
        int width = WidthOf(termCount);
        Span<byte> column = blob.Extend(checked(entryCount * width));
        column.Clear();
        switch (width)
        {
            case 1:
                for (int i = 0; i < _count; i++)
                {
                    column[_entries[i]] = (byte)(_ordinals[i] + 1);
                }

                break;
            case 2:
                Span<ushort> shorts = MemoryMarshal.Cast<byte, ushort>(column);
                for (int i = 0; i < _count; i++)
                {
                    shorts[_entries[i]] = (ushort)(_ordinals[i] + 1);
                }

                break;
            default:
                Span<int> ints = MemoryMarshal.Cast<byte, int>(column);
                for (int i = 0; i < _count; i++)
                {
                    ints[_entries[i]] = _ordinals[i] + 1;
                }

                break;
        }
    }

    private void WriteMany(ByteBuffer blob, int entryCount)
    {
        for (int entry = 0; entry < entryCount; entry++)
        {
            _starts[entry + 1] += _starts[entry];
        }

        blob.AddInts(_starts.AsSpan(0, entryCount + 1));
        if (_values.Length < _count)
        {
            _values = new int[_entries.Length];
        }

        // Ordinals arrived ascending, so each entry's are in order; starts move to the ends while they are filled.
        for (int i = 0; i < _count; i++)
        {
            _values[_starts[_entries[i]]++] = _ordinals[i];
        }

        blob.AddInts(_values.AsSpan(0, _count));
    }
}
