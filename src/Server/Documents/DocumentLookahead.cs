using System.Runtime.CompilerServices;

namespace Raven.Server.Documents;

/// <summary>
/// Walks documents as its cursor does, and asks the processor for those that come next: the misses of several documents
/// overlap. Belongs to a snapshot and ends with it; allocates nothing.
/// </summary>
/// <typeparam name="TCursor">What it walks by.</typeparam>
public ref struct DocumentLookahead<TCursor>
    where TCursor : struct, IDocumentCursor, allows ref struct
{
    private const int Ahead = 4;

    private TCursor _cursor;
    private Window _window;
    private int _next;
    private int _count;

    /// <summary>Walks the rest of a cursor.</summary>
    public DocumentLookahead(TCursor cursor)
    {
        _cursor = cursor;
        while (_count < Ahead && TryFetch(_count))
        {
            _count++;
        }
    }

    /// <summary>Gives the next document; false at the end.</summary>
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
        if (!_cursor.MoveNext(out StoredDocument document))
        {
            return false;
        }

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
