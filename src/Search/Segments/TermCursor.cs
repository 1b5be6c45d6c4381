using Raven.Search.Buffers;

namespace Raven.Search.Segments;

/// <summary>Walks the terms of a field in byte order, and holds the current term.</summary>
internal sealed class TermCursor
{
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private FieldReader _field = null!;
    private int _length;
    private int _at;

    /// <summary>The number of the term that the cursor is on, or -1.</summary>
    internal int Ordinal { get; private set; }

    /// <summary>Its bytes; valid until the cursor moves.</summary>
    internal ReadOnlySpan<byte> Term => _term.AsSpan(0, _length);

    /// <summary>Before the first term of a field.</summary>
    internal void Open(FieldReader field)
    {
        if (_field != field)
        {
            TermCode.Trim(ref _term);
        }

        _field = field;
        Ordinal = -1;
    }

    /// <summary>Frees the memory of a long text.</summary>
    internal void Trim() => TermCode.Trim(ref _term);

    /// <summary>Goes to the first term of a block.</summary>
    internal void SeekBlock(int block)
    {
        _at = _field.BlockStart(block);
        Ordinal = block * DictionaryWriter.BlockTerms;
        ReadFirst(_field.TermBytes);
    }

    /// <summary>Goes to a term.</summary>
    internal void Seek(int ordinal)
    {
        int block = ordinal / DictionaryWriter.BlockTerms;
        if (Ordinal < 0 || ordinal < Ordinal || block != Ordinal / DictionaryWriter.BlockTerms)
        {
            SeekBlock(block);
        }

        while (Ordinal < ordinal)
        {
            MoveNext();
        }
    }

    /// <summary>Goes to the next term.</summary>
    /// <returns>False behind the last one.</returns>
    internal bool MoveNext()
    {
        if (Ordinal + 1 >= _field.TermCount)
        {
            Ordinal = _field.TermCount;
            return false;
        }

        ReadOnlySpan<byte> bytes = _field.TermBytes;
        if (++Ordinal % DictionaryWriter.BlockTerms == 0)
        {
            _at = Ordinal == 0 ? _field.BlockStart(0) : _at;
            ReadFirst(bytes);
            return true;
        }

        int shared = (int)ByteBuffer.ReadVariable(bytes, ref _at);
        int rest = (int)ByteBuffer.ReadVariable(bytes, ref _at);
        TermCode.Grow(ref _term, shared + rest);
        bytes.Slice(_at, rest).CopyTo(_term.AsSpan(shared));
        _at += rest;
        _length = shared + rest;
        return true;
    }

    private void ReadFirst(ReadOnlySpan<byte> bytes)
    {
        _length = (int)ByteBuffer.ReadVariable(bytes, ref _at);
        TermCode.Grow(ref _term, _length);
        bytes.Slice(_at, _length).CopyTo(_term);
        _at += _length;
    }
}
