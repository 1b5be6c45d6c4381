using System.Diagnostics;
using Raven.Blittable.Memory;
using Raven.Documents.Changes;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;
using Raven.Documents.Rules;
using Raven.Documents.Settings;
using Raven.Documents.Sweeps;
using Raven.Storage.Transactions;

namespace Raven.Documents.Commands;

/// <summary>Executes the operations of commands in the write transaction of a database. Each open database has one
/// writer, and the merger runs one command at a time, so that no lock is needed.</summary>
internal sealed class DocumentWriter
{
    private readonly DatabaseId _databaseId;
    private readonly TimeProvider _clock;
    private readonly DocumentTables _tables = new();
    private readonly OpeningEntry _opening;
    private long _etagAtBegin;
    private long _nowTicks;

    /// <summary>The folded name of the collection of the last operation, and its number: it seldom changes.</summary>
    private NativeSlice _lastCollectionKey;
    private int _lastCollectionId;

    internal DocumentWriter(
        DatabaseId databaseId, DocumentChanges changes, TimeProvider clock, Random random, long lastEtag,
        bool isOpened = false)
    {
        _opening = new OpeningEntry(lastEtag, random, isOpened);
        _databaseId = databaseId;
        _clock = clock;
        Changes = changes;
        Ids = new ServerIdMaker(_tables, random);
        Revisions = new RevisionWriter(_tables, Attachments);
        Series = new SeriesWriter(_tables, databaseId);
        Unique = new UniqueWriter(_tables);
        Versions = new DeferredVersions(this, (ulong)random.NextInt64());
    }

    /// <summary>The listeners of the database's changes.</summary>
    internal DocumentChanges Changes { get; }

    /// <summary>No change is older than this: in a group the clock of who wrote before may be ahead.</summary>
    internal long NotBeforeTicks { get; init; }

    /// <summary>Gives the name of a collection by its number. Set once, right after the writer is made.</summary>
    internal Func<int, byte[]> CollectionNameOf { get; set; } = _ => [];

    /// <summary>The counters, in the write transaction.</summary>
    internal CounterTables Counters { get; } = new();

    /// <summary>The time series, in the write transaction.</summary>
    internal SeriesWriter Series { get; }

    /// <summary>The compare-exchange values, in the write transaction.</summary>
    internal CompareExchangeTables CompareExchange { get; } = new();

    /// <summary>The structures, for commands that are not about documents.</summary>
    internal DocumentTables Tables => _tables;

    /// <summary>The structures of attachments.</summary>
    internal AttachmentTables Attachments { get; } = new();

    /// <summary>Makes the ids that clients leave to the server.</summary>
    internal ServerIdMaker Ids { get; }

    /// <summary>Keeps values that only one document may have.</summary>
    internal UniqueWriter Unique { get; }

    /// <summary>Keeps earlier versions of documents.</summary>
    internal RevisionWriter Revisions { get; }

    /// <summary>The versions and revisions that the command writes at its end.</summary>
    internal DeferredVersions Versions { get; }

    /// <summary>The large documents that were written last.</summary>
    internal LargeDocuments Large { get; } = new();

    /// <summary>The settings of the database. Replaced by any thread.</summary>
    internal DatabaseSettings Settings { get; set; } = DatabaseSettings.None;

    /// <summary>The last etag that was given out.</summary>
    internal long LastEtag => _tables.LastEtag;

    /// <summary>The time of the command, UTC: one for all of its operations.</summary>
    internal DateTime Now => new(_nowTicks, DateTimeKind.Utc);

    /// <summary>Whether the command brings versions of another database (<see cref="BatchCommand"/>).</summary>
    internal bool IsImport { get; set; }

    /// <summary>Starts a command.</summary>
    internal void Begin(WriteTransaction transaction)
    {
        _tables.Begin(transaction);
        Attachments.Begin(transaction);
        Counters.Begin(transaction);
        DatabaseSettings settings = Settings;
        Series.Begin(transaction, settings.TimeSeries);
        CompareExchange.Begin(transaction);
        Revisions.Begin(transaction, settings);
        Unique.Begin(transaction, settings.Unique);
        _etagAtBegin = _tables.LastEtag;
        Versions.Begin(_etagAtBegin);
        _nowTicks = Math.Max(_clock.GetUtcNow().Ticks, NotBeforeTicks);
        _lastCollectionKey = default;
        IsImport = false;
    }

    /// <summary>Ends a command.</summary>
    internal void End()
    {
        if (_tables.LastEtag != _etagAtBegin)
        {
            _tables.End(_etagAtBegin);
            _opening.Keep(_tables.Transaction);
        }
    }

    /// <summary>Whether the stored version is the one that the operation expects. Changes nothing.</summary>
    /// <param name="operation">The operation.</param>
    /// <param name="trace">What its batch has done to the document before.</param>
    /// <param name="arena">The memory of <paramref name="actual"/>.</param>
    /// <param name="actual">The stored version, if it is another one.</param>
    internal bool MeetsExpectation(
        in DocumentOperation operation, OperationTrace trace, Arena arena, out NativeSlice actual)
    {
        actual = default;
        if (trace == OperationTrace.Written)
        {
            return false;
        }

        bool exists = _tables.TryFind(operation.Key.Span, out _, out NativeSlice row) && trace == OperationTrace.None;
        if (!exists)
        {
            return operation.Check == VersionCheck.MustNotExist;
        }

        ReadOnlySpan<byte> stored = RowLayout.ChangeVector(row).Span;
        if (operation.Check == VersionCheck.MustEqual
            && (stored.SequenceEqual(operation.Expected.Span)
                || (ChangeVector.TryCompare(stored, operation.Expected.Span, out ChangeVectorOrder order)
                    && order == ChangeVectorOrder.Equal)))
        {
            return true;
        }

        actual = arena.Allocate(stored.Length);
        stored.CopyTo(actual.WritableSpan);
        return false;
    }

    /// <summary>Writes a document.</summary>
    /// <param name="operation">The operation, which takes the result.</param>
    /// <param name="named">
    /// The keys that the batch names: an id that is made here must be none of them. Null if there are none.
    /// </param>
    internal void Put(ref DocumentOperation operation, KeyMap? named)
    {
        long etag = 0;
        if (operation.Request != IdRequestKind.Exact)
        {
            etag = Ids.Complete(ref operation, named);
        }

        bool isRevisionDeferred = Versions.Resolve(operation.Key);
        ReadOnlySpan<byte> key = operation.Key.Span;
        bool exists = _tables.TryFind(key, out long rowId, out NativeSlice oldRow);
        RowHeader old = exists ? RowLayout.ReadHeader(oldRow.Span) : default;
        if (exists && operation.SkipIfUnchanged
            && RowLayout.Body(oldRow).Span.SequenceEqual(operation.Document.Span))
        {
            KeepAsItIs(ref operation, oldRow, in old);
            if (isRevisionDeferred)
            {
                Versions.DeferRevision(operation.Key);
            }

            return;
        }

        int collectionId = CollectionIdOf(in operation);
        KeepUnique(in operation, exists ? old.CollectionId : 0, collectionId, ref rowId, ref oldRow);
        bool isKept = Revisions.Of(collectionId) is not null && (exists || !IsImport);
        DocumentFlags flags = old.Flags;
        if (isKept || operation.KeepsOld || (!exists && Revisions.Tables.IsUsed))
        {
            flags = BeginKeeping(key, exists, flags, isKept, ref rowId, ref oldRow);
        }

        if (exists && old.CollectionId != collectionId)
        {
            // The collection may have been added above, and a value read from a page is valid only until the next
            // change of the transaction: the row is read again.
            _tables.TryFind(key, out rowId, out oldRow);
            LeaveCollection(key, oldRow, in old);
        }

        RowHeader header = new()
        {
            Etag = etag == 0 ? _tables.NextEtag() : etag,
            LastModifiedTicks = operation.GivenTicks == 0 ? _nowTicks : operation.GivenTicks,
            Flags = flags,
            CollectionId = collectionId,
            Kind = RowKind.Document,
        };
        int length = FormatChangeVector(ref operation, header.Etag);
        int size = RowLayout.SizeOf(operation.Id.Length, length, operation.Document.Length);
        NativeSlice row = exists
            ? _tables.Replace(key, rowId, in old, in header, size)
            : _tables.Insert(key, in header, size);
        Span<byte> body = RowLayout.Write(
            row.WritableSpan, in header, operation.Id.Span, operation.ChangeVector.Span);
        operation.Document.Span.CopyTo(body);
        Large.Note(operation.Id.Span, operation.Document.Length, _nowTicks);
        // If this batch also wrote the version that is replaced, the revision that was deferred for that version is
        // deferred for this one.
        bool isDeferred = isRevisionDeferred || (operation.KeepsOld && exists && Versions.IsOfThisBatch(old.Etag));
        KeepRevision(in operation, in header, isKept && !IsImport, isDeferred);
        if ((operation.ExpiresTicks | operation.RefreshTicks | operation.ArchiveTicks) != 0)
        {
            KeepDueTimes(in operation);
        }

        SetResult(ref operation, in header, isChanged: true);
    }

    /// <summary>Keeps values that must be unique; then the row is read again, as pages have changed.</summary>
    private void KeepUnique(
        in DocumentOperation operation, int oldId, int collectionId, ref long rowId, ref NativeSlice row)
    {
        if (Unique.IsOn)
        {
            Unique.Put(
                operation.Key.Span, operation.CollectionKey.Span, operation.Document,
                oldId == collectionId ? -1 : oldId, ref rowId, ref row);
        }
    }

    private void KeepRevision(in DocumentOperation operation, in RowHeader header, bool isKept, bool isDeferred)
    {
        if (Versions.IsDeferring && (isKept || isDeferred))
        {
            Versions.DeferRevision(operation.Key);
        }
        else if (isKept)
        {
            Revisions.Keep(
                operation.Key.Span, in header, operation.Id.Span, operation.ChangeVector.Span,
                operation.Document.Span);
        }
    }

    private void KeepDueTimes(in DocumentOperation operation)
    {
        if (operation.ExpiresTicks != 0)
        {
            DueTimes.Add(_tables.Transaction, SweepKind.Expiration, operation.ExpiresTicks, operation.Key.Span);
        }

        if (operation.ArchiveTicks != 0)
        {
            DueTimes.Add(_tables.Transaction, SweepKind.Archival, operation.ArchiveTicks, operation.Key.Span);
        }

        if (operation.RefreshTicks != 0)
        {
            DueTimes.Add(_tables.Transaction, SweepKind.Refresh, operation.RefreshTicks, operation.Key.Span);
        }
    }

    /// <summary>Deletes a document, if there is one.</summary>
    internal void Delete(ref DocumentOperation operation)
    {
        Versions.Resolve(operation.Key);
        ReadOnlySpan<byte> key = operation.Key.Span;
        if (!_tables.TryFind(key, out long rowId, out NativeSlice row))
        {
            operation.ChangeVector = default;
            operation.Etag = 0;
            operation.IsChanged = false;
            return;
        }

        RowHeader old = RowLayout.ReadHeader(row.Span);
        Span<byte> id = stackalloc byte[DocumentId.SizeBytesMax];
        NativeSlice stored = RowLayout.Id(row);
        int idLength = stored.Length;
        stored.Span.CopyTo(id);
        if (Unique.IsOn)
        {
            Unique.Delete(key, old.CollectionId, RowLayout.Body(row));
        }

        Series.RemoveAll(key);
        if ((old.Flags & DocumentFlags.HasCounters) != 0)
        {
            Counters.RemoveAll(key);
            _tables.TryFind(key, out rowId, out _);
        }

        _tables.Remove(key, rowId, in old);
        if ((old.Flags & DocumentFlags.HasAttachments) != 0)
        {
            DeleteAttachments(key, id[..idLength]);
        }

        RowHeader tombstone = old;
        tombstone.Etag = _tables.NextEtag();
        tombstone.LastModifiedTicks = _nowTicks;
        tombstone.Kind = RowKind.Document;
        tombstone.IsTombstone = true;
        FormatChangeVector(ref operation, tombstone.Etag);
        _tables.AddTombstone(in tombstone, key, id[..idLength], operation.ChangeVector.Span, old.Etag);
        Revisions.KeepDeletion(key, in tombstone, id[..idLength], operation.ChangeVector.Span);
        SetResult(ref operation, in tombstone, isChanged: true);
    }

    /// <summary>Writes the change vector of a change.</summary>
    internal int FormatChangeVector(Span<byte> room, long etag) => ChangeVector.Format(room, etag, _databaseId);

    /// <summary>Removes the link to an attachment, and leaves a tombstone.</summary>
    /// <param name="key">The attachment's key.</param>
    /// <param name="documentId">Its document's id.</param>
    internal void DeleteAttachment(ReadOnlySpan<byte> key, ReadOnlySpan<byte> documentId)
    {
        if (!Attachments.Delete(key, out RowHeader old))
        {
            return;
        }

        RowHeader tombstone = old;
        tombstone.Etag = _tables.NextEtag();
        tombstone.LastModifiedTicks = _nowTicks;
        tombstone.IsTombstone = true;
        Span<byte> vector = stackalloc byte[ChangeVector.LocalSizeBytesMax];
        vector = vector[..FormatChangeVector(vector, tombstone.Etag)];
        _tables.AddTombstone(in tombstone, key, documentId, vector, old.Etag);
    }

    /// <summary>
    /// Reports to the listeners that an action gave a document a new version; once if several share it.
    /// </summary>
    internal void NotifyPut(in DocumentOperation operation)
    {
        if (operation.IsVersionNotified)
        {
            return;
        }

        Changes.Notify(new DocumentChange
        {
            Type = DocumentChangeType.Put,
            Id = operation.Id.Span,
            Collection = CollectionNameOf(operation.CollectionId),
            ChangeVector = operation.ChangeVector.Span,
            Etag = operation.Etag,
        });
    }

    /// <summary>Writes one counter of a document that is there.</summary>
    /// <param name="operation">The document; takes the etag.</param>
    /// <param name="change">The change, with its new value.</param>
    /// <returns>True if the counter is new.</returns>
    internal bool WriteCounter(ref DocumentOperation operation, in CounterOperation change)
    {
        bool isThere = _tables.TryFind(operation.Key.Span, out _, out NativeSlice document);
        Debug.Assert(isThere, "CMD-1");
        RowHeader header = new()
        {
            Etag = _tables.NextEtag(),
            LastModifiedTicks = _nowTicks,
            CollectionId = RowLayout.ReadHeader(document.Span).CollectionId,
            Kind = RowKind.Counters,
        };
        FormatChangeVector(ref operation, header.Etag);
        operation.Etag = header.Etag;
        operation.CollectionId = header.CollectionId;
        return Counters.Put(
            change.Key.Span, change.Name.Span, operation.Id.Span, in header, operation.ChangeVector.Span, change.Value);
    }

    /// <summary>Sets the result of the operation to the current version of its document, if there is one.</summary>
    internal void ReadVersion(ref DocumentOperation operation)
    {
        if (!Versions.TryJoin(ref operation) && _tables.TryFind(operation.Key.Span, out _, out NativeSlice row))
        {
            RowHeader header = RowLayout.ReadHeader(row.Span);
            KeepAsItIs(ref operation, row, in header);
        }
    }

    /// <summary>Reads a document's body, for commands that change a document by what is in it.</summary>
    internal bool TryRead(ReadOnlySpan<byte> key, out NativeSlice body)
    {
        bool found = _tables.TryFind(key, out _, out NativeSlice row);
        body = found ? RowLayout.Body(row) : default;
        return found;
    }

    /// <summary>
    /// Called before a version is written that will be kept as a revision: keeps the version before it too, if that was
    /// not done, and returns the flags with the one that says that the document has revisions.
    /// </summary>
    private DocumentFlags BeginKeeping(
        ReadOnlySpan<byte> key, bool exists, DocumentFlags flags, bool isKept, ref long rowId, ref NativeSlice row)
    {
        if (!exists)
        {
            bool hadRevisions = Revisions.Tables.Revive(key);
            return isKept || hadRevisions ? flags | DocumentFlags.HasRevisions : flags;
        }

        // No reader has seen a version that this batch wrote and now replaces: it is not kept.
        if (!Versions.IsOfThisBatch(RowLayout.ReadHeader(row.Span).Etag) && Revisions.KeepOld(key, row))
        {
            // A value read from a page is valid only until the next change of the transaction: the row is read again.
            _tables.TryFind(key, out rowId, out row);
        }

        return flags | DocumentFlags.HasRevisions;
    }

    /// <summary>Removes all attachments of a document.</summary>
    private void DeleteAttachments(ReadOnlySpan<byte> documentKey, ReadOnlySpan<byte> documentId)
    {
        Span<byte> prefix = stackalloc byte[AttachmentKey.SizeBytesMax];
        prefix = prefix[..AttachmentKey.WritePrefix(prefix, documentKey)];
        Span<byte> key = stackalloc byte[AttachmentKey.SizeBytesMax];
        while (Attachments.TryFirstKey(prefix, key, out int length))
        {
            DeleteAttachment(key[..length], documentId);
        }
    }

    /// <summary>Sets the last value of an identity.</summary>
    internal void SetIdentity(ReadOnlySpan<byte> key, long value) => _tables.SetIdentity(key, value);

    private int CollectionIdOf(in DocumentOperation operation)
    {
        if (_lastCollectionKey != operation.CollectionKey)
        {
            _lastCollectionId = _tables.CollectionId(operation.CollectionKey.Span, operation.Collection.Span);
            _lastCollectionKey = operation.CollectionKey;
        }

        return _lastCollectionId;
    }

    /// <summary>Leaves a tombstone in the collection that a document has left, for indexes of that
    /// collection.</summary>
    private void LeaveCollection(ReadOnlySpan<byte> key, NativeSlice oldRow, in RowHeader old)
    {
        Span<byte> id = stackalloc byte[DocumentId.SizeBytesMax];
        NativeSlice stored = RowLayout.Id(oldRow);
        stored.Span.CopyTo(id);
        RowHeader tombstone = old;
        tombstone.Etag = _tables.NextEtag();
        tombstone.LastModifiedTicks = _nowTicks;
        tombstone.Kind = RowKind.LeftCollection;
        tombstone.IsTombstone = true;
        Span<byte> changeVector = stackalloc byte[ChangeVector.LocalSizeBytesMax];
        int length = ChangeVector.Format(changeVector, tombstone.Etag, _databaseId);
        Span<byte> leftKey = stackalloc byte[TombstoneKey.LeftCollectionSizeBytesMax];
        int leftLength = TombstoneKey.WriteLeftCollection(leftKey, key, old.CollectionId);
        _tables.AddTombstone(
            in tombstone, leftKey[..leftLength], id[..stored.Length], changeVector[..length], old.Etag);
    }

    private int FormatChangeVector(ref DocumentOperation operation, long etag)
    {
        int length = ChangeVector.Format(operation.ChangeVectorBuffer.WritableSpan, etag, _databaseId);
        operation.ChangeVector = operation.ChangeVectorBuffer.Slice(0, length);
        return length;
    }

    private static void KeepAsItIs(ref DocumentOperation operation, NativeSlice row, in RowHeader header)
    {
        NativeSlice stored = RowLayout.ChangeVector(row);
        Debug.Assert(stored.Length <= ChangeVector.LocalSizeBytesMax, "CV-3");
        stored.Span.CopyTo(operation.ChangeVectorBuffer.WritableSpan);
        operation.ChangeVector = operation.ChangeVectorBuffer.Slice(0, stored.Length);
        SetResult(ref operation, in header, isChanged: false);
    }

    internal static void SetResult(ref DocumentOperation operation, in RowHeader header, bool isChanged)
    {
        operation.IsChanged = isChanged;
        operation.Etag = header.Etag;
        operation.LastModifiedTicks = header.LastModifiedTicks;
        operation.Flags = header.Flags;
        operation.CollectionId = header.CollectionId;
    }
}
