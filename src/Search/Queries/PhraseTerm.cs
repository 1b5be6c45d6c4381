using Raven.Search.Buffers;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>One word of a phrase: returns the positions of ascending entries.</summary>
internal sealed class PhraseTerm
{
    private readonly PostingCursor _postings = new();
    private FieldReader _field = null!;
    private int[] _positions = new int[32];
    private int _index;
    private int _at;

    /// <summary>The word's place in the phrase.</summary>
    internal int Offset { get; private set; }

    /// <summary>The ordinal of the word in the dictionary.</summary>
    internal int Ordinal { get; private set; }

    internal long Count => _postings.Count;

    /// <summary>The positions of the word in the entry of <see cref="Advance"/>, ascending.</summary>
    internal ReadOnlySpan<int> Positions => _positions.AsSpan(0, PositionCount);

    internal int PositionCount { get; private set; }

    internal void Open(FieldReader field, int ordinal, int offset)
    {
        _field = field;
        Offset = offset;
        Ordinal = ordinal;
        _postings.Open(field, ordinal);
        _index = 0;
    }

    /// <summary>Reads the positions of an entry behind the last one requested.</summary>
    /// <returns>False if it does not have the word.</returns>
    internal bool Advance(int entry)
    {
        int before = _postings.Block;
        if (!_postings.Advance(entry))
        {
            return false;
        }

        if (before != _postings.Block)
        {
            _index = 0;
            _at = _postings.PositionsOfBlock();
        }

        ReadOnlySpan<int> entries = _postings.Entries;
        ReadOnlySpan<byte> bytes = _field.Positions;
        for (; _index < entries.Length && entries[_index] < entry; _index++)
        {
            for (int skip = _postings.Frequencies[_index]; skip > 0; skip--)
            {
                ByteBuffer.ReadVariable(bytes, ref _at);
            }
        }

        if (_index == entries.Length || entries[_index] != entry)
        {
            return false;
        }

        Read(bytes, _postings.Frequencies[_index++]);
        return true;
    }

    private void Read(ReadOnlySpan<byte> bytes, int count)
    {
        if (_positions.Length < count)
        {
            _positions = new int[count * 2];
        }

        int position = 0;
        for (int i = 0; i < count; i++)
        {
            position += (int)ByteBuffer.ReadVariable(bytes, ref _at);
            _positions[i] = position;
        }

        PositionCount = count;
    }
}
