using Raven.Documents.Rows.Series;
using Raven.Storage.Trees;

namespace Raven.Documents.TimeSeries;

/// <summary>The time series of one document, in the order of their folded names.</summary>
public ref struct TimeSeriesCursor
{
    private readonly ReadOnlySpan<byte> _documentKey;
    private readonly bool _hasSeries;
    private TreeCursor _cursor;
    private bool _isStarted;

    internal TimeSeriesCursor(ReadOnlySpan<byte> documentKey, Tree names)
    {
        _documentKey = documentKey;
        _hasSeries = true;
        _cursor = names.GetCursor();
    }

    /// <summary>Goes to the next series; false at the end.</summary>
    public bool MoveNext(out StoredSeries series)
    {
        series = default;
        if (!_hasSeries)
        {
            return false;
        }

        Span<byte> prefix = stackalloc byte[SeriesKey.SizeBytesMax];
        prefix = prefix[..SeriesKey.WritePrefix(prefix, _documentKey)];
        bool isThere = _isStarted ? _cursor.MoveNext() : _cursor.Seek(prefix);
        _isStarted = true;
        if (!isThere || !_cursor.Key.StartsWith(prefix))
        {
            return false;
        }

        series = new StoredSeries(_cursor.Value);
        return true;
    }
}
