using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// The entries that have any of many terms (a prefix, a pattern, a list): one bit an entry of the segment, made when
/// the operator is opened.
/// </summary>
internal sealed class SetMatcher : Matcher
{
    private readonly PostingCursor _postings = new();
    private ulong[] _bits = [];
    private int _words;
    private long _cost;

    internal override long Cost => _cost;

    /// <summary>How many terms were added.</summary>
    internal int TermCount { get; private set; }

    internal void Open(int entryCount)
    {
        _words = (entryCount + Window.Entries - 1) / Window.Entries * Window.Words;
        _cost = 0;
        TermCount = 0;
        if (_bits.Length < _words)
        {
            _bits = new ulong[_words];
        }

        Array.Clear(_bits, 0, _words);
    }

    internal void AddTerm(FieldReader field, int ordinal)
    {
        TermCount++;
        _postings.Open(field, ordinal);
        _cost += _postings.Count;
        for (int block = 0; block < _postings.BlockCount; block++)
        {
            _postings.Read(block);
            foreach (int entry in _postings.Entries)
            {
                _bits[entry >> 6] |= 1UL << (entry & 63);
            }
        }
    }

    /// <summary>Adds the entries that have a text, as their length codes say.</summary>
    internal void AddWithText(ReadOnlySpan<byte> norms)
    {
        for (int entry = 0; entry < norms.Length; entry++)
        {
            if (norms[entry] > 0)
            {
                AddEntry(entry);
            }
        }
    }

    /// <summary>Adds entries each of which may come several times in a row.</summary>
    internal void AddRuns(ReadOnlySpan<int> entries)
    {
        int last = -1;
        foreach (int entry in entries)
        {
            if (entry != last)
            {
                AddEntry(entry);
                last = entry;
            }
        }
    }

    internal void AddEntry(int entry)
    {
        _cost++;
        _bits[entry >> 6] |= 1UL << (entry & 63);
    }

    internal override int Next(int start)
    {
        int word = start >> 6;
        int empty = word < _words ? _bits.AsSpan(word, _words - word).IndexOfAnyExcept(0UL) : -1;
        return empty < 0 ? int.MaxValue : Math.Max(start, (word + empty) << 6);
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        if (start >> 6 >= _words)
        {
            bits.Clear();
            return;
        }

        _bits.AsSpan(start >> 6, Window.Words).CopyTo(bits);
    }

    internal override bool Restrict(int start, Span<ulong> bits) =>
        Window.And(bits, _bits.AsSpan(start >> 6, Window.Words));
}
