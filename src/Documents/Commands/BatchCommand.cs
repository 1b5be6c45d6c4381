using Raven.Blittable.Contexts;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Schemas;
using Raven.Documents.Settings;

namespace Raven.Documents.Commands;

//   BAT-1  All operations are executed, in their order, or none.
//   BAT-2  An operation sees the changes of the operations before it. So if the batch itself wrote a document earlier,
//          no expected version of the document is met; if the batch deleted it, "must not exist" is met.
//   BAT-3  Each change has an etag of its own. What is done to the attachments and counters of a document is one change
//          of it, and of what a batch does to a document one revision is kept (VER-1).
//   BAT-4  An id that the server makes is used by no document of the database, and named by no operation of the batch.

/// <summary>
/// Operations (puts, deletions and actions) that are executed in one transaction, all or none: a single document, a
/// <c>bulk_docs</c> request, a part of a bulk insert. It is set up with <see cref="Reset"/> and
/// <see cref="TryAddPut"/>, then submitted; after that, each operation has its result.
/// </summary>
public sealed class BatchCommand : DocumentCommand
{
    private const int KeptOperationsMax = 4096;

    private readonly KeyMap _keys;
    private DocumentOperation[] _operations = new DocumentOperation[4];
    private OperationContext? _context;
    private bool _hasExpectations;
    private bool _hasServerMadeIds;
    private bool _hasParts;
    private bool _makesDue;
    private long _sizeBytes;
    private BatchScript? _script;
    private int _executing;
    private BatchSchemas _schemas;

    /// <summary>Makes a command that can be used again after <see cref="Reset"/>.</summary>
    /// <param name="hashSeed">
    /// A random number: clients that do not know it cannot choose ids whose hashes collide.
    /// </param>
    public BatchCommand(ulong hashSeed) => _keys = new KeyMap(hashSeed);

    /// <summary>The number of operations.</summary>
    public int Count { get; private set; }

    /// <summary>The largest document that is taken, in bytes of its stored form.</summary>
    public int DocumentSizeBytesMax { get; set; } = int.MaxValue / 2;

    /// <summary>
    /// True for versions that come from another database with all that belongs to them: they are no revisions by
    /// themselves, and what is linked to them leaves the time of their last change as it is.
    /// </summary>
    internal bool IsImport { get; set; }

    internal override bool MakesDue => _makesDue;

    /// <summary>
    /// True while an operation waits for bytes that are not in the commands, such as those of an attachment.
    /// </summary>
    public bool NeedsBytes
    {
        get
        {
            for (int i = 0; _hasParts && i < Count; i++)
            {
                if (_operations[i].Action is { NeedsBytes: true })
                {
                    return true;
                }
            }

            return false;
        }
    }

    /// <summary>An operation and its result.</summary>
    public ref readonly DocumentOperation this[int index]
    {
        get
        {
            ArgumentOutOfRangeException.ThrowIfGreaterThanOrEqual((uint)index, (uint)Count);
            return ref _operations[index];
        }
    }

    /// <summary>Removes all operations, for the next use of the command.</summary>
    /// <param name="context">The memory of ids and results; it must not end before the results were read.</param>
    public void Reset(OperationContext context)
    {
        if (_operations.Length > KeptOperationsMax)
        {
            _operations = new DocumentOperation[4];
        }
        else
        {
            Array.Clear(_operations, 0, Count);
        }

        _context = context;
        Count = 0;
        _hasExpectations = false;
        _hasServerMadeIds = false;
        _hasParts = false;
        _makesDue = false;
        _sizeBytes = 0;
        _script = null;
        _executing = 0;
        _schemas = default;
        IsImport = false;
        Failure = default;
    }

    /// <summary>Adds a put.</summary>
    /// <param name="id">The id, or a form that the server completes (<see cref="ServerMadeId"/>), UTF-8.</param>
    /// <param name="document">
    /// The document, of mode "to disk", in memory that stays until the results were read.
    /// </param>
    /// <param name="expected">The version that must be stored.</param>
    /// <param name="skipIfUnchanged">Leave a document that has these very bytes as it is.</param>
    /// <returns>False if the operation cannot be added: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public bool TryAddPut(
        ReadOnlySpan<byte> id, BlittableObject document, ExpectedVersion expected, bool skipIfUnchanged = false)
    {
        OperationContext context = Context;
        ref DocumentOperation operation = ref Next();
        operation.Kind = DocumentOperationKind.Put;
        operation.SkipIfUnchanged = skipIfUnchanged;
        if (!OperationIds.TrySet(ref operation, id, context.Arena, out DocumentIdError error))
        {
            return Fail(CommandFailureKind.BadId, in operation, error);
        }

        _hasServerMadeIds |= operation.Request != IdRequestKind.Exact;
        if (!StoredMetadata.TryPrepare(context, document, out StoredMetadata prepared))
        {
            return Fail(CommandFailureKind.BadMetadata, in operation);
        }

        operation.Document = prepared.Document;
        operation.ExpiresTicks = prepared.ExpiresTicks;
        operation.RefreshTicks = prepared.RefreshTicks;
        operation.ArchiveTicks = prepared.ArchiveTicks;
        if (operation.Document.Length > DocumentSizeBytesMax)
        {
            return Fail(CommandFailureKind.DocumentTooLarge, in operation);
        }

        if (!TrySetCollection(ref operation, prepared.Collection, context.Arena))
        {
            return Fail(CommandFailureKind.BadMetadata, in operation);
        }

        SetExpectation(ref operation, expected, context.Arena);
        _sizeBytes += operation.Document.Length;
        Count++;
        return true;
    }

    /// <summary>The put that was added last keeps the version that it replaces, which must be there.</summary>
    public void KeepOldOfLast()
    {
        _operations[Count - 1].KeepsOld = true;
        _hasExpectations = true;
    }

    /// <summary>Adds a deletion. Deleting a missing document is no failure, unless a version is expected.</summary>
    /// <param name="id">The id, UTF-8.</param>
    /// <param name="expected">The version that must be stored.</param>
    /// <returns>False if the operation cannot be added: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public bool TryAddDelete(ReadOnlySpan<byte> id, ExpectedVersion expected)
    {
        Arena arena = Context.Arena;
        ref DocumentOperation operation = ref Next();
        operation.Kind = DocumentOperationKind.Delete;
        if (!OperationIds.TrySetExact(ref operation, id, arena, out DocumentIdError error))
        {
            return Fail(CommandFailureKind.BadId, in operation, error);
        }

        SetExpectation(ref operation, expected, arena);
        Count++;
        return true;
    }

    /// <summary>Adds an operation of another kind.</summary>
    /// <param name="id">The id of the document that it is about, UTF-8.</param>
    /// <param name="action">What it does.</param>
    /// <param name="expected">The expected version; the action defines of what.</param>
    /// <returns>False if the operation cannot be added: then <see cref="DocumentCommand.Failure"/> says why.</returns>
    public bool TryAddAction(ReadOnlySpan<byte> id, BatchAction action, ExpectedVersion expected)
    {
        ArgumentNullException.ThrowIfNull(action);
        Arena arena = Context.Arena;
        ref DocumentOperation operation = ref Next();
        operation.Kind = DocumentOperationKind.Action;
        operation.Action = action;
        if (!OperationIds.TrySetExact(ref operation, id, arena, out DocumentIdError error))
        {
            return Fail(CommandFailureKind.BadId, in operation, error);
        }

        bool hadExpectations = _hasExpectations;
        SetExpectation(ref operation, expected, arena);
        _hasExpectations = hadExpectations;
        _hasParts = true;
        _makesDue |= action.MakesDue;
        Count++;
        return true;
    }

    /// <summary>Adds an operation that an earlier use of the command had.</summary>
    internal void AddAgain(in DocumentOperation known)
    {
        Next() = known;
        Count++;
    }

    /// <summary>True if the batch has scripts, which must be planned before the batch is submitted.</summary>
    public bool HasScripts => FirstScript >= 0;

    /// <summary>The index of the first operation that is a script, or -1.</summary>
    internal int FirstScript
    {
        get
        {
            for (int i = 0; _hasParts && i < Count; i++)
            {
                if (_operations[i].Action is ScriptAction)
                {
                    return i;
                }
            }

            return -1;
        }
    }

    /// <summary>Adds a result without a change.</summary>
    internal bool TryAddResult(ReadOnlySpan<byte> id, BatchAction action)
    {
        bool isAdded = TryAddAction(id, action, ExpectedVersion.Any);
        if (isAdded)
        {
            _operations[Count - 1].Kind = DocumentOperationKind.None;
        }

        return isAdded;
    }

    /// <summary>An operation that was added, for the caller that adds it.</summary>
    public ref DocumentOperation Added(int index) => ref _operations[index];

    /// <summary>Makes the batch fail unless the document of an operation has this change vector.</summary>
    public void Expect(ref DocumentOperation operation, NativeSlice changeVector)
    {
        operation.Check = VersionCheck.MustEqual;
        operation.Expected = changeVector;
        _hasExpectations = true;
    }

    /// <summary>Makes the operations that scripts make; null if there are no scripts.</summary>
    internal BatchScript? Script
    {
        get => _script;
        set => _script = value;
    }

    /// <summary>Removes all operations but the first ones.</summary>
    public void TruncateTo(int count)
    {
        Array.Clear(_operations, count, Count - count);
        _schemas.TruncateTo(count);
        Count = count;
    }

    // What a script writes is not known before it has run, and the size must not change while the merger
    // has the command.
    private protected override long SizeBytes => _script is { RunsInside: true } ? 0 : _sizeBytes;

    private protected override void Execute(DocumentWriter writer)
    {
        writer.IsImport = IsImport;
        if (_script is not null && !_script.TryBegin(this, writer))
        {
            return;
        }

        if (!TryKeepSchemas(writer.Settings.Schemas, areNew: _script is { RunsInside: true }))
        {
            return;
        }

        bool isUnique = writer.Unique.IsOn;
        bool isTracked = Count > 1 && (_hasExpectations || _hasServerMadeIds || _hasParts || isUnique);
        _keys.Clear();
        if ((_hasExpectations || _hasParts || isTracked) && !TryCheck(writer, isTracked))
        {
            return;
        }

        if (isUnique && !BatchRules.TryCheckUnique(
            writer, _operations.AsSpan(0, Count), isTracked ? _keys : null, out CommandFailure shared))
        {
            Failure = shared;
            return;
        }

        if (Count > 1)
        {
            writer.Versions.BeginBatch(Context.Arena);
        }

        for (int i = 0; i < Count; i++)
        {
            _executing = i;
            ref DocumentOperation operation = ref _operations[i];
            operation.DeferredVersion = 0;
            operation.IsVersionNotified = false;
            if (operation.Kind == DocumentOperationKind.Put)
            {
                writer.Put(ref operation, isTracked ? _keys : null);
            }
            else if (operation.Kind == DocumentOperationKind.Delete)
            {
                writer.Delete(ref operation);
            }
            else if (operation.Kind == DocumentOperationKind.Action)
            {
                operation.Action!.Execute(writer, ref operation);
            }
        }

        if (writer.Versions.IsDeferring)
        {
            FlushVersions(writer);
        }
    }

    internal override bool TryPrepare(DatabaseSettings settings) => TryKeepSchemas(settings.Schemas, areNew: false);

    private bool TryKeepSchemas(SchemaRules? schemas, bool areNew)
    {
        bool isValid = _schemas.TryCheck(schemas, _operations.AsSpan(0, Count), areNew, out CommandFailure failure);
        Failure = isValid ? Failure : failure;
        return isValid;
    }

    private void FlushVersions(DocumentWriter writer)
    {
        writer.Versions.Flush();
        for (int i = 0; _hasParts && i < Count; i++)
        {
            ref DocumentOperation operation = ref _operations[i];
            if (operation.Kind == DocumentOperationKind.Action)
            {
                operation.Action!.Complete(writer, ref operation);
            }
        }
    }

    /// <inheritdoc/>
    internal override void Refuse(in CommandFailure failure) =>
        Failure = failure.At(failure.Unique is { } conflict
            ? BatchRules.LastPutOf(_operations.AsSpan(0, Count), conflict.Key)
            : _executing);

    private protected override void Committed(DocumentWriter writer) =>
        CommandNotices.Notify(writer, _operations.AsSpan(0, Count));

    /// <summary>
    /// Checks what is stored and what the batch itself will have done by then (BAT-2). Changes nothing.
    /// </summary>
    private bool TryCheck(DocumentWriter writer, bool isTracked)
    {
        for (int i = 0; i < Count; i++)
        {
            ref DocumentOperation operation = ref _operations[i];
            if (operation.Kind == DocumentOperationKind.None
                || (operation.Request != IdRequestKind.Exact && !operation.KeepsOld))
            {
                continue;
            }

            OperationTrace trace = OperationTrace.None;
            if (isTracked && operation.Request == IdRequestKind.Exact)
            {
                ref int known = ref _keys.ValueOf(_keys.FindOrAdd(operation.Key, out _));
                trace = (OperationTrace)known;
                known = (int)(operation.Kind switch
                {
                    DocumentOperationKind.Put => OperationTrace.Written,
                    DocumentOperationKind.Delete => OperationTrace.Deleted,
                    _ => operation.Action!.TraceAfter(trace),
                });
            }

            if (!TryCheck(writer, in operation, trace, out CommandFailure failure))
            {
                Failure = failure.At(i);
                return false;
            }
        }

        return true;
    }

    private bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, out CommandFailure failure)
    {
        if (operation.Kind == DocumentOperationKind.Action)
        {
            return operation.Action!.TryCheck(writer, in operation, trace, Context.Arena, out failure);
        }

        failure = default;
        if (operation.KeepsOld && trace != OperationTrace.Written
            && (trace == OperationTrace.Deleted || !writer.Tables.Exists(operation.Key.Span)))
        {
            failure = CommandFailure.NotSaved(in operation);
            return false;
        }

        if (operation.Check != VersionCheck.None
            && !writer.MeetsExpectation(in operation, trace, Context.Arena, out NativeSlice actual))
        {
            failure = CommandFailure.Conflict(in operation, actual, isWithinBatch: trace == OperationTrace.Written);
            return false;
        }

        return true;
    }

    /// <summary>The memory of ids, texts and results of the operations.</summary>
    public OperationContext Context =>
        _context ?? throw new InvalidOperationException("The batch has no context yet: call Reset first.");

    private ref DocumentOperation Next()
    {
        if (Count == _operations.Length)
        {
            Array.Resize(ref _operations, Count * 2);
        }

        _operations[Count] = default;
        return ref _operations[Count];
    }

    private bool Fail(CommandFailureKind kind, in DocumentOperation operation, DocumentIdError error = default)
    {
        Failure = new CommandFailure
        {
            Kind = kind,
            OperationIndex = Count,
            Id = operation.Id,
            IdError = error,
        };
        return false;
    }

    private void SetExpectation(ref DocumentOperation operation, ExpectedVersion expected, Arena arena)
    {
        operation.Check = expected.Check;
        operation.Expected = OperationIds.Copy(arena, expected.ChangeVector);
        operation.ChangeVectorBuffer = arena.Allocate(ChangeVector.LocalSizeBytesMax);
        _hasExpectations |= expected.Check != VersionCheck.None;
    }

    /// <summary>
    /// Sets the collection of an operation. Bulk writes mostly stay in one collection, so the folded name of the last
    /// one is reused.
    /// </summary>
    private bool TrySetCollection(ref DocumentOperation operation, NativeSlice collection, Arena arena)
    {
        operation.Collection = collection;
        if (Count > 0 && _operations[Count - 1].Collection.Span.SequenceEqual(collection.Span))
        {
            operation.CollectionKey = _operations[Count - 1].CollectionKey;
            return true;
        }

        Span<byte> key = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(collection.Span, key, out int length, out _))
        {
            return false;
        }

        operation.CollectionKey = OperationIds.Copy(arena, key[..length]);
        return true;
    }
}
