using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Search.Fields;

namespace Raven.Search.Segments;

/// <summary>One field of a segment, read in place. Valid as long as the transaction of the blob.</summary>
internal sealed class FieldReader
{
    private readonly TermCursor _lookup = new();
    private NativeSlice _blob;
    private FieldHeader _header;
    private int _entryCount;
    private int _columnWidth;

    internal int TermCount => _header.TermCount;

    internal int EntryCount => _entryCount;

    internal bool HasWords => (_header.Parts & FieldParts.Words) != 0;

    internal bool HasManyValues => (_header.Parts & FieldParts.ManyValues) != 0;

    /// <summary>Whether some numbers are the ticks of lengths of time.</summary>
    internal bool HasDurations => (_header.Parts & FieldParts.Durations) != 0;

    internal int EntriesWithField => _header.EntriesWithField;

    internal long WordCount => _header.WordCount;

    /// <summary>The first ordinal that is a number, or -1.</summary>
    internal int FirstNumber => _header.FirstNumber;

    internal int NumberCount => _header.NumberCount;

    internal void Attach(NativeSlice blob, int entryCount)
    {
        _lookup.Trim();
        _blob = blob;
        _header = MemoryMarshal.Read<FieldHeader>(blob.Span);
        _entryCount = entryCount;
        _columnWidth = ColumnWriter.WidthOf(_header.TermCount);
    }

    /// <summary>The ordinal of a term; if it is absent, the complement of the next one's.</summary>
    internal int Find(ReadOnlySpan<byte> term)
    {
        if (TermCount == 0)
        {
            return ~0;
        }

        TermCursor cursor = _lookup;
        cursor.Open(this);
        int block = FindBlock(term, cursor);
        cursor.SeekBlock(block);
        int end = Math.Min(TermCount, (block + 1) * DictionaryWriter.BlockTerms);
        for (int ordinal = block * DictionaryWriter.BlockTerms; ordinal < end; ordinal++)
        {
            int order = cursor.Term.SequenceCompareTo(term);
            if (order >= 0)
            {
                return order == 0 ? ordinal : ~ordinal;
            }

            cursor.MoveNext();
        }

        return ~end;
    }

    /// <summary>The first ordinal whose term is not before <paramref name="term"/>.</summary>
    internal int LowerBound(ReadOnlySpan<byte> term)
    {
        int found = Find(term);
        return found >= 0 ? found : ~found;
    }

    /// <summary>The bytes of a term; valid until the next search or term.</summary>
    internal ReadOnlySpan<byte> TermAt(int ordinal)
    {
        _lookup.Open(this);
        _lookup.Seek(ordinal);
        return _lookup.Term;
    }

    /// <summary>Copies a term; returns the copy.</summary>
    internal ReadOnlySpan<byte> CopyTerm(int ordinal, Span<byte> target)
    {
        ReadOnlySpan<byte> term = TermAt(ordinal);
        term.CopyTo(target);
        return target[..term.Length];
    }

    /// <summary>How many entries have the term.</summary>
    internal int DocumentFrequency(int ordinal) => MemoryMarshal.Read<int>(Record(ordinal));

    /// <summary>The place of the term's postings; for a term with one entry, that entry.</summary>
    internal int PostingOf(int ordinal) => MemoryMarshal.Read<int>(Record(ordinal)[4..]);

    internal int PositionsOf(int ordinal) => MemoryMarshal.Read<int>(Record(ordinal)[8..]);

    internal ReadOnlySpan<byte> Postings => _blob.Span[_header.Postings..];

    internal ReadOnlySpan<byte> Positions => _blob.Span[_header.Positions..];

    internal ReadOnlySpan<byte> Norms => _blob.Span.Slice(_header.Norms, _entryCount);

    internal ReadOnlySpan<byte> TermBytes => _blob.Span[_header.TermBytes.._header.TermRecords];

    /// <summary>The numbers of the ordinals from <see cref="FirstNumber"/> on.</summary>
    internal ReadOnlySpan<double> Numbers =>
        MemoryMarshal.Cast<byte, double>(_blob.Span.Slice(_header.Numbers, _header.NumberCount * 8));

    internal int BlockStart(int block) =>
        BinaryPrimitives.ReadInt32LittleEndian(_blob.Span[(_header.BlockOffsets + (block * 4))..]);

    /// <summary>The least ordinal of an entry, or -1 if it has no value.</summary>
    internal int FirstOrdinal(int entry) => HasManyValues
        ? OrdinalsOf(entry) is { IsEmpty: false } many ? many[0] : -1
        : SingleOrdinal(entry);

    /// <summary>The greatest ordinal of an entry, or -1 if it has no value.</summary>
    internal int LastOrdinal(int entry) => HasManyValues
        ? OrdinalsOf(entry) is { IsEmpty: false } many ? many[^1] : -1
        : SingleOrdinal(entry);

    /// <summary>The ordinals of an entry of a field in which some have more than one.</summary>
    internal ReadOnlySpan<int> OrdinalsOf(int entry)
    {
        ReadOnlySpan<int> ints = MemoryMarshal.Cast<byte, int>(_blob.Span[_header.Column..]);
        int values = _entryCount + 1;
        return ints[(values + ints[entry])..(values + ints[entry + 1])];
    }

    /// <summary>The column of a field with one value an entry: ordinals plus one, of 1, 2 or 4 bytes.</summary>
    internal ReadOnlySpan<byte> Column => _blob.Span.Slice(_header.Column, _entryCount * _columnWidth);

    internal int ColumnWidth => _columnWidth;

    internal int SingleOrdinal(int entry) => OrdinalAt(_blob.Span[_header.Column..], _columnWidth, entry);

    /// <summary>The ordinal of an entry in a column with one value an entry, or -1.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static int OrdinalAt(ReadOnlySpan<byte> column, int width, int entry) => width switch
    {
        1 => column[entry] - 1,
        2 => MemoryMarshal.Read<ushort>(column[(entry * 2)..]) - 1,
        _ => MemoryMarshal.Read<int>(column[(entry * 4)..]) - 1,
    };

    /// <summary>
    /// The last block whose first term is not behind the given one, which itself is behind the term of a cursor. The
    /// search begins at the cursor's block and doubles its steps, since a cursor mostly moves forward by small steps.
    /// </summary>
    internal int FindBlock(ReadOnlySpan<byte> term, int from, ReadOnlySpan<byte> before)
    {
        int blocks = (TermCount + DictionaryWriter.BlockTerms - 1) / DictionaryWriter.BlockTerms;
        int prefix = _header.PrefixLength;
        if (!term.StartsWith(before[..prefix]))
        {
            // All terms have a common prefix. The given term does not have it, and is behind one that has: so it is
            // behind all.
            return blocks - 1;
        }

        ReadOnlySpan<ulong> heads = BlockHeads(blocks);
        ulong head = DictionaryWriter.HeadOf(term[prefix..]);
        int low = from;
        int step = 1;
        while (low + step < blocks && heads[low + step] < head)
        {
            low += step;
            step *= 2;
        }

        _lookup.Open(this);
        return FindBlock(term, heads, head, low, Math.Min(low + step, blocks - 1), _lookup);
    }

    private ReadOnlySpan<byte> Record(int ordinal)
    {
        int size = HasWords ? 12 : 8;
        return _blob.Span.Slice(_header.TermRecords + (ordinal * size), size);
    }

    /// <summary>The last block whose first term is not behind the given one; 0 if there is none.</summary>
    private int FindBlock(ReadOnlySpan<byte> term, TermCursor cursor)
    {
        int blocks = (TermCount + DictionaryWriter.BlockTerms - 1) / DictionaryWriter.BlockTerms;
        int prefix = _header.PrefixLength;
        cursor.SeekBlock(0);
        int shared = term.CommonPrefixLength(cursor.Term[..prefix]);
        if (shared < prefix)
        {
            bool isBefore = shared == term.Length || term[shared] < cursor.Term[shared];
            return isBefore ? 0 : blocks - 1;
        }

        return FindBlock(term, BlockHeads(blocks), DictionaryWriter.HeadOf(term[prefix..]), 0, blocks - 1, cursor);
    }

    private ReadOnlySpan<ulong> BlockHeads(int blocks) =>
        MemoryMarshal.Cast<byte, ulong>(_blob.Span.Slice(_header.BlockHeads, blocks * 8));

    private static int FindBlock(
        ReadOnlySpan<byte> term, ReadOnlySpan<ulong> heads, ulong head, int low, int high, TermCursor cursor)
    {
        while (low < high)
        {
            int middle = (low + high + 1) >>> 1;
            bool isBehind = heads[middle] > head;
            if (heads[middle] == head)
            {
                cursor.SeekBlock(middle);
                isBehind = cursor.Term.SequenceCompareTo(term) > 0;
            }

            (low, high) = isBehind ? (low, middle - 1) : (middle, high);
        }

        return low;
    }
}
