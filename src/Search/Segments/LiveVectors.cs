namespace Raven.Search.Segments;

/// <summary>
/// Whether a field of vectors has one of a live entry, asked repeatedly while a batch deletes more: a dead entry stays
/// dead, and is not checked twice. One thread at a time.
/// </summary>
internal sealed class LiveVectors
{
    private readonly Dictionary<int, (int Segment, int At)> _reached = [];

    /// <summary>The segments have changed: starts from the beginning.</summary>
    internal void Clear() => _reached.Clear();

    /// <summary>Whether there is one.</summary>
    /// <param name="segments">All segments.</param>
    /// <param name="field">The number of the field.</param>
    /// <param name="deleted">Documents whose entries are deleted too.</param>
    internal bool IsAny(SegmentList segments, int field, TermTable deleted)
    {
        (int segment, int at) = _reached.GetValueOrDefault(field);
        for (; segment < segments.Count; segment++, at = 0)
        {
            if (segments[segment].TryGetVectors(field) is not { } vectors)
            {
                continue;
            }

            if (deleted.Count == 0 && vectors.EntriesWithField > segments[segment].DeletedCount)
            {
                return true;
            }

            ReadOnlySpan<int> entries = vectors.Entries;
            for (; at < entries.Length; at++)
            {
                if (!IsDeleted(segments[segment], entries[at], deleted))
                {
                    _reached[field] = (segment, at);
                    return true;
                }
            }
        }

        _reached[field] = (segment, 0);
        return false;
    }

    private static bool IsDeleted(SegmentReader segment, int entry, TermTable deleted) =>
        (segment.DeletedCount > 0 && segment.IsDeleted(entry))
        || (deleted.Count > 0 && segment.TryGetField(IndexNames.IdField) is { } ids
            && deleted.Find(ids.TermAt(ids.FirstOrdinal(entry))) >= 0);
}
