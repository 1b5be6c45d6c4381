using Raven.Search.Fields;

namespace Raven.Search.Segments;

/// <summary>
/// One field of the entries of a batch, in memory: a log of the terms in the order of arrival. Writing it inverts the
/// log by a counting sort, in which entry numbers stay ascending for each term.
/// </summary>
internal sealed class FieldBuilder
{
    private readonly bool _hasWords;
    private int[] _logTerms = new int[256];
    private int[] _logEntries = new int[256];
    private int[] _logPositions;
    private int[] _starts = [];
    private ulong[] _sorted = [];
    private int[] _positionsOfEntry = new int[64];
    private byte[] _norms = [];
    private int _count;
    private long _wordCount;

    internal FieldBuilder(bool hasWords)
    {
        _hasWords = hasWords;
        _logPositions = hasWords ? new int[256] : [];
    }

    internal TermTable Terms { get; } = new();

    internal bool IsEmpty => _count == 0;

    internal int SizeInBytes => Terms.SizeInBytes + (_count * (_hasWords ? 20 : 16)) + _norms.Length;

    internal void Clear()
    {
        Terms.Clear();
        _count = 0;
        _wordCount = 0;
        Array.Clear(_norms);
    }

    /// <summary>Adds a term of an entry; entries come ascending.</summary>
    internal int Add(int entry, ReadOnlySpan<byte> term, int position)
    {
        if (_count == _logTerms.Length)
        {
            Grow();
        }

        int number = Terms.GetOrAdd(term);
        _logTerms[_count] = number;
        _logEntries[_count] = entry;
        if (_hasWords)
        {
            _logPositions[_count] = position;
        }

        _count++;
        return number;
    }

    /// <summary>Sets how many words an entry's text has.</summary>
    internal void SetLength(int entry, int words)
    {
        if (_norms.Length <= entry)
        {
            Array.Resize(ref _norms, Math.Max(256, entry * 2));
        }

        _norms[entry] = NormCode.Encode(words);
        _wordCount += words;
    }

    /// <summary>Writes the field.</summary>
    /// <param name="entryCount">Entries of the batch.</param>
    /// <param name="numbers">The new number of each entry, or -1 for one that was deleted in the batch itself.</param>
    /// <param name="liveCount">How many are live.</param>
    /// <param name="sorter">Sorts the terms.</param>
    /// <param name="writer">Receives the field.</param>
    internal void Write(
        int entryCount, ReadOnlySpan<int> numbers, int liveCount, TermSorter sorter, FieldWriter writer)
    {
        ReadOnlySpan<int> order = sorter.Sort(Terms);
        SortLog(order);
        if (_hasWords && _norms.Length < entryCount)
        {
            Array.Resize(ref _norms, entryCount);
        }

        for (int entry = 0; _hasWords && entry < entryCount; entry++)
        {
            if (numbers[entry] >= 0)
            {
                _norms[numbers[entry]] = _norms[entry];
            }
        }

        writer.Begin(liveCount, _hasWords ? FieldParts.Words : FieldParts.Column, _norms, _wordCount);
        int from = 0;
        foreach (int term in order)
        {
            int to = _starts[term];
            writer.BeginTerm(Terms[term]);
            WriteTerm(_sorted.AsSpan(from, to - from), numbers, writer);
            writer.EndTerm();
            from = to;
        }

        writer.Finish();
    }

    private void WriteTerm(ReadOnlySpan<ulong> places, ReadOnlySpan<int> numbers, FieldWriter writer)
    {
        for (int i = 0; i < places.Length;)
        {
            int entry = (int)(places[i] >> 32);
            int count = 0;
            for (; i < places.Length && (int)(places[i] >> 32) == entry; i++)
            {
                if (count == _positionsOfEntry.Length)
                {
                    Array.Resize(ref _positionsOfEntry, count * 2);
                }

                _positionsOfEntry[count++] = (int)places[i];
            }

            if (numbers[entry] >= 0)
            {
                if (_hasWords)
                {
                    writer.Add(numbers[entry], _positionsOfEntry.AsSpan(0, count));
                }
                else
                {
                    writer.Add(numbers[entry]);
                }
            }
        }
    }

    /// <summary>After this <see cref="_starts"/> of a term is the end of its part of <see cref="_sorted"/>.</summary>
    private void SortLog(ReadOnlySpan<int> order)
    {
        if (_starts.Length < Terms.Count)
        {
            _starts = new int[Terms.Count];
        }

        if (_sorted.Length < _count)
        {
            _sorted = new ulong[_logTerms.Length];
        }

        Span<int> starts = _starts.AsSpan(0, Terms.Count);
        starts.Clear();
        for (int i = 0; i < _count; i++)
        {
            starts[_logTerms[i]]++;
        }

        int start = 0;
        foreach (int term in order)
        {
            (starts[term], start) = (start, start + starts[term]);
        }

        for (int i = 0; i < _count; i++)
        {
            uint position = _hasWords ? (uint)_logPositions[i] : 0;
            _sorted[starts[_logTerms[i]]++] = ((ulong)(uint)_logEntries[i] << 32) | position;
        }
    }

    private void Grow()
    {
        int length = _count * 2;
        Array.Resize(ref _logTerms, length);
        Array.Resize(ref _logEntries, length);
        if (_hasWords)
        {
            Array.Resize(ref _logPositions, length);
        }
    }
}
