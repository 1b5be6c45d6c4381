using System.Runtime.InteropServices;
using Raven.Search.Buffers;
using Raven.Search.Fields;

namespace Raven.Search.Segments;

/// <summary>
/// Writes one field of a segment: its terms in byte order, each with its entries ascending. A new batch and a merge of
/// old segments both end here.
/// </summary>
internal sealed class FieldWriter
{
    private readonly DictionaryWriter _dictionary = new();
    private readonly PostingsWriter _postings = new();
    private readonly ColumnWriter _column = new();
    private readonly ByteBuffer _numbers = new();
    private readonly ByteBuffer _blob = new();
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private byte[] _norms = [];
    private int _termLength;
    private int _entryCount;
    private int _entriesOfTerm;
    private FieldHeader _header;

    /// <summary>The field in its disk format, when it is finished.</summary>
    internal ReadOnlySpan<byte> Blob => _blob.Span;

    internal bool IsEmpty => _dictionary.Count == 0;

    /// <summary>Begins a field.</summary>
    /// <param name="entryCount">Entries of the segment.</param>
    /// <param name="parts"><see cref="FieldParts.Words"/> or <see cref="FieldParts.Column"/>.</param>
    /// <param name="norms">The length code of each entry's text, if the field has words.</param>
    /// <param name="wordCount">The words of all texts.</param>
    internal void Begin(int entryCount, FieldParts parts, byte[] norms, long wordCount)
    {
        _entryCount = entryCount;
        _norms = norms;
        _header = new FieldHeader { Parts = parts, WordCount = wordCount, FirstNumber = -1 };
        _dictionary.Begin();
        _postings.Begin(HasWords, norms);
        _column.Begin();
        _numbers.Clear();
    }

    internal void BeginTerm(ReadOnlySpan<byte> term)
    {
        TermCode.Copy(term, ref _term);
        _termLength = term.Length;
        _entriesOfTerm = 0;
        _postings.BeginTerm();
    }

    internal void Add(int entry)
    {
        _postings.Add(entry);
        _column.Add(entry, _dictionary.Count);
        _entriesOfTerm++;
    }

    internal void Add(int entry, ReadOnlySpan<int> positions)
    {
        _postings.Add(entry, positions);
        _entriesOfTerm++;
    }

    /// <summary>Ends the term; one without entries is not written.</summary>
    internal void EndTerm()
    {
        if (_entriesOfTerm == 0)
        {
            return;
        }

        ReadOnlySpan<byte> term = _term.AsSpan(0, _termLength);
        _header.Parts |= DurationCode.IsOne(term) ? FieldParts.Durations : FieldParts.None;
        if (term[0] == TermCode.Number && !HasWords)
        {
            _header.FirstNumber = _header.FirstNumber < 0 ? _dictionary.Count : _header.FirstNumber;
            _header.NumberCount++;
            _numbers.AddUInt64(BitConverter.DoubleToUInt64Bits(TermCode.ReadDouble(term)));
        }

        _postings.EndTerm();
        _dictionary.Add(term);
    }

    /// <summary>Puts the parts together.</summary>
    internal void Finish()
    {
        _blob.Clear();
        _blob.Extend(FieldHeader.SizeInBytes);
        _dictionary.Finish(_blob, ref _header);
        _header.TermRecords = Append(_postings.Records);
        _header.Numbers = Append(_numbers);
        _header.Postings = Append(_postings.Postings);
        if (HasWords)
        {
            _header.Positions = Append(_postings.Positions);
            _header.Norms = _blob.Length;
            ReadOnlySpan<byte> norms = _norms.AsSpan(0, _entryCount);
            _blob.Add(norms);
            _blob.Align();
            _header.EntriesWithField = _entryCount - norms.Count((byte)0);
        }
        else
        {
            _column.Finish(_blob, ref _header, _entryCount);
        }

        _blob.Extend(PackedInts.Padding).Clear();
        MemoryMarshal.Write(_blob.WritableSpan, in _header);
    }

    /// <summary>Frees the memory of a long text.</summary>
    internal void Trim() => TermCode.Trim(ref _term);

    private bool HasWords => (_header.Parts & FieldParts.Words) != 0;

    private int Append(ByteBuffer part)
    {
        int at = _blob.Length;
        _blob.Add(part.Span);
        _blob.Align();
        return at;
    }
}
