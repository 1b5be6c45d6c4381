using System.Numerics;
using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Searchers;

/// <summary>
/// Counts the values of one field: within a segment by ordinal, in an array; behind it by term, over all segments. Of a
/// field of words, which has no column, the values are its words, and counted by their postings behind each segment.
/// Of an entry that has a value and the text that it is called by (1 and "1"), only the text is counted.
/// </summary>
internal sealed class FacetCounter
{
    private readonly TermTable _terms = new();
    private readonly TermSorter _sorter = new();
    private readonly PostingCursor _postings = new();
    private ulong[] _matched = [];
    private ulong[] _ofText = [];
    private FacetTotals[] _ofTerm = new FacetTotals[16];
    private int[] _counts = [];
    private FacetTotals[] _totals = [];
    private FieldReader? _field;
    private FieldReader? _numbers;
    private int _known;
    private int _firstText;
    private bool _isWhole;
    private bool _isOfWords;
    private bool _isAggregated;

    internal void Begin()
    {
        _terms.Clear();
        _known = 0;
    }

    /// <summary>Begins a segment.</summary>
    /// <param name="field">The counted field; null if the segment does not have it.</param>
    /// <param name="isWhole">All matching entries count as one value.</param>
    /// <param name="isAggregated">Whether sums of numbers are needed.</param>
    /// <param name="numbers">The field with the numbers; null if the segment does not have it.</param>
    internal void BeginSegment(FieldReader? field, bool isWhole, bool isAggregated, FieldReader? numbers)
    {
        _field = field;
        _isOfWords = field is { HasWords: true };
        _isWhole = isWhole;
        _isAggregated = isAggregated;
        _numbers = numbers is { HasWords: true } ? null : numbers;
        _firstText = _field is { HasManyValues: true } or { HasWords: true } ? _field.LowerBound([TermCode.Text]) : 0;
        int values = isWhole ? 1 : _field?.TermCount ?? 0;
        if (_counts.Length < values)
        {
            _counts = new int[values];
        }

        Array.Clear(_counts, 0, values);
        if (_isOfWords)
        {
            int words = (field!.EntryCount + Window.Entries - 1) / Window.Entries * Window.Words;
            _matched = _matched.Length < words ? new ulong[words] : _matched;
            _ofText = _ofText.Length < words ? new ulong[words] : _ofText;
            Array.Clear(_matched, 0, words);
        }

        if (isAggregated)
        {
            if (_totals.Length < values)
            {
                _totals = new FacetTotals[values];
            }

            _totals.AsSpan(0, values).Fill(FacetTotals.Nothing);
        }
    }

    internal void Add(int start, ReadOnlySpan<ulong> bits)
    {
        if (!_isWhole && _field is null)
        {
            return;
        }

        if (_isOfWords)
        {
            bits.CopyTo(_matched.AsSpan(start / 64));
            return;
        }

        bool isPlain = !_isWhole && !_isAggregated && !_field!.HasManyValues;
        ReadOnlySpan<byte> column = isPlain ? _field!.Column : default;
        int width = isPlain ? _field!.ColumnWidth : 0;
        for (int word = 0; word < Window.Words; word++)
        {
            for (ulong left = bits[word]; left != 0; left &= left - 1)
            {
                int entry = start + (word * 64) + BitOperations.TrailingZeroCount(left);
                if (!isPlain)
                {
                    AddEntry(entry);
                    continue;
                }

                int ordinal = FieldReader.OrdinalAt(column, width, entry);
                if (ordinal >= 0)
                {
                    _counts[ordinal]++;
                }
            }
        }
    }

    /// <summary>Adds the segment's counts to those of the others.</summary>
    internal void EndSegment(CancellationToken cancellation)
    {
        if (_isOfWords)
        {
            CountWords(cancellation);
        }

        int values = _isWhole ? 1 : _field?.TermCount ?? 0;
        for (int ordinal = 0; ordinal < values; ordinal++)
        {
            if (_counts[ordinal] == 0
                || (!_isWhole && (_isOfWords || _field!.HasDurations) && !TermCode.IsShown(_field!.TermAt(ordinal))))
            {
                continue;
            }

            int term = _terms.GetOrAdd(_isWhole ? [TermCode.Null] : _field!.TermAt(ordinal));
            if (term == _ofTerm.Length)
            {
                Array.Resize(ref _ofTerm, term * 2);
            }

            if (term == _known)
            {
                _ofTerm[term] = FacetTotals.Nothing;
                _known++;
            }

            _ofTerm[term].Count += _counts[ordinal];
            if (_isAggregated)
            {
                _ofTerm[term].Add(_totals[ordinal]);
            }
        }
    }

    /// <summary>The values in their order.</summary>
    /// <param name="isWhole">Whether the field keeps texts of any length as they are.</param>
    internal List<FacetValue> ToList(bool isWhole)
    {
        List<FacetValue> values = [];
        foreach (int term in _sorter.Sort(_terms))
        {
            ref readonly FacetTotals totals = ref _ofTerm[term];
            values.Add(new FacetValue(
                TermCode.ReadValue(_terms[term], isWhole),
                totals.Count,
                totals.NumberCount,
                totals.Sum,
                totals.Min,
                totals.Max));
        }

        return values;
    }

    private void CountWords(CancellationToken cancellation)
    {
        for (int ordinal = 0; ordinal < _field!.TermCount; ordinal++)
        {
            cancellation.ThrowIfCancellationRequested();
            int text = ordinal < _firstText ? TextOf(ordinal) : -1;
            if (text >= 0)
            {
                MarkText(text);
            }

            _postings.Open(_field, ordinal);
            for (int block = 0; block < _postings.BlockCount; block++)
            {
                _postings.Read(block);
                foreach (int entry in _postings.Entries)
                {
                    if (IsIn(_matched, entry) && !(text >= 0 && IsIn(_ofText, entry)))
                    {
                        AddTo(ordinal, entry);
                    }
                }
            }
        }
    }

    private static bool IsIn(ulong[] bits, int entry) => (bits[entry >> 6] >> (entry & 63) & 1) != 0;

    private void MarkText(int ordinal)
    {
        Array.Clear(_ofText);
        _postings.Open(_field!, ordinal);
        for (int block = 0; block < _postings.BlockCount; block++)
        {
            _postings.Read(block);
            foreach (int entry in _postings.Entries)
            {
                _ofText[entry >> 6] |= 1UL << (entry & 63);
            }
        }
    }

    /// <summary>
    /// The ordinal of the text that a value that is none is called by; negative if the field does not have it.
    /// </summary>
    private int TextOf(int ordinal)
    {
        Span<byte> text = stackalloc byte[1 + TermCode.NumberTextSizeMax];
        ReadOnlySpan<byte> term = _field!.TermAt(ordinal);
        if (term[0] is TermCode.Point or TermCode.Shape)
        {
            return -1;
        }

        Span<byte> room = stackalloc byte[TermCode.NumberTextSizeMax];
        ReadOnlySpan<byte> name = term[0] == TermCode.Null ? FacetValue.NameOfNull : TermCode.ReadText(term, room);
        text[0] = TermCode.Text;
        name.CopyTo(text[1..]);
        return _field.Find(text[..(1 + name.Length)]);
    }

    private void AddEntry(int entry)
    {
        if (_isWhole)
        {
            AddTo(0, entry);
        }
        else if (!_field!.HasManyValues)
        {
            int ordinal = _field.SingleOrdinal(entry);
            if (ordinal >= 0)
            {
                AddTo(ordinal, entry);
            }
        }
        else
        {
            ReadOnlySpan<int> ordinals = _field.OrdinalsOf(entry);
            bool isMixed = !ordinals.IsEmpty && ordinals[0] < _firstText && ordinals[^1] >= _firstText;
            foreach (int ordinal in ordinals)
            {
                if (!isMixed || ordinal >= _firstText || !ordinals.Contains(TextOf(ordinal)))
                {
                    AddTo(ordinal, entry);
                }
            }
        }
    }

    private void AddTo(int ordinal, int entry)
    {
        _counts[ordinal]++;
        if (!_isAggregated || _numbers is null)
        {
            return;
        }

        if (!_numbers.HasManyValues)
        {
            AddNumber(ref _totals[ordinal], _numbers.SingleOrdinal(entry));
            return;
        }

        foreach (int number in _numbers.OrdinalsOf(entry))
        {
            AddNumber(ref _totals[ordinal], number);
        }
    }

    private void AddNumber(ref FacetTotals totals, int number)
    {
        int index = number - _numbers!.FirstNumber;
        if ((uint)index < (uint)_numbers.NumberCount && number >= 0)
        {
            totals.Add(_numbers.Numbers[index]);
        }
    }
}
