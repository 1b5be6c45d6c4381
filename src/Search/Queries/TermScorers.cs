using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// The scorers of a query's terms, in the order in which the compiler takes them: made at the first segment from the
/// figures of the whole index, reused for the others.
/// </summary>
internal sealed class TermScorers
{
    private readonly List<TermScorer> _scorers = [];
    private byte[] _term = new byte[TermCode.SizeBytesMax];
    private SegmentsReader _reader = null!;
    private int _known;
    private int _next;

    internal void Begin(SegmentsReader reader)
    {
        _reader = reader;
        _known = 0;
    }

    internal void BeginSegment() => _next = 0;

    internal TermScorer Next(IndexField field, ReadOnlySpan<byte> term, float boost)
    {
        if (_next < _known)
        {
            return _scorers[_next++];
        }

        return Make(field, CountEntries(field, term), boost);
    }

    /// <summary>A phrase is scored like a term with the frequency of its rarest word.</summary>
    internal TermScorer NextPhrase(IndexField field, TokenBuffer tokens, float boost)
    {
        if (_next < _known)
        {
            return _scorers[_next++];
        }

        long least = long.MaxValue;
        foreach (ref readonly Token token in tokens.Tokens)
        {
            ReadOnlySpan<byte> term = TermCode.WriteText(ref _term, tokens.Term(token), field.KeepsWholeTexts);
            least = Math.Min(least, CountEntries(field, term));
        }

        return Make(field, least, boost);
    }

    private long CountEntries(IndexField field, ReadOnlySpan<byte> term)
    {
        long count = 0;
        for (int i = 0; i < _reader.Segments.Count; i++)
        {
            if (_reader.Segments[i].TryGetField(field.Number) is { } values)
            {
                int ordinal = values.Find(term);
                count += ordinal < 0 ? 0 : values.DocumentFrequency(ordinal);
            }
        }

        return count;
    }

    private TermScorer Make(IndexField field, long documentFrequency, float boost)
    {
        long words = 0;
        long entries = 0;
        for (int i = 0; i < _reader.Segments.Count; i++)
        {
            if (_reader.Segments[i].TryGetField(field.Number) is { } values)
            {
                words += values.WordCount;
                entries += values.EntriesWithField;
            }
        }

        if (_next == _scorers.Count)
        {
            _scorers.Add(new TermScorer());
        }

        TermScorer scorer = _scorers[_next++];
        _known = _next;
        scorer.Open(boost, _reader.Segments.EntryCount, documentFrequency, entries == 0 ? 0 : (double)words / entries);
        return scorer;
    }
}
