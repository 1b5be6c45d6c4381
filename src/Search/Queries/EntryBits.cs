namespace Raven.Search.Queries;

/// <summary>One bit an entry of a segment, in whole windows; its memory is reused by the next segment.</summary>
internal sealed class EntryBits
{
    private ulong[] _bits = [];
    private int _words;

    /// <summary>The bits, 64 entries a word, up to the end of the last window.</summary>
    internal Span<ulong> Words => _bits.AsSpan(0, _words);

    /// <summary>Makes room for the entries of a segment, all cleared.</summary>
    internal void Open(int entryCount)
    {
        _words = (entryCount + Window.Entries - 1) / Window.Entries * Window.Words;
        if (_bits.Length < _words)
        {
            _bits = new ulong[_words];
        }

        Array.Clear(_bits, 0, _words);
    }

    internal void Set(int entry) => _bits[entry >> 6] |= 1UL << (entry & 63);

    /// <summary>See <see cref="Matcher.Next"/>.</summary>
    internal int Next(int start)
    {
        int word = start >> 6;
        int empty = word < _words ? _bits.AsSpan(word, _words - word).IndexOfAnyExcept(0UL) : -1;
        return empty < 0 ? int.MaxValue : Math.Max(start, (word + empty) << 6);
    }

    /// <summary>See <see cref="Matcher.Match"/>; behind the last entry nothing is set.</summary>
    internal void CopyTo(int start, Span<ulong> window)
    {
        if (start >> 6 >= _words)
        {
            window.Clear();
            return;
        }

        _bits.AsSpan(start >> 6, Window.Words).CopyTo(window);
    }

    /// <summary>See <see cref="Matcher.Restrict"/>.</summary>
    internal bool Restrict(int start, Span<ulong> window) =>
        Window.And(window, _bits.AsSpan(start >> 6, Window.Words));
}
