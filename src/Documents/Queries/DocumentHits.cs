using System.Text;
using Raven.Blittable.Memory;

namespace Raven.Documents.Queries;

/// <summary>
/// Results straight from the documents: of a collection or of all, in the order of their changes; by ids, in the order
/// of the query; or by a prefix of their ids, in the order of the ids.
/// </summary>
internal sealed class DocumentHits : QueryHits
{
    private const int Buffered = 128;

    private readonly QuerySession _session;
    private readonly QueryPlan _plan;
    private readonly byte[]? _collection;
    private readonly int _collectionId;
    private readonly List<StoredDocument> _buffer = [];
    private readonly List<StoredDocument>? _found;
    private ScanCancellation _scan;
    private readonly long _bufferedBytesMax;
    private BufferedResults? _buffered;
    private long _nextEtag;
    private long _toSkip;
    private long _left;
    private int _at;

    /// <summary>Finds the documents of a plan without an index.</summary>
    /// <param name="session">The query, whose snapshot is read.</param>
    /// <param name="plan">The plan.</param>
    /// <param name="skip">How many to skip.</param>
    /// <param name="take">How many to give.</param>
    /// <param name="arena">Memory that lives as long as the results.</param>
    internal DocumentHits(QuerySession session, QueryPlan plan, int skip, int take, Arena arena)
    {
        _scan = new ScanCancellation(session.Cancellation);
        _session = session;
        _bufferedBytesMax = arena.LimitBytes;
        DocumentSnapshot snapshot = session.Snapshot;
        _plan = plan;
        _collection = plan.Collection is { } name ? Encoding.UTF8.GetBytes(name) : null;
        _collectionId = _collection is null ? 0 : snapshot.FindCollection(_collection);
        _toSkip = skip;
        _left = take;
        _found = plan.Ids is not null ? ByIds() : plan.IdPrefix is not null ? ByPrefix(arena) : null;
        TotalCount = _found?.Count
            ?? (_collection is null ? snapshot.DocumentCount : snapshot.CountOfCollection(_collection));
    }

    /// <inheritdoc/>
    internal override long TotalCount { get; }

    /// <inheritdoc/>
    internal override void Detach()
    {
        if (_found is null)
        {
            _nextEtag = _at < _buffer.Count ? _buffer[_at].Etag : _nextEtag;
        }
        else if (_buffered is null)
        {
            _buffered = new BufferedResults(_bufferedBytesMax);
            for (; _at < _found.Count; _at++)
            {
                _buffered.Add(_found[_at].Id.Span, score: null, entry: -1);
            }
        }

        _buffer.Clear();
        _found?.Clear();
        _at = 0;
    }

    /// <inheritdoc/>
    internal override bool TryNext(out QueryHit hit)
    {
        hit = default;
        while (_left > 0 && TryRead(out StoredDocument document))
        {
            if (_toSkip > 0)
            {
                _toSkip--;
                continue;
            }

            _left--;
            hit = new QueryHit { HasDocument = true, Document = document };
            return true;
        }

        return false;
    }

    private bool TryRead(out StoredDocument document)
    {
        if (_buffered is not null)
        {
            return TryReadBuffered(_buffered, out document);
        }

        List<StoredDocument> list = _found ?? _buffer;
        if (_at == list.Count && (_found is not null || !Fill()))
        {
            document = default;
            return false;
        }

        _scan.Step();
        document = list[_at++];
        return true;
    }

    private bool TryReadBuffered(BufferedResults kept, out StoredDocument document)
    {
        while (kept.TryTake(out ReadOnlySpan<byte> id, out _, out _))
        {
            _scan.Step();
            if (_session.Snapshot.TryGet(id, out document) && IsOfCollection(in document))
            {
                return true;
            }
        }

        document = default;
        return false;
    }

    private bool Fill()
    {
        _buffer.Clear();
        _at = 0;
        DocumentCursor cursor = _collection is null
            ? _session.Snapshot.DocumentsByEtag(_nextEtag)
            : _session.Snapshot.DocumentsOfCollection(_collection, _nextEtag);
        while (_buffer.Count < Buffered && cursor.MoveNext(out StoredDocument document))
        {
            _buffer.Add(document);
            _nextEtag = document.Etag + 1;
        }

        return _buffer.Count > 0;
    }

    private List<StoredDocument> ByIds()
    {
        List<StoredDocument> found = [];
        HashSet<long> seen = [];
        foreach (string id in _plan.Ids!)
        {
            if (_session.Snapshot.TryGet(Encoding.UTF8.GetBytes(id), out StoredDocument document)
                && IsOfCollection(in document) && seen.Add(document.Etag))
            {
                found.Add(document);
            }
        }

        return found;
    }

    private List<StoredDocument> ByPrefix(Arena arena)
    {
        List<StoredDocument> found = [];
        byte[] prefix = Encoding.UTF8.GetBytes(_plan.IdPrefix!);
        if (PrefixQuery.TryCreate(arena, prefix, default, default, default, out PrefixQuery query, out _))
        {
            PrefixCursor cursor =
                _session.Snapshot.DocumentsByPrefix(query with { Cancellation = _session.Cancellation });
            while (cursor.MoveNext(out StoredDocument document))
            {
                if (IsOfCollection(in document))
                {
                    found.Add(document);
                }
            }
        }

        return found;
    }

    private bool IsOfCollection(in StoredDocument document) =>
        _collection is null || document.CollectionId == _collectionId;
}
