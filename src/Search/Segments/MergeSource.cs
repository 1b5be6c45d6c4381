using Raven.Search.Buffers;

namespace Raven.Search.Segments;

/// <summary>One segment's part in a merge: a field of it, term by term, and the new numbers of its entries.</summary>
internal sealed class MergeSource
{
    private readonly TermCursor _terms = new();
    private readonly PostingCursor _postings = new();
    private int[] _numbers = [];
    private int[] _positions = new int[64];
    private FieldReader? _field;

    /// <summary>The segment, in the snapshot that it is read from now.</summary>
    internal SegmentReader Segment { get; set; } = null!;

    /// <summary>The number of the segment.</summary>
    internal int SegmentId { get; private set; }

    /// <summary>Its live entries at the time when they got their new numbers.</summary>
    internal int LiveCount { get; private set; }

    /// <summary>Whether there is a term left.</summary>
    internal bool HasTerm { get; private set; }

    internal ReadOnlySpan<byte> Term => _terms.Term;

    internal FieldReader? Field => _field;

    /// <summary>The new number of each entry, -1 for a deleted one.</summary>
    internal ReadOnlySpan<int> Numbers => _numbers.AsSpan(0, Segment.EntryCount);

    /// <summary>Gives the live entries their new numbers, from <paramref name="first"/> on.</summary>
    /// <returns>The number behind the last.</returns>
    internal int Open(SegmentReader segment, int first)
    {
        Segment = segment;
        SegmentId = segment.Id;
        int before = first;
        if (_numbers.Length < segment.EntryCount)
        {
            _numbers = new int[segment.EntryCount];
        }

        for (int entry = 0; entry < segment.EntryCount; entry++)
        {
            _numbers[entry] = segment.DeletedCount > 0 && segment.IsDeleted(entry) ? -1 : first++;
        }

        LiveCount = first - before;
        return first;
    }

    internal void OpenField(int field)
    {
        _field = Segment.TryGetField(field);
        HasTerm = _field is { TermCount: > 0 };
        if (HasTerm)
        {
            _terms.Open(_field!);
            _terms.MoveNext();
        }
    }

    internal void NextTerm() => HasTerm = _terms.MoveNext();

    /// <summary>Adds the entries of the current term.</summary>
    internal void CopyTerm(FieldWriter writer)
    {
        _postings.Open(_field!, _terms.Ordinal);
        for (int block = 0; block < _postings.BlockCount; block++)
        {
            _postings.Read(block);
            if (_field!.HasWords)
            {
                CopyWords(writer);
                continue;
            }

            foreach (int entry in _postings.Entries)
            {
                if (_numbers[entry] >= 0)
                {
                    writer.Add(_numbers[entry]);
                }
            }
        }
    }

    private void CopyWords(FieldWriter writer)
    {
        ReadOnlySpan<int> entries = _postings.Entries;
        ReadOnlySpan<int> frequencies = _postings.Frequencies;
        ReadOnlySpan<byte> bytes = _field!.Positions;
        int at = _postings.PositionsOfBlock();
        for (int i = 0; i < entries.Length; i++)
        {
            if (_positions.Length < frequencies[i])
            {
                _positions = new int[frequencies[i] * 2];
            }

            int position = 0;
            for (int word = 0; word < frequencies[i]; word++)
            {
                position += (int)ByteBuffer.ReadVariable(bytes, ref at);
                _positions[word] = position;
            }

            if (_numbers[entries[i]] >= 0)
            {
                writer.Add(_numbers[entries[i]], _positions.AsSpan(0, frequencies[i]));
            }
        }
    }
}
