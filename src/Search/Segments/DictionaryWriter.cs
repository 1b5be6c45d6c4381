using System.Buffers.Binary;
using Raven.Search.Buffers;

namespace Raven.Search.Segments;

/// <summary>
/// Writes terms, which arrive in byte order, into blocks of 16: the first whole, each other as its difference from the
/// one before. The blocks are the leaves of a tree that is built from the bottom; <see cref="Finish"/> writes the
/// level above.
/// </summary>
internal sealed class DictionaryWriter
{
    internal const int BlockTerms = 16;

    private readonly ByteBuffer _terms = new();
    private readonly ByteBuffer _first = new();
    private readonly ByteBuffer _last = new();
    private readonly ByteBuffer _blocks = new();

    internal int Count { get; private set; }

    internal ByteBuffer Terms => _terms;

    internal void Begin()
    {
        Count = 0;
        _terms.Clear();
        _first.Clear();
        _last.Clear();
        _blocks.Clear();
    }

    internal void Add(ReadOnlySpan<byte> term)
    {
        if (Count == 0)
        {
            _first.Add(term);
        }

        if (Count % BlockTerms == 0)
        {
            _blocks.AddUInt32((uint)_terms.Length);
            _terms.AddVariable((uint)term.Length);
            _terms.Add(term);
        }
        else
        {
            int shared = term.CommonPrefixLength(_last.Span);
            _terms.AddVariable((uint)shared);
            _terms.AddVariable((uint)(term.Length - shared));
            _terms.Add(term[shared..]);
        }

        _last.Clear();
        _last.Add(term);
        Count++;
    }

    /// <summary>Writes heads, offsets and terms of the blocks, and their places into the header.</summary>
    internal void Finish(ByteBuffer blob, ref FieldHeader header)
    {
        int prefix = Count == 0 ? 0 : _first.Span.CommonPrefixLength(_last.Span);
        header.TermCount = Count;
        header.PrefixLength = prefix;
        header.BlockHeads = blob.Length;
        int blocks = _blocks.Length / 4;
        for (int block = 0; block < blocks; block++)
        {
            int at = OffsetOf(block);
            int length = (int)ByteBuffer.ReadVariable(_terms.Span, ref at);
            blob.AddUInt64(HeadOf(_terms.Span.Slice(at + prefix, length - prefix)));
        }

        header.BlockOffsets = blob.Length;
        blob.Add(_blocks.Span);
        blob.Align();
        header.TermBytes = blob.Length;
        blob.Add(_terms.Span);
        blob.Align();
    }

    /// <summary>
    /// The first 8 bytes as a number that compares as they do; a shorter term is filled up with zeros.
    /// </summary>
    internal static ulong HeadOf(ReadOnlySpan<byte> term)
    {
        if (term.Length >= 8)
        {
            return BinaryPrimitives.ReadUInt64BigEndian(term);
        }

        ulong head = 0;
        for (int i = 0; i < 8; i++)
        {
            head = (head << 8) | (i < term.Length ? term[i] : 0u);
        }

        return head;
    }

    private int OffsetOf(int block) => BinaryPrimitives.ReadInt32LittleEndian(_blocks.Span[(block * 4)..]);
}
