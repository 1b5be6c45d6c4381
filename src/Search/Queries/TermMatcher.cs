using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>The entries that have one term.</summary>
internal sealed class TermMatcher : Matcher
{
    private readonly PostingCursor _postings = new();
    private FieldReader _field = null!;
    private TermScorer? _scorer;
    private int _firstBlock;

    internal override long Cost => _postings.Count;

    /// <summary>Opens the matcher.</summary>
    /// <param name="field">The field in the segment.</param>
    /// <param name="ordinal">The term.</param>
    /// <param name="scorer">Scores it; without one each entry gets the boost.</param>
    internal void Open(FieldReader field, int ordinal, TermScorer? scorer)
    {
        _field = field;
        _scorer = field.HasWords ? scorer : null;
        _postings.Open(field, ordinal);
        _firstBlock = 0;
    }

    internal override int Next(int start)
    {
        if (SeekWindow(start) == _postings.BlockCount)
        {
            return int.MaxValue;
        }

        ReadOnlySpan<int> entries = Read(_firstBlock);
        foreach (int entry in entries)
        {
            if (entry >= start)
            {
                return entry;
            }
        }

        return _firstBlock == _postings.BlockCount - 1 ? int.MaxValue : start;
    }

    internal override void Match(int start, Span<ulong> bits)
    {
        bits.Clear();
        for (int block = SeekWindow(start); block < _postings.BlockCount; block++)
        {
            ReadOnlySpan<int> entries = Read(block);
            SetBits(entries, start, bits);
            if (entries[^1] >= start + Window.Entries - 1)
            {
                return;
            }
        }
    }

    internal override void Score(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        for (int block = SeekWindow(start); block < _postings.BlockCount; block++)
        {
            ReadOnlySpan<int> entries = Read(block);
            if (HasAny(entries, start, bits))
            {
                Score(entries, start, bits, scores);
            }

            if (entries[^1] >= start + Window.Entries - 1)
            {
                return;
            }
        }
    }

    internal override float BoundOf(int start)
    {
        if (_scorer is null)
        {
            return BoundOfBlock(0);
        }

        float most = 0;
        for (int block = SeekWindow(start); block < _postings.BlockCount; block++)
        {
            most = Math.Max(most, BoundOfBlock(block));
            if (_postings.LastOf(block) >= start + Window.Entries - 1)
            {
                break;
            }
        }

        return most;
    }

    internal override void MatchAndScore(int start, Span<ulong> bits, Span<float> scores) =>
        MatchAndScoreSome(start, bits, scores, default);

    /// <summary>Matches and scores in one pass; without candidates, all entries are candidates.</summary>
    internal override void MatchAndScoreSome(
        int start, Span<ulong> bits, Span<float> scores, ReadOnlySpan<ulong> candidates)
    {
        bits.Clear();
        int end = start + Window.Entries;
        for (int block = SeekWindow(start); block < _postings.BlockCount; block++)
        {
            ReadOnlySpan<int> entries = Read(block);
            if (!candidates.IsEmpty && !HasAny(entries, start, candidates))
            {
                if (SetBits(entries, start, bits))
                {
                    return;
                }

                continue;
            }

            ReadOnlySpan<int> frequencies = _postings.Frequencies[..entries.Length];
            ReadOnlySpan<byte> norms = _scorer is null ? default : _field.Norms;
            int i = 0;
            while (i < entries.Length && entries[i] < start)
            {
                i++;
            }

            for (; i < entries.Length && entries[i] < end; i++)
            {
                int entry = entries[i];
                int at = entry - start;
                bits[at >> 6] |= 1UL << at;
                if (candidates.IsEmpty || Window.Has(candidates, at))
                {
                    scores[at] += _scorer is null ? Boost : _scorer.Score(frequencies[i], norms[entry]);
                }
            }

            if (i < entries.Length)
            {
                return;
            }
        }
    }

    /// <summary>How many blocks of postings there are.</summary>
    internal int BlockCount => _postings.BlockCount;

    /// <summary>How many entries have the term, deleted ones among them.</summary>
    internal int EntryCount => _postings.Count;

    /// <summary>An upper bound of the scores of a block's entries.</summary>
    internal float BoundOfBlock(int block)
    {
        if (_scorer is null)
        {
            return Boost < 0 ? float.PositiveInfinity : Boost;
        }

        (int frequency, byte lengthCode) = _postings.ImpactOf(block);
        return _scorer.BoundOf(frequency, lengthCode);
    }

    /// <summary>The entries of a block, and their scores if there is memory for them.</summary>
    internal ReadOnlySpan<int> ReadBlock(int block, Span<float> scores)
    {
        ReadOnlySpan<int> entries = Read(block);
        if (!scores.IsEmpty)
        {
            ReadOnlySpan<int> frequencies = _postings.Frequencies;
            ReadOnlySpan<byte> norms = _scorer is null ? default : _field.Norms;
            for (int i = 0; i < entries.Length; i++)
            {
                scores[i] = _scorer is null ? Boost : _scorer.Score(frequencies[i], norms[entries[i]]);
            }
        }

        return entries;
    }

    /// <summary>
    /// The entries of a term that has no more than a block of them, and their scores: a window would cost more.
    /// </summary>
    internal bool TryReadFew(Span<float> scores, out ReadOnlySpan<int> entries)
    {
        entries = default;
        if (_postings.BlockCount > 1)
        {
            return false;
        }

        entries = ReadBlock(0, scores);
        return true;
    }

    /// <summary>Sets the bits of a block's entries in a window.</summary>
    /// <returns>Whether the block continues behind the window.</returns>
    private static bool SetBits(ReadOnlySpan<int> entries, int start, Span<ulong> bits)
    {
        // Neighbours mostly have their bits in the same word, which is read and written once.
        int word = 0;
        ulong some = 0;
        foreach (int entry in entries)
        {
            uint at = (uint)(entry - start);
            if (at >= Window.Entries)
            {
                continue;
            }

            if ((int)(at >> 6) != word)
            {
                bits[word] |= some;
                word = (int)(at >> 6);
                some = 0;
            }

            some |= 1UL << (int)(at & 63);
        }

        bits[word] |= some;
        return entries[^1] >= start + Window.Entries;
    }

    private static bool HasAny(ReadOnlySpan<int> entries, int start, ReadOnlySpan<ulong> bits)
    {
        foreach (int entry in entries)
        {
            uint at = (uint)(entry - start);
            if (at < Window.Entries && Window.Has(bits, (int)at))
            {
                return true;
            }
        }

        return false;
    }

    private void Score(ReadOnlySpan<int> entries, int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        ReadOnlySpan<int> frequencies = _postings.Frequencies;
        ReadOnlySpan<byte> norms = _scorer is null ? default : _field.Norms;
        for (int i = 0; i < entries.Length; i++)
        {
            uint at = (uint)(entries[i] - start);
            if (at < Window.Entries && Window.Has(bits, (int)at))
            {
                scores[(int)at] += _scorer is null ? Boost : _scorer.Score(frequencies[i], norms[entries[i]]);
            }
        }
    }

    private int SeekWindow(int start)
    {
        while (_firstBlock < _postings.BlockCount && _postings.LastOf(_firstBlock) < start)
        {
            _firstBlock++;
        }

        return _firstBlock;
    }

    private ReadOnlySpan<int> Read(int block)
    {
        if (_postings.Block != block)
        {
            _postings.Read(block);
        }

        return _postings.Entries;
    }
}
