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

    /// <summary>The bytes of the term; valid until the cursor moves.</summary>
    internal ReadOnlySpan<byte> Term => _term.AsSpan(0, _length);

    /// <summary>
    /// After <see cref="MoveNext"/>: how many bytes at its beginning the term has in common with the one
    /// before, at least.
    /// </summary>
    internal int Shared { get; private set; }

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
            ReadFirstAfterLast(bytes);
            return true;
        }

        int shared = (int)ByteBuffer.ReadVariable(bytes, ref _at);
        int rest = (int)ByteBuffer.ReadVariable(bytes, ref _at);
        Read(bytes, shared, rest);
        return true;
    }

    /// <summary>
    /// Goes to the first term that is not before a target; the target must be behind the current term. Blocks in
    /// between are skipped, and so are terms that share no longer prefix with the target than the terms before.
    /// </summary>
    /// <returns>False if all terms are before the target: the cursor is behind the last one.</returns>
    internal bool SeekForward(ReadOnlySpan<byte> target)
    {
        int block = _field.FindBlock(target, Ordinal / DictionaryWriter.BlockTerms, Term);
        if (block != Ordinal / DictionaryWriter.BlockTerms)
        {
            SeekBlock(block);
            if (Term.SequenceEqual(target))
            {
                return true;
            }
        }

        int end = Math.Min(_field.TermCount, (block + 1) * DictionaryWriter.BlockTerms);
        if (SeekInBlock(target, end))
        {
            return true;
        }

        if (end == _field.TermCount)
        {
            Ordinal = end;
            return false;
        }

        // The first term of the next block is behind the target: else that block would have been found.
        Ordinal = end;
        ReadFirst(_field.TermBytes);
        return true;
    }

    /// <summary>
    /// Searches the rest of the block for the first term that is not before the target. Each term is stored with the
    /// length of the prefix that it shares with the term before. If that is longer than the prefix which the term
    /// before shares with the target, the term is before the target, too; if it is shorter, the term is behind it. Only
    /// if both are equal are the bytes compared.
    /// </summary>
    private bool SeekInBlock(ReadOnlySpan<byte> target, int end)
    {
        ReadOnlySpan<byte> bytes = _field.TermBytes;
        int same = Term.CommonPrefixLength(target);
        for (int ordinal = Ordinal + 1; ordinal < end; ordinal++)
        {
            int shared = (int)ByteBuffer.ReadVariable(bytes, ref _at);
            int rest = (int)ByteBuffer.ReadVariable(bytes, ref _at);
            if (shared > same)
            {
                _at += rest;
                continue;
            }

            ReadOnlySpan<byte> own = bytes.Slice(_at, rest);
            ReadOnlySpan<byte> wanted = target[same..];
            int common = shared < same ? 0 : own.CommonPrefixLength(wanted);
            bool isBefore = shared == same && common < wanted.Length
                && (common == rest || own[common] < wanted[common]);
            if (!isBefore)
            {
                Ordinal = ordinal;
                Read(bytes, shared, rest);
                return true;
            }

            // Later terms of the block may share these bytes, so that they are kept.
            TermCode.Grow(ref _term, same + common);
            own[..common].CopyTo(_term.AsSpan(same));
            same += common;
            _at += rest;
        }

        return false;
    }

    private void Read(ReadOnlySpan<byte> bytes, int shared, int rest)
    {
        TermCode.Grow(ref _term, shared + rest);
        bytes.Slice(_at, rest).CopyTo(_term.AsSpan(shared));
        _at += rest;
        _length = shared + rest;
        Shared = shared;
    }

    /// <summary>The first term of a block is written whole: what it shares with the last one is found out.</summary>
    private void ReadFirstAfterLast(ReadOnlySpan<byte> bytes)
    {
        int at = _at;
        int length = (int)ByteBuffer.ReadVariable(bytes, ref at);
        int shared = Term.CommonPrefixLength(bytes.Slice(at, length));
        ReadFirst(bytes);
        Shared = shared;
    }

    private void ReadFirst(ReadOnlySpan<byte> bytes)
    {
        _length = (int)ByteBuffer.ReadVariable(bytes, ref _at);
        TermCode.Grow(ref _term, _length);
        bytes.Slice(_at, _length).CopyTo(_term);
        _at += _length;
    }
}
