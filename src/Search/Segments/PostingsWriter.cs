using Raven.Search.Buffers;

namespace Raven.Search.Segments;

/// <summary>Writes the entries of one term after the other: ascending numbers, in blocks of 128.</summary>
internal sealed class PostingsWriter
{
    internal const int SkipSize = 16;
    internal const int ImpactSize = 2;

    private readonly int[] _entries = new int[PackedInts.BlockSize];
    private readonly int[] _frequencies = new int[PackedInts.BlockSize];
    private readonly ByteBuffer _blocks = new();
    private readonly ByteBuffer _skips = new();
    private readonly ByteBuffer _termPositions = new();
    private readonly int[] _gaps = new int[PackedInts.BlockSize];
    private byte[] _norms = [];
    private bool _hasWords;
    private int _count;
    private int _inBlock;
    private int _last;
    private int _blockPositions;

    internal ByteBuffer Postings { get; } = new();

    internal ByteBuffer Positions { get; } = new();

    internal ByteBuffer Records { get; } = new();

    /// <summary>Begins a field.</summary>
    /// <param name="hasWords">With frequencies and positions.</param>
    /// <param name="norms">The length code of each entry's text.</param>
    internal void Begin(bool hasWords, byte[] norms)
    {
        _hasWords = hasWords;
        _norms = norms;
        Postings.Clear();
        Positions.Clear();
        Records.Clear();
    }

    internal void BeginTerm()
    {
        _count = 0;
        _inBlock = 0;
        _last = -1;
        _blockPositions = 0;
        _blocks.Clear();
        _skips.Clear();
        _termPositions.Clear();
    }

    internal void Add(int entry) => Add(entry, 1);

    /// <summary>Adds an entry whose text has the term at some positions, ascending.</summary>
    internal void Add(int entry, ReadOnlySpan<int> positions)
    {
        Add(entry, positions.Length);
        int last = 0;
        foreach (int position in positions)
        {
            _termPositions.AddVariable((uint)(position - last));
            last = position;
        }
    }

    /// <summary>Ends the term and writes its record.</summary>
    internal void EndTerm()
    {
        if (_count == 1)
        {
            WriteRecord(_entries[0]);
            if (_hasWords)
            {
                Positions.AddVariable((uint)_frequencies[0]);
            }

            Positions.Add(_termPositions.Span);
            return;
        }

        bool hasSkips = _count > PackedInts.BlockSize;
        if (_inBlock == PackedInts.BlockSize)
        {
            WriteBlock();
        }
        else
        {
            WriteTail();
        }

        WriteRecord(Postings.Length);
        if (hasSkips)
        {
            Postings.Add(_skips.Span);
        }
        else if (_hasWords)
        {
            Postings.Add(_skips.Span.Slice(12, ImpactSize));
        }

        Postings.Add(_blocks.Span);
        Positions.Add(_termPositions.Span);
    }

    private void WriteRecord(int posting)
    {
        Records.AddUInt32((uint)_count);
        Records.AddUInt32((uint)posting);
        if (_hasWords)
        {
            Records.AddUInt32((uint)Positions.Length);
        }
    }

    private void Add(int entry, int frequency)
    {
        if (_inBlock == PackedInts.BlockSize)
        {
            WriteBlock();
        }

        _entries[_inBlock] = entry;
        _frequencies[_inBlock++] = frequency;
        _count++;
    }

    private void WriteBlock()
    {
        WriteSkip();
        for (int i = 0; i < _inBlock; i++)
        {
            _gaps[i] = _entries[i] - _last - 1;
            _last = _entries[i];
        }

        int bits = PackedInts.BitsFor(_gaps);
        _blocks.AddByte((byte)bits);
        PackedInts.Pack(_gaps, bits, _blocks);
        if (_hasWords)
        {
            for (int i = 0; i < _inBlock; i++)
            {
                _gaps[i] = _frequencies[i] - 1;
            }

            bits = PackedInts.BitsFor(_gaps);
            _blocks.AddByte((byte)bits);
            PackedInts.Pack(_gaps, bits, _blocks);
        }

        _inBlock = 0;
        _blockPositions = _termPositions.Length;
    }

    private void WriteTail()
    {
        WriteSkip();
        for (int i = 0; i < _inBlock; i++)
        {
            _blocks.AddVariable((uint)(_entries[i] - _last - 1));
            _last = _entries[i];
        }

        for (int i = 0; i < _inBlock && _hasWords; i++)
        {
            _blocks.AddVariable((uint)_frequencies[i] - 1);
        }
    }

    private void WriteSkip()
    {
        _skips.AddUInt32((uint)_entries[_inBlock - 1]);
        _skips.AddUInt32((uint)_blocks.Length);
        _skips.AddUInt32((uint)_blockPositions);
        int frequency = 1;
        int norm = 255;
        for (int i = 0; i < _inBlock && _hasWords; i++)
        {
            frequency = Math.Max(frequency, _frequencies[i]);
            norm = Math.Min(norm, _norms[_entries[i]]);
        }

        _skips.AddByte((byte)Math.Min(frequency, 255));
        _skips.AddByte((byte)norm);
        _skips.AddByte(0);
        _skips.AddByte(0);
    }
}
