using System.Runtime.CompilerServices;

namespace Raven.Documents;

/// <summary>
/// Walks documents as its cursor does, and prefetches those that come next: the cache misses of several documents
/// overlap. Belongs to a snapshot and ends with it; allocates nothing.
/// </summary>
/// <typeparam name="TCursor">What it walks by.</typeparam>
public ref struct DocumentLookahead<TCursor> : IDocumentCursor
    where TCursor : struct, IDocumentCursor, allows ref struct
{
    private const int Ahead = 4;

    private TCursor _cursor;
    private Window _window;
    private int _next;
    private int _count;
    private long _left;

    /// <summary>Walks the rest of a cursor.</summary>
    /// <param name="cursor">The cursor whose rest is walked.</param>
    /// <param name="countMax">How many documents it gives at most, and prefetches.</param>
    public DocumentLookahead(TCursor cursor, long countMax = long.MaxValue)
    {
        _cursor = cursor;
        _left = countMax;
        while (_count < Ahead && TryFetch(_count))
        {
            _count++;
        }
    }

    /// <inheritdoc/>
    public bool MoveNext(out StoredDocument document)
    {
        if (_count == 0)
        {
            document = default;
            return false;
        }

        document = _window[_next];
        if (!TryFetch(_next))
        {
            _count--;
        }

        _next = (_next + 1) % Ahead;
        return true;
    }

    private bool TryFetch(int place)
    {
        if (_left == 0 || !_cursor.MoveNext(out StoredDocument document))
        {
            return false;
        }

        _left--;

        document.Memory.Prefetch();
        _window[place] = document;
        return true;
    }

    [InlineArray(Ahead)]
    private struct Window
    {
        private StoredDocument _first;
    }
}
