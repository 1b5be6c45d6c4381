using System.Numerics;
using Raven.Search.Segments;

namespace Raven.Search.Queries;

/// <summary>
/// The entries that meet the first of some conditions, of documents that have an entry for each of the others. All
/// entries of a document are in one segment (DOC-1), so each segment is evaluated by itself: one bit a document for
/// those that met all conditions so far, and one an entry for the result, computed when the operator is opened.
/// </summary>
internal sealed class IntersectionMatcher : Matcher
{
    private readonly ulong[] _window = new ulong[Window.Words];
    private readonly ulong[] _scored = new ulong[Window.Words];
    private readonly EntryBits _found = new();
    private ulong[] _documents = [];
    private ulong[] _narrowed = [];
    private SegmentReader _segment = null!;
    private FieldReader _ids = null!;
    private Matcher? _scorer;
    private int _documentWords;
    private bool _isFirst;
    private long _cost;

    internal override long Cost => _cost;

    internal void Open(SegmentReader segment, FieldReader ids)
    {
        _segment = segment;
        _ids = ids;
        _isFirst = true;
        _documentWords = (ids.TermCount + 63) / 64;
        if (_documents.Length < _documentWords)
        {
            _documents = new ulong[_documentWords];
            _narrowed = new ulong[_documentWords];
        }

        _found.Open(segment.EntryCount);
    }

    /// <summary>
    /// Keeps the documents of which an entry meets a condition; the first condition decides which entries are found. An
    /// entry is deleted with its whole document, which the caller leaves out.
    /// </summary>
    /// <returns>Whether there are any.</returns>
    internal bool Narrow(Matcher condition, CancellationToken cancellation)
    {
        Array.Clear(_narrowed, 0, _documentWords);
        bool isAny = false;
        for (int start = 0; start < _segment.EntryCount; start += Window.Entries)
        {
            cancellation.ThrowIfCancellationRequested();
            int next = condition.Next(start);
            if (next >= _segment.EntryCount)
            {
                break;
            }

            start = Math.Max(start, next / Window.Entries * Window.Entries);
            condition.Match(start, _window);
            if (_isFirst)
            {
                _window.CopyTo(_found.Words[(start >> 6)..]);
            }

            isAny |= Mark(start);
        }

        (_documents, _narrowed) = (_narrowed, _documents);
        _isFirst = false;
        return isAny;
    }

    /// <summary>Finds the entries, after all conditions have been run.</summary>
    /// <param name="scorer">
    /// Scores entries by those of the conditions that they meet themselves; null if no scores are needed.
    /// </param>
    internal void Close(Matcher? scorer)
    {
        _scorer = scorer;
        _cost = 0;
        ReadOnlySpan<byte> column = _ids.Column;
        int width = _ids.ColumnWidth;
        Span<ulong> words = _found.Words;
        for (int word = 0; word < words.Length; word++)
        {
            for (ulong left = words[word]; left != 0; left &= left - 1)
            {
                int bit = BitOperations.TrailingZeroCount(left);
                if (!Window.Has(_documents, FieldReader.OrdinalAt(column, width, (word * 64) + bit)))
                {
                    words[word] &= ~(1UL << bit);
                }
            }

            _cost += BitOperations.PopCount(words[word]);
        }
    }

    internal override int Next(int start) => _found.Next(start);

    internal override void Match(int start, Span<ulong> bits) => _found.CopyTo(start, bits);

    internal override bool Restrict(int start, Span<ulong> bits) => _found.Restrict(start, bits);

    internal override void Score(int start, ReadOnlySpan<ulong> bits, Span<float> scores)
    {
        bits.CopyTo(_scored);
        if (Restrict(start, _scored))
        {
            _scorer?.MatchAndScoreSome(start, _window, scores, _scored);
        }
    }

    internal override float BoundOf(int start) => _scorer?.BoundOf(start) ?? 0;

    private bool Mark(int start)
    {
        ReadOnlySpan<byte> column = _ids.Column;
        int width = _ids.ColumnWidth;
        bool isAny = false;
        for (int word = 0; word < Window.Words; word++)
        {
            for (ulong left = _window[word]; left != 0; left &= left - 1)
            {
                int entry = start + (word * 64) + BitOperations.TrailingZeroCount(left);
                int document = FieldReader.OrdinalAt(column, width, entry);
                if (_isFirst || Window.Has(_documents, document))
                {
                    _narrowed[document >> 6] |= 1UL << (document & 63);
                    isAny = true;
                }
            }
        }

        return isAny;
    }
}
