using System.Diagnostics;
using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Documents.Rows;

namespace Raven.Documents.Commands;

//   VER-1  All changes of a batch to attachments and counters of a document give the document one new version. Of all
//          versions that a batch gives a document, only the last is kept as a revision. Both are written after the
//          operations of the batch, so that each document is written once and not once for each operation.
//   VER-2  Before a put or a deletion, the deferred version of the document is written: so the operation finds the
//          document as earlier operations of the batch left it.

/// <summary>
/// The new versions of documents whose attachments or counters a command changed, and revisions. A single operation
/// writes them at once, a batch defers them to its end. One thread, that of the writer.
/// </summary>
internal sealed class DeferredVersions
{
    private const int KeptCapacityMax = 4096;

    private readonly DocumentWriter _writer;
    private readonly KeyMap _numbers;
    private readonly List<Deferred> _deferred = [];
    private Arena? _arena;
    private long _etagAtBegin;

    internal DeferredVersions(DocumentWriter writer, ulong hashSeed)
    {
        _writer = writer;
        _numbers = new KeyMap(hashSeed);
    }

    /// <summary>True while a batch is executed: versions are then deferred to its end.</summary>
    internal bool IsDeferring => _arena != null;

    /// <summary>Starts a command.</summary>
    internal void Begin(long lastEtag)
    {
        _etagAtBegin = lastEtag;
        _arena = null;
        _numbers.Clear();
        _deferred.Clear();
        if (_deferred.Capacity > KeptCapacityMax)
        {
            _deferred.Capacity = 0;
        }
    }

    /// <summary>Starts a batch: from this call on versions are deferred until <see cref="Flush"/>.</summary>
    /// <param name="arena">The memory of results. The keys of the operations stay until <see cref="Flush"/>.</param>
    internal void BeginBatch(Arena arena) => _arena = arena;

    /// <summary>
    /// Gives a document a new version with the same content, because something that belongs to it has changed: an
    /// attachment, a counter. If there is no such document, nothing happens.
    /// </summary>
    /// <param name="operation">
    /// The operation, whose key is the document's. Its result is set at once, or in a batch by <see cref="Complete"/>.
    /// </param>
    /// <param name="arena">The memory of the id as it is stored.</param>
    /// <param name="add">Flags that the document gets.</param>
    /// <param name="remove">Flags that the document loses.</param>
    internal void Touch(ref DocumentOperation operation, Arena arena, DocumentFlags add, DocumentFlags remove)
    {
        if (!IsDeferring)
        {
            Touch(ref operation, arena, add, remove, keepsRevision: false);
        }
        else if (_writer.Tables.Exists(operation.Key.Span))
        {
            operation.DeferredVersion = NumberOf(operation.Key);
            operation.IsChanged = true;
            ref Deferred deferred = ref CollectionsMarshal.AsSpan(_deferred)[operation.DeferredVersion - 1];
            deferred.IsTouched = true;
            deferred.Add = (deferred.Add & ~remove) | add;
            deferred.Remove = (deferred.Remove & ~add) | remove;
        }
    }

    /// <summary>Gives a document a new version with the same content at once. None may be deferred for it.</summary>
    internal void TouchNow(ref DocumentOperation operation, Arena arena, DocumentFlags add) =>
        Touch(ref operation, arena, add, DocumentFlags.None, keepsRevision: false);

    /// <summary>True if this batch wrote the version with this etag.</summary>
    internal bool IsOfThisBatch(long etag) => IsDeferring && etag > _etagAtBegin;

    /// <summary>True if this batch wrote the current version of a document, or has deferred a new one.</summary>
    internal bool IsOfThisBatch(NativeSlice key, long etag) =>
        IsOfThisBatch(etag) || (TryFind(key, out int number) && _deferred[number - 1].IsTouched);

    /// <summary>True if the version that a document has at the end of this batch will be kept as a revision.</summary>
    internal bool WillKeepRevision(NativeSlice key, int collectionId) =>
        TryFind(key, out int number)
        && (_deferred[number - 1].KeepsRevision
            || (_deferred[number - 1].IsTouched && _writer.Revisions.Of(collectionId) is not null));

    /// <summary>Has the version that a document has at the end of the batch kept as a revision.</summary>
    internal void DeferRevision(NativeSlice key)
    {
        Debug.Assert(IsDeferring, "VER-1");
        int number = NumberOf(key);
        CollectionsMarshal.AsSpan(_deferred)[number - 1].KeepsRevision = true;
    }

    /// <summary>Makes the deferred version of a document the result of an operation, too; false if there is none.
    /// </summary>
    internal bool TryJoin(ref DocumentOperation operation)
    {
        if (!TryFind(operation.Key, out int number) || !_deferred[number - 1].IsTouched)
        {
            return false;
        }

        operation.DeferredVersion = number;
        return true;
    }

    /// <summary>Writes the deferred version of a document, without its revision, before it is put or deleted.</summary>
    /// <returns>True if a revision is deferred for the version that follows.</returns>
    internal bool Resolve(NativeSlice key)
    {
        if (!TryFind(key, out int number))
        {
            return false;
        }

        ref Deferred deferred = ref CollectionsMarshal.AsSpan(_deferred)[number - 1];
        _numbers.ValueOf(_numbers.Find(key.Span)) = 0;
        bool isRevisionDeferred = deferred.KeepsRevision;
        deferred.KeepsRevision = false;
        if (deferred.IsTouched)
        {
            Write(ref deferred, keepsRevision: false, isLast: false);
        }

        deferred.IsWritten = true;
        return isRevisionDeferred;
    }

    /// <summary>Writes all that is deferred, after the operations are done.</summary>
    internal void Flush()
    {
        foreach (ref Deferred deferred in CollectionsMarshal.AsSpan(_deferred))
        {
            if (deferred.IsWritten)
            {
                continue;
            }

            deferred.IsWritten = true;
            if (deferred.IsTouched)
            {
                Write(ref deferred, deferred.KeepsRevision, isLast: true);
            }
            else if (deferred.KeepsRevision && _writer.Tables.TryFind(deferred.Key.Span, out _, out NativeSlice row))
            {
                _writer.Revisions.KeepCurrent(deferred.Key.Span, row);
            }
        }

        _arena = null;
    }

    /// <summary>Sets the result of an operation to the deferred version of its document, which was written before.
    /// </summary>
    internal void Complete(ref DocumentOperation operation)
    {
        if (operation.DeferredVersion == 0)
        {
            return;
        }

        ref Deferred deferred = ref CollectionsMarshal.AsSpan(_deferred)[operation.DeferredVersion - 1];
        Debug.Assert(deferred.IsWritten, "VER-1");
        operation.Id = deferred.Id;
        operation.ChangeVector = deferred.ChangeVector;
        operation.Etag = deferred.Etag;
        operation.LastModifiedTicks = deferred.LastModifiedTicks;
        operation.Flags = deferred.Flags;
        operation.CollectionId = deferred.CollectionId;
        operation.IsVersionNotified = deferred.IsNotified;
        deferred.IsNotified |= operation.IsChanged;
    }

    /// <summary>
    /// The order in which operations are reported to the listeners, that of their etags: deferred versions are
    /// written behind the operations of a batch, or between them (VER-2).
    /// </summary>
    /// <returns>Null if it is the order of the operations.</returns>
    internal static int[]? OrderOf(ReadOnlySpan<DocumentOperation> operations)
    {
        bool isDeferred = false;
        foreach (ref readonly DocumentOperation operation in operations)
        {
            isDeferred |= operation.DeferredVersion != 0;
        }

        if (!isDeferred)
        {
            return null;
        }

        var places = new (long Etag, int Index)[operations.Length];
        for (int i = 0; i < places.Length; i++)
        {
            places[i] = (operations[i].Etag, i);
        }

        Array.Sort(places);
        return Array.ConvertAll(places, place => place.Index);
    }

    private void Write(ref Deferred deferred, bool keepsRevision, bool isLast)
    {
        var operation = new DocumentOperation
        {
            Key = deferred.Key,
            ChangeVectorBuffer = _arena!.Allocate(ChangeVector.LocalSizeBytesMax),
        };
        Touch(ref operation, _arena, deferred.Add, deferred.Remove, keepsRevision, isLast);
        deferred.Id = operation.Id;
        deferred.ChangeVector = operation.ChangeVector;
        deferred.Etag = operation.Etag;
        deferred.LastModifiedTicks = operation.LastModifiedTicks;
        deferred.Flags = operation.Flags;
        deferred.CollectionId = operation.CollectionId;
    }

    private void Touch(
        ref DocumentOperation operation, Arena arena, DocumentFlags add, DocumentFlags remove, bool keepsRevision,
        bool isLast = true)
    {
        ReadOnlySpan<byte> key = operation.Key.Span;
        if (!_writer.Tables.TryFind(key, out long rowId, out NativeSlice row))
        {
            return;
        }

        RowHeader old = RowLayout.ReadHeader(row.Span);

        // The row moves, and its pages may be freed: the document is copied until it is written again.
        byte[] copy = ScratchArrays.Rent(row.Length);
        row.Span.CopyTo(copy);
        int idLength = RowLayout.Id(row).Length;
        int bodyLength = RowLayout.Body(row).Length;
        ReadOnlySpan<byte> body = copy.AsSpan(row.Length - bodyLength, bodyLength);
        operation.Id = arena.Allocate(idLength);
        RowLayout.Id(row).Span.CopyTo(operation.Id.WritableSpan);
        bool isKept = _writer.Revisions.Of(old.CollectionId) is not null && !_writer.IsImport;

        // An import links counters to a version whose revision is in already: the revision becomes that of the new one.
        bool isMoved = isLast && _writer.IsImport && (old.Flags & DocumentFlags.HasRevisions) != 0
            && _writer.Revisions.Tables.Delete(key, old.Etag);
        if (isMoved)
        {
            _writer.Tables.TryFind(key, out rowId, out _);
        }

        RowHeader header = old;
        header.Etag = _writer.Tables.NextEtag();
        header.LastModifiedTicks = _writer.IsImport ? old.LastModifiedTicks : _writer.Now.Ticks;
        header.Flags = (old.Flags | add) & ~remove;
        header.Flags |= isKept ? DocumentFlags.HasRevisions : DocumentFlags.None;
        int length = _writer.FormatChangeVector(operation.ChangeVectorBuffer.WritableSpan, header.Etag);
        operation.ChangeVector = operation.ChangeVectorBuffer.Slice(0, length);
        row = _writer.Tables.Replace(
            key, rowId, in old, in header, RowLayout.SizeOf(idLength, length, bodyLength));
        body.CopyTo(RowLayout.Write(
            row.WritableSpan, in header, operation.Id.Span, operation.ChangeVector.Span));
        if (isLast && (isKept || keepsRevision || isMoved))
        {
            _writer.Revisions.Keep(key, in header, operation.Id.Span, operation.ChangeVector.Span, body);
        }

        ScratchArrays.Return(copy);
        DocumentWriter.SetResult(ref operation, in header, isChanged: true);
    }

    private bool TryFind(NativeSlice key, out int number)
    {
        number = 0;
        if (!IsDeferring || _deferred.Count == 0)
        {
            return false;
        }

        int index = _numbers.Find(key.Span);
        number = index < 0 ? 0 : _numbers.ValueOf(index);
        return number != 0;
    }

    private int NumberOf(NativeSlice key)
    {
        ref int number = ref _numbers.ValueOf(_numbers.FindOrAdd(key, out _));
        if (number == 0)
        {
            _deferred.Add(new Deferred { Key = key });
            number = _deferred.Count;
        }

        return number;
    }

    private struct Deferred
    {
        internal NativeSlice Key;
        internal NativeSlice Id;
        internal NativeSlice ChangeVector;
        internal long Etag;
        internal long LastModifiedTicks;
        internal DocumentFlags Flags;
        internal DocumentFlags Add;
        internal DocumentFlags Remove;
        internal int CollectionId;
        internal bool IsTouched;
        internal bool KeepsRevision;
        internal bool IsWritten;
        internal bool IsNotified;
    }
}
