namespace Raven.Search.Analysis;

/// <summary>
/// The terms of one value, as an <see cref="Analyzer"/> leaves them. It is reused for the next value and then allocates
/// nothing. One thread at a time.
/// </summary>
public sealed class TokenBuffer
{
    /// <summary>The longest term in bytes; a longer run of letters is cut into pieces of this size.</summary>
    public const int TermSizeBytesMax = 255;

    private const int TokenSizeBytes = 5 * sizeof(int);

    private byte[] _bytes = new byte[1024];
    private Token[] _tokens = new Token[64];
    private int _used;
    private int _count;

    /// <summary>How many terms there are.</summary>
    public int Count => _count;

    /// <summary>How many bytes the terms and their places may take, for an analyzer that may not end: the buffer does
    /// not grow beyond it.</summary>
    public long SizeBytesMax { get; set; } = long.MaxValue;

    /// <summary>The terms in the order of the text.</summary>
    public ReadOnlySpan<Token> Tokens => _tokens.AsSpan(0, _count);

    /// <summary>The bytes of a term. Valid until the buffer is cleared.</summary>
    public ReadOnlySpan<byte> Term(in Token token) => _bytes.AsSpan(token.TermOffset, token.TermLength);

    /// <summary>Forgets all terms.</summary>
    public void Clear()
    {
        _used = 0;
        _count = 0;
    }

    /// <summary>Adds a term.</summary>
    /// <param name="term">Its bytes, which are copied.</param>
    /// <param name="start">The offset of its text in the value.</param>
    /// <param name="length">How many bytes of text it stands for.</param>
    /// <param name="position">Its place among the words.</param>
    public void Add(ReadOnlySpan<byte> term, int start, int length, int position)
    {
        term.CopyTo(Reserve(term.Length));
        Commit(term.Length, start, length, position);
    }

    /// <summary>Room for a term of up to so many bytes, to be written and then committed.</summary>
    internal Span<byte> Reserve(int lengthMax)
    {
        if (_bytes.Length - _used < lengthMax)
        {
            CheckSize(_used + (long)lengthMax, _count);
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, _used + lengthMax));
        }

        return _bytes.AsSpan(_used, lengthMax);
    }

    internal void Commit(int termLength, int start, int length, int position)
    {
        if (_count == _tokens.Length)
        {
            CheckSize(_used, _count + 1L);
            Array.Resize(ref _tokens, _count * 2);
        }

        _tokens[_count++] = new Token(_used, termLength, start, length, position);
        _used += termLength;
    }

    /// <exception cref="InvalidOperationException">The terms take more than they may.</exception>
    private void CheckSize(long bytes, long count)
    {
        if (bytes + (count * TokenSizeBytes) <= SizeBytesMax)
        {
            return;
        }

        int found = _count;
        Clear();
        _bytes = new byte[1024];
        _tokens = new Token[64];
        throw new InvalidOperationException($"the {found} terms of a text take more than {SizeBytesMax} bytes");
    }
}
