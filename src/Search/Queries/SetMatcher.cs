using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// The entries that have any of many terms (a prefix, a pattern, a list): one bit an entry of the segment, computed
/// when the operator is opened.
/// </summary>
internal sealed class SetMatcher : Matcher
{
    private readonly PostingCursor _postings = new();
    private readonly EntryBits _found = new();
    private long _cost;

    internal override long Cost => _cost;

    /// <summary>How many terms were added.</summary>
    internal int TermCount { get; private set; }

    internal void Open(int entryCount)
    {
        _cost = 0;
        TermCount = 0;
        _found.Open(entryCount);
    }

    internal void AddTerm(FieldReader field, int ordinal)
    {
        TermCount++;
        if (field.DocumentFrequency(ordinal) == 1)
        {
            AddEntry(field.PostingOf(ordinal));
            return;
        }

        _postings.Open(field, ordinal);
        _cost += _postings.Count;
        Span<ulong> words = _found.Words;
        for (int block = 0; block < _postings.BlockCount; block++)
        {
            _postings.Read(block);
            foreach (int entry in _postings.Entries)
            {
                words[entry >> 6] |= 1UL << (entry & 63);
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

    /// <summary>Adds entries each of which may occur several times in a row.</summary>
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
        _found.Set(entry);
    }

    internal override int Next(int start) => _found.Next(start);

    internal override void Match(int start, Span<ulong> bits) => _found.CopyTo(start, bits);

    internal override bool Restrict(int start, Span<ulong> bits) => _found.Restrict(start, bits);
}
