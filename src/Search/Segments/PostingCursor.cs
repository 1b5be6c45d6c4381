using System.Numerics;
using System.Runtime.InteropServices;
using Raven.Search.Buffers;

namespace Raven.Search.Segments;

/// <summary>
/// Reads the entries of one term, a block at a time: numbers first, frequencies only if needed. Reused for the
/// next term.
/// </summary>
internal sealed class PostingCursor
{
    private readonly int[] _entries = new int[PackedInts.BlockSize];
    private readonly int[] _frequencies = new int[PackedInts.BlockSize];
    private FieldReader _field = null!;
    private int _posting;
    private int _data;
    private int _blocks;
    private int _block;
    private int _inBlock;
    private int _frequencyAt;
    private int _positions;
    private bool _hasWords;
    private bool _hasFrequencies;

    /// <summary>How many entries the term has.</summary>
    internal int Count { get; private set; }

    internal int BlockCount => _blocks;

    /// <summary>The current block, or -1 before the first.</summary>
    internal int Block => _block;

    /// <summary>The entries of the block, ascending.</summary>
    internal ReadOnlySpan<int> Entries => _entries.AsSpan(0, _inBlock);

    /// <summary>How often each entry of the block has the term.</summary>
    internal ReadOnlySpan<int> Frequencies
    {
        get
        {
            if (!_hasFrequencies)
            {
                ReadFrequencies();
            }

            return _frequencies.AsSpan(0, _inBlock);
        }
    }

    /// <summary>Goes to a term, before its first block.</summary>
    internal void Open(FieldReader field, int ordinal)
    {
        _field = field;
        _hasWords = field.HasWords;
        Count = field.DocumentFrequency(ordinal);
        _posting = field.PostingOf(ordinal);
        _positions = _hasWords ? field.PositionsOf(ordinal) : 0;
        _blocks = (Count + PackedInts.BlockSize - 1) / PackedInts.BlockSize;
        _data = _posting + (_blocks > 1 ? _blocks * PostingsWriter.SkipSize
            : _hasWords ? PostingsWriter.ImpactSize : 0);
        _block = -1;
        _inBlock = 0;
    }

    /// <summary>The last entry of a block; of the last block no less than it.</summary>
    internal int LastOf(int block) =>
        block == _blocks - 1 ? int.MaxValue : MemoryMarshal.Read<int>(Skip(block));

    /// <summary>The greatest frequency and the least length code of a block: they bound its scores.</summary>
    internal (int Frequency, byte Norm) ImpactOf(int block)
    {
        if (Count == 1)
        {
            return (255, 1);
        }

        ReadOnlySpan<byte> impact = _blocks > 1 ? Skip(block)[12..] : _field.Postings[_posting..];
        return (impact[0], impact[1]);
    }

    internal void Read(int block)
    {
        _block = block;
        _hasFrequencies = false;
        if (Count == 1)
        {
            _entries[0] = _posting;
            _inBlock = 1;
            return;
        }

        ReadOnlySpan<byte> postings = _field.Postings;
        int at = _data + (_blocks > 1 ? MemoryMarshal.Read<int>(Skip(block)[4..]) : 0);
        int last = block == 0 ? -1 : MemoryMarshal.Read<int>(Skip(block - 1));
        _inBlock = Math.Min(PackedInts.BlockSize, Count - (block * PackedInts.BlockSize));
        if (_inBlock == PackedInts.BlockSize)
        {
            int bits = postings[at++];
            PackedInts.Unpack(postings[at..], bits, _entries);
            at += PackedInts.SizeOf(bits);
            foreach (ref int entry in _entries.AsSpan())
            {
                last += entry + 1;
                entry = last;
            }
        }
        else
        {
            for (int i = 0; i < _inBlock; i++)
            {
                last += (int)ByteBuffer.ReadVariable(postings, ref at) + 1;
                _entries[i] = last;
            }
        }

        _frequencyAt = at;
    }

    /// <summary>Reads the first block that may hold entries from <paramref name="entry"/> on.</summary>
    /// <returns>False if there is none.</returns>
    internal bool Advance(int entry)
    {
        int block = Math.Max(_block, 0);
        while (block < _blocks && LastOf(block) < entry)
        {
            block++;
        }

        if (block >= _blocks)
        {
            return false;
        }

        if (block != _block)
        {
            Read(block);
        }

        return true;
    }

    /// <summary>The offset of the positions of the block's first entry.</summary>
    internal int PositionsOfBlock()
    {
        int at = _positions;
        if (Count == 1)
        {
            ByteBuffer.ReadVariable(_field.Positions, ref at);
        }

        return _blocks > 1 ? at + MemoryMarshal.Read<int>(Skip(_block)[8..]) : at;
    }

    private ReadOnlySpan<byte> Skip(int block) =>
        _field.Postings.Slice(_posting + (block * PostingsWriter.SkipSize), PostingsWriter.SkipSize);

    private void ReadFrequencies()
    {
        _hasFrequencies = true;
        if (!_hasWords)
        {
            _frequencies.AsSpan(0, _inBlock).Fill(1);
        }
        else if (Count == 1)
        {
            int at = _positions;
            _frequencies[0] = (int)ByteBuffer.ReadVariable(_field.Positions, ref at);
        }
        else if (_inBlock == PackedInts.BlockSize)
        {
            ReadOnlySpan<byte> postings = _field.Postings;
            PackedInts.Unpack(postings[(_frequencyAt + 1)..], postings[_frequencyAt], _frequencies);
            foreach (ref Vector<int> some in MemoryMarshal.Cast<int, Vector<int>>(_frequencies.AsSpan()))
            {
                some += Vector<int>.One;
            }
        }
        else
        {
            int at = _frequencyAt;
            ReadOnlySpan<byte> postings = _field.Postings;
            for (int i = 0; i < _inBlock; i++)
            {
                _frequencies[i] = (int)ByteBuffer.ReadVariable(postings, ref at) + 1;
            }
        }
    }
}
