using System.Buffers;
using System.Text;

namespace Raven.Search.Lucene.Analysis;

/// <summary>A text in UTF-8 as the characters that Lucene reads, and where each of them is in its bytes. Reused for the
/// next text.</summary>
internal sealed class AnalyzedText : TextReader
{
    private const int KeptCharsMax = 64 << 10;

    private char[] _chars = new char[1024];

    // The offset in bytes of each character, and of the end; not filled if all characters are one byte each.
    private int[] _offsets = [];
    private byte[] _term = new byte[256];
    private int _length;
    private int _at;
    private bool _isAscii;

    /// <summary>How many characters it has.</summary>
    internal int Length => _length;

    /// <summary>Whether it is worth keeping for the next text.</summary>
    internal bool IsSmall => _chars.Length <= KeptCharsMax && _term.Length <= KeptCharsMax;

    /// <summary>Begins a text. Bytes that are no UTF-8 become U+FFFD, which separates words.</summary>
    internal void Begin(ReadOnlySpan<byte> utf8)
    {
        _at = 0;
        if (_chars.Length < utf8.Length)
        {
            _chars = new char[Math.Max(utf8.Length, Math.Min(_chars.Length * 2, KeptCharsMax))];
        }

        _isAscii = Ascii.ToUtf16(utf8, _chars, out _length) == OperationStatus.Done;
        if (!_isAscii)
        {
            Decode(utf8);
        }
    }

    /// <summary>The offset in bytes of a character.</summary>
    internal int OffsetOf(int at) => _isAscii ? at : _offsets[at];

    /// <summary>A term in UTF-8; valid until the next call.</summary>
    internal ReadOnlySpan<byte> ToUtf8(ReadOnlySpan<char> term)
    {
        int size = Encoding.UTF8.GetMaxByteCount(term.Length);
        if (_term.Length < size)
        {
            _term = new byte[size * 2];
        }

        return _term.AsSpan(0, Encoding.UTF8.GetBytes(term, _term));
    }

    /// <inheritdoc/>
    public override int Peek() => _at < _length ? _chars[_at] : -1;

    /// <inheritdoc/>
    public override int Read() => _at < _length ? _chars[_at++] : -1;

    /// <inheritdoc/>
    public override int Read(char[] buffer, int index, int count) => Read(buffer.AsSpan(index, count));

    /// <inheritdoc/>
    public override int Read(Span<char> buffer)
    {
        int count = Math.Min(buffer.Length, _length - _at);
        _chars.AsSpan(_at, count).CopyTo(buffer);
        _at += count;
        return count;
    }

    private void Decode(ReadOnlySpan<byte> utf8)
    {
        if (_offsets.Length <= _chars.Length)
        {
            _offsets = new int[_chars.Length + 1];
        }

        _length = 0;
        int at = 0;
        while (at < utf8.Length)
        {
            Rune.DecodeFromUtf8(utf8[at..], out Rune rune, out int size);
            int count = rune.EncodeToUtf16(_chars.AsSpan(_length));
            _offsets.AsSpan(_length, count).Fill(at);
            _length += count;
            at += size;
        }

        _offsets[_length] = at;
    }
}
