using System.IO.Hashing;
using Raven.Blittable.Memory;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Json;
using Raven.Search.Fields;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Storage.Errors;

namespace Raven.Documents.Queries;

//   HIT-1  The snapshot of the documents is younger than that of the index: so a document of an entry is found, unless
//          it was deleted or changed since the index was committed.
//   HIT-2  A document counts once, however many entries it has, unless the query says otherwise.

/// <summary>Results of an index.</summary>
internal sealed class IndexHits : QueryHits
{
    private readonly QuerySession _session;
    private readonly QueryWorkspace _workspace;
    private readonly SearchRequest _request;
    private readonly BoundedSet<ulong>? _seen;
    private readonly long _bufferedBytesMax;
    private readonly int _root;
    private readonly bool _isReduce;
    private readonly bool _isScored;
    private readonly DistanceOrigin? _origin;
    private readonly IndexField? _places;
    private BufferedResults? _buffered;
    private long _toSkip;
    private long _left;
    private long _skipped;
    private int _at;
    private int _next;
    private int _ahead;

    /// <summary>Runs a query.</summary>
    /// <param name="session">The query, with its snapshots (HIT-1); its workspace holds the conditions, and then
    /// the results.</param>
    /// <param name="root">The last of the conditions.</param>
    /// <param name="request">The order, and the number of results.</param>
    /// <param name="definition">The definition of the index.</param>
    /// <param name="isDistinct">Whether a document counts once (HIT-2).</param>
    /// <param name="keptBytesMax">How much memory the kept results may use.</param>
    internal IndexHits(
        QuerySession session, int root, SearchRequest request, IndexDefinition definition, bool isDistinct,
        long keptBytesMax)
    {
        _session = session;
        _bufferedBytesMax = keptBytesMax;
        _workspace = session.Workspace;
        _request = request;
        _root = root;
        _isReduce = definition.IsMapReduce;
        _isScored = request.WithScores || request.Orders.Any(order => order.Kind == OrderKind.Score);
        _left = request.Take;
        _origin = session.Translator.Measured;
        _places = _origin is null ? null : session.Fields.FirstOrDefault(field => field.Name == _origin.Field);

        // An automatic index has one entry for each document; of other indexes, a page may need more
        // entries than results.
        if (isDistinct && !_isReduce && !definition.IsAuto)
        {
            _seen = new BoundedSet<ulong>(keptBytesMax);
            _toSkip = request.Skip;
            request.Take = (int)Math.Min(int.MaxValue, (long)request.Skip + request.Take);
            request.Skip = 0;
        }

        _workspace.Searcher.Run(session.Reader!, _workspace.Query, root, request);
        TotalCount = _workspace.Searcher.TotalCount;
    }

    /// <summary>Called with damage that is found in the index while results are read.</summary>
    internal Action<StorageCorruptedException>? OnDamage { get; init; }

    /// <inheritdoc/>
    internal override long TotalCount { get; }

    /// <inheritdoc/>
    internal override long SkippedCount => _skipped;

    /// <inheritdoc/>
    internal override void Detach()
    {
        if (_buffered is not null)
        {
            return;
        }

        _buffered = new BufferedResults(_bufferedBytesMax);
        for (; _ahead > 0; _ahead--)
        {
            Keep(_buffered, _workspace.Rows[_next].Result, isKnown: true);
            _next = (_next + 1) % QueryWorkspace.RowsAhead;
        }

        long most = _left + _toSkip;
        do
        {
            for (; _buffered.Count < most && _at < _workspace.Searcher.Count; _at++)
            {
                Keep(_buffered, _at, isKnown: false);
            }
        }
        while (_buffered.Count < most && TryGetMore());
    }

    /// <inheritdoc/>
    internal override bool TryNext(out QueryHit hit)
    {
        while (_left > 0 && (_buffered is not null ? TryNextBuffered(_buffered, out hit)
            : _isReduce ? TryNextStored(out hit)
            : TryNextDocument(out hit)))
        {
            if (_toSkip > 0)
            {
                _toSkip--;
                continue;
            }

            _left--;
            return true;
        }

        hit = default;
        return false;
    }

    private bool TryNextStored(out QueryHit hit)
    {
        hit = default;
        if (_at == _workspace.Searcher.Count)
        {
            return false;
        }

        ReadEntry(_at, out _, out NativeSlice stored);
        hit = new QueryHit
        {
            HasDocument = false,
            Stored = stored,
            Score = ScoreOf(_at),
            Result = _at,
            Location = PlaceOf(_at),
        };
        _at++;
        return true;
    }

    /// <summary>A result of an earlier snapshot, as it is now; skips those that were deleted.</summary>
    private bool TryNextBuffered(BufferedResults kept, out QueryHit hit)
    {
        while (kept.TryTake(out ReadOnlySpan<byte> key, out float? score, out int entry))
        {
            NativeSlice stored = default;
            NativeSlice row = default;
            bool hasEntry = entry >= 0 && _session.TryFindEntry(key, entry, out stored);
            if (_isReduce ? hasEntry : _session.Snapshot.TryFindRow(key, out row))
            {
                hit = new QueryHit
                {
                    HasDocument = !_isReduce,
                    Document = _isReduce ? default : new StoredDocument(row, _session.Snapshot),
                    Stored = stored,
                    Score = score,
                    Result = hasEntry ? 0 : -1,
                };
                return true;
            }
        }

        hit = default;
        return false;
    }

    private void Keep(BufferedResults kept, int result, bool isKnown)
    {
        try
        {
            IndexSearcher searcher = _workspace.Searcher;
            ReadOnlySpan<byte> key = searcher.DocumentId(result);
            if (!isKnown && _seen is not null && !_seen.Add(XxHash3.HashToUInt64(key)))
            {
                _skipped++;
                return;
            }

            bool isEntryNeeded = _isReduce || _session.Input.IsOfEntries || !searcher.StoredBytes(result).IsEmpty;
            kept.Add(key, ScoreOf(result), isEntryNeeded ? searcher.EntryNumber(result) : -1);
        }
        catch (StorageCorruptedException damage)
        {
            OnDamage?.Invoke(damage);
            throw;
        }
    }

    private bool TryNextDocument(out QueryHit hit)
    {
        LookAhead();
        while (_ahead == 0 && TryGetMore())
        {
            LookAhead();
        }

        if (_ahead == 0)
        {
            hit = default;
            return false;
        }

        (NativeSlice row, NativeSlice stored, int result) = _workspace.Rows[_next];
        _next = (_next + 1) % QueryWorkspace.RowsAhead;
        _ahead--;
        hit = new QueryHit
        {
            HasDocument = true,
            Document = new StoredDocument(row, _session.Snapshot),
            Stored = stored,
            Score = ScoreOf(result),
            Result = result,
            Location = PlaceOf(result),
        };
        return true;
    }

    /// <summary>The position of a result, with its distance from the point of the query.</summary>
    private ResultLocation? PlaceOf(int result)
    {
        if (_origin is not { } from || _places is null || !_workspace.Searcher.TryGetNearestPoint(
            result, _places, (from.Latitude, from.Longitude), out (double Latitude, double Longitude) point,
            out double kilometers))
        {
            return null;
        }

        // A point is stored with an accuracy of some millimeters: the answer has the values of the document.
        return new ResultLocation(
            Math.Round(kilometers / from.KilometersPerUnit, 5), Math.Round(point.Latitude, 7),
            Math.Round(point.Longitude, 7));
    }

    private float? ScoreOf(int result) => _isScored ? _workspace.Searcher.Score(result) : null;

    /// <summary>
    /// Finds the next documents, several together: results are spread over storage, and the cache misses of several
    /// documents overlap. Never more than are wanted, so that what is skipped between results is counted exactly.
    /// </summary>
    private void LookAhead()
    {
        long most = Math.Min(QueryWorkspace.RowsAhead, _left + _toSkip);
        bool isDue = _ahead == 0 || most < QueryWorkspace.RowsAhead
            || _ahead <= QueryWorkspace.RowsAhead - QueryWorkspace.GroupRows;
        while (isDue && _ahead < most && _at < _workspace.Searcher.Count)
        {
            DocumentSnapshot snapshot = _session.Snapshot;
            int count = Approach(snapshot, (int)Math.Min(QueryWorkspace.GroupRows, most - _ahead));
            for (int i = 0; i < count; i++)
            {
                DocumentLookup lookup = _workspace.Lookups[i];
                lookup.RowId = snapshot.ApproachRow(lookup.Leaf, lookup.Key);
            }

            for (int i = 0; i < count; i++)
            {
                DocumentLookup lookup = _workspace.Lookups[i];
                if (lookup.RowId != 0)
                {
                    NativeSlice row = snapshot.ReadRow(lookup.RowId);
                    row.Prefetch();
                    _workspace.Rows[(_next + _ahead++) % QueryWorkspace.RowsAhead] =
                        (row, lookup.Stored, lookup.Result);
                }
            }
        }
    }

    /// <summary>Begins to find the documents of the next entries; those that were found already are skipped.</summary>
    /// <returns>How many were begun.</returns>
    private int Approach(DocumentSnapshot snapshot, int most)
    {
        int count = 0;
        while (count < most && _at < _workspace.Searcher.Count)
        {
            int result = _at++;
            ReadEntry(result, out ReadOnlySpan<byte> key, out NativeSlice stored);
            if (_seen is not null && !_seen.Add(XxHash3.HashToUInt64(key)))
            {
                _skipped++;
                continue;
            }

            DocumentLookup lookup = _workspace.Lookups[count++];
            lookup.Begin(result, key, stored);
            lookup.Leaf = snapshot.Approach(key);
        }

        return count;
    }

    private void ReadEntry(int result, out ReadOnlySpan<byte> key, out NativeSlice stored)
    {
        try
        {
            stored = _workspace.Searcher.StoredBytes(result);
            key = _isReduce ? default : _workspace.Searcher.DocumentId(result);
        }
        catch (StorageCorruptedException damage)
        {
            OnDamage?.Invoke(damage);
            throw;
        }
    }

    /// <summary>Finds more entries, if documents that were found already took the place of others.</summary>
    private bool TryGetMore()
    {
        if (_seen is null || _request.Take >= TotalCount)
        {
            return false;
        }

        _request.Take = (int)Math.Min(int.MaxValue, (_request.Take * 2L) + 16);
        _workspace.Searcher.Run(_session.Reader!, _workspace.Query, _root, _request);
        return _at < _workspace.Searcher.Count;
    }
}
