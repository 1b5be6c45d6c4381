using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Queries;
using Raven.Documents.Revisions;
using Raven.Documents.Rows;
using Raven.Documents.Sweeps;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// Fills batches: documents that are owed first, then those behind the position in the order of their changes. One
/// thread at a time.
/// </summary>
internal sealed class SubscriptionFiller
{
    /// <summary>A batch ends beyond this many bytes.</summary>
    internal const int BatchBytesMax = 8 << 20;

    /// <summary>A document that was sent so often without an acknowledgement is sent alone.</summary>
    internal const int TriesAlone = 3;

    /// <summary>A document that was sent so often without an acknowledgement goes aside.</summary>
    internal const int TriesMax = 10;

    private const int ClockEvery = 64;

    private static readonly TimeSpan SliceMax = TimeSpan.FromMilliseconds(50);

    private readonly SubscriptionDefinition _definition;
    private readonly SubscriptionQuery _query;
    private readonly SubscriptionScript? _script;
    private readonly SubscriptionOutput _output;
    private readonly QueryServices _services;
    private OperationContext? _context;
    private DocumentSnapshot _snapshot = null!;
    private SubscriptionBatch _batch = null!;
    private int _countMax;
    private bool _isShared;
    private bool _hasOwed;

    internal SubscriptionFiller(SubscriptionDefinition definition, SubscriptionQuery query, QueryServices services)
    {
        _definition = definition;
        _query = query;
        _services = services;
        _script = query.Script is null ? null : new SubscriptionScript(query, services.Scripts);
        _output = new SubscriptionOutput(query, services.HashSeed);
    }

    /// <summary>When the first document that is owed may be sent, UTC ticks; <see cref="long.MaxValue"/> if none has to
    /// wait.</summary>
    internal long NextDueTicks { get; private set; }

    /// <summary>Whether what is sent depends on nothing but the documents of the collection as they are.</summary>
    internal bool IsOfDocumentsAlone => _script is null && !_query.IsOfRevisions && !_query.HasIncludes;

    /// <summary>Puts documents into a batch.</summary>
    /// <param name="snapshot">The snapshot to read.</param>
    /// <param name="batch">The batch, which may have documents already.</param>
    /// <param name="cursor">The last change that was looked at.</param>
    /// <param name="countMax">The most documents of the batch.</param>
    /// <param name="live">The batches that workers have, if the documents are shared; null otherwise.</param>
    internal FillStatus Fill(
        DocumentSnapshot snapshot, SubscriptionBatch batch, ref long cursor, int countMax,
        IReadOnlySet<long>? live)
    {
        _context = _services.RentContext();
        OperationContext ids = _services.RentContext();
        try
        {
            (_snapshot, _batch, _countMax, _isShared) = (snapshot, batch, countMax, live is not null);
            _output.Begin(snapshot, batch, _context, ids);
            _script?.Begin(snapshot, _context, ids, _output.Ids);
            _hasOwed = snapshot.Transaction.TryOpenTree(SubscriptionTables.Owed) is { Count: > 0 };
            if (!batch.HasOwed)
            {
                batch.HasOwed = true;
                NextDueTicks = long.MaxValue;
                if (_hasOwed)
                {
                    FillOwed(live);
                }
            }

            FillStatus status = batch.IsClosed || IsFull ? FillStatus.Full
                : _query.IsOfRevisions ? FillRevisions(ref cursor)
                : FillDocuments(ref cursor);
            batch.EndEtag = cursor;
            _output.End();
            return status;
        }
        finally
        {
            _script?.End();
            _services.ReturnContext(ids);
            _services.ReturnContext(_context);
            _context = null;
        }
    }

    private bool IsFull => _batch.Count >= _countMax || _batch.SizeBytes >= BatchBytesMax;

    private void FillOwed(IReadOnlySet<long>? live)
    {
        long now = _services.Clock.GetUtcNow().UtcTicks;
        foreach ((byte[] key, OwedDocument owed) in
            SubscriptionTables.ReadOwed(_snapshot.Transaction, _definition.Id))
        {
            bool isAway = owed.Batch > 0 && live?.Contains(owed.Batch) == true;
            if (owed.Batch == OwedDocument.Aside || isAway)
            {
                continue;
            }

            if (owed.NotBeforeTicks > now)
            {
                NextDueTicks = Math.Min(NextDueTicks, owed.NotBeforeTicks);
                continue;
            }

            bool isAlone = owed.Tries >= TriesAlone;
            if (IsFull || (isAlone && _batch.Count > 0))
            {
                NextDueTicks = Math.Min(NextDueTicks, now);
                continue;
            }

            AddOwed(key, owed);
            if (isAlone && _batch.Count > 0)
            {
                _batch.IsClosed = true;
                return;
            }
        }
    }

    private void AddOwed(byte[] key, OwedDocument owed)
    {
        if (_isShared && owed.Tries >= TriesMax)
        {
            // It stays away until it is asked for again.
            _batch.Sent[Encoding.UTF8.GetString(key)] = owed with { Batch = OwedDocument.Aside };
        }
        else if (!_snapshot.TryGetByKey(key, out StoredDocument document) || !IsOfCollection(in document)
            || !TryAdd(in document, default))
        {
            _batch.Dropped.Add(key);
        }
        else if (_isShared)
        {
            _batch.Sent[Encoding.UTF8.GetString(key)] =
                new OwedDocument(document.Etag, _batch.Number, owed.Tries + 1, 0);
        }
        else
        {
            _batch.Dropped.Add(key);
        }
    }

    /// <summary>False if it left the collection while it was owed.</summary>
    private bool IsOfCollection(in StoredDocument document) =>
        _query.Collection is null || document.CollectionId == _snapshot.FindCollection(_query.Collection);

    private FillStatus FillDocuments(ref long cursor)
    {
        long started = _services.Clock.GetTimestamp();
        int steps = 0;
        DocumentCursor documents = _query.Collection is null
            ? _snapshot.DocumentsByEtag(cursor + 1)
            : _snapshot.DocumentsOfCollection(_query.Collection, cursor + 1);
        while (documents.MoveNext(out StoredDocument document))
        {
            if (!_isShared || !IsOwed(in document))
            {
                bool isAdded = TryAdd(in document, default);
                if (isAdded && _isShared)
                {
                    _batch.Sent[KeyOf(in document)] = new OwedDocument(document.Etag, _batch.Number, 1, 0);
                }
            }

            cursor = document.Etag;
            if (IsFull)
            {
                return FillStatus.Full;
            }

            if (IsSliceOver(started, ref steps))
            {
                return FillStatus.Paused;
            }
        }

        // What comes later in this database has a later etag: changes of other collections are passed too.
        cursor = Math.Max(cursor, _snapshot.LastEtag);
        return FillStatus.AtEnd;
    }

    private FillStatus FillRevisions(ref long cursor)
    {
        long started = _services.Clock.GetTimestamp();
        int steps = 0;
        var reader = new RevisionReader(_snapshot);
        int collection = _query.Collection is null ? 0 : _snapshot.FindCollection(_query.Collection);
        while ((_query.Collection is null || collection != 0)
            && reader.TryGetFirst(cursor + 1, out StoredDocument revision))
        {
            if (_query.Collection is null || revision.CollectionId == collection)
            {
                bool hasPrevious = reader.TryGetBefore(in revision, out StoredDocument previous);
                TryAdd(in revision, hasPrevious ? previous : null);
            }

            cursor = revision.Etag;
            if (IsFull)
            {
                return FillStatus.Full;
            }

            if (IsSliceOver(started, ref steps))
            {
                return FillStatus.Paused;
            }
        }

        cursor = Math.Max(cursor, _snapshot.LastEtag);
        return FillStatus.AtEnd;
    }

    private bool IsSliceOver(long started, ref int steps) =>
        (_script is not null || ++steps % ClockEvery == 0)
        && _services.Clock.GetElapsedTime(started) >= SliceMax;

    /// <summary>Whether a document is away, or is to be sent at another time: then it is not sent now.</summary>
    private bool IsOwed(in StoredDocument document)
    {
        if (_batch.Sent.Count > 0 && _batch.Sent.ContainsKey(KeyOf(in document)))
        {
            return true;
        }

        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        return _hasOwed && DocumentId.TryFold(document.Id.Span, key, out int length, out _)
            && SubscriptionTables.TryFindOwed(_snapshot.Transaction, _definition.Id, key[..length], out _);
    }

    private static string KeyOf(in StoredDocument document) => DocumentId.FoldedText(document.Id.Span);

    /// <summary>Adds a document, if it matches.</summary>
    private bool TryAdd(in StoredDocument document, StoredDocument? previous)
    {
        if (!_query.IsOfRevisions && !IsWanted(in document))
        {
            return false;
        }

        BlittableObject projected = default;
        SubscriptionVerdict verdict = SubscriptionVerdict.Whole;
        if (_script is not null)
        {
            bool isDeletion = (document.Flags & DocumentFlags.DeleteRevision) != 0;
            verdict = _script.Run(isDeletion ? null : document, previous, out projected);
            if (verdict == SubscriptionVerdict.Skipped)
            {
                _context!.Reset();
                return false;
            }
        }

        _output.Add(in document, previous, verdict, projected, _script?.Error);
        _context!.Reset();
        return true;
    }

    private bool IsWanted(in StoredDocument document)
    {
        if (_definition.Archived == ArchivedDocuments.IncludeArchived)
        {
            return true;
        }

        return ArchivedMark.IsOf(document.Data) == (_definition.Archived == ArchivedDocuments.ArchivedOnly);
    }
}
