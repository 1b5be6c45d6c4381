using System.Text;
using Raven.Blittable.Contexts;
using Raven.Blittable.Format;
using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Blittable.Writing;
using Raven.Documents.Commands;
using Raven.Documents.Counters;
using Raven.Documents.Ids;
using Raven.Documents.Rows;
using Raven.Documents.Scripts;
using Raven.Documents.TimeSeries;
using Raven.Scripting;
using Raven.Scripting.Hosting;

namespace Raven.Documents.Patching;

/// <summary>
/// Makes the operations of a batch with patches: each script reads the database of the view, changed by the commands of
/// the batch before it; its writes become operations; its reads are recorded (SCRIPT-1).
/// </summary>
internal sealed class PatchPlan : BatchScript
{
    private readonly ScriptEnvironment _scripts;
    private readonly CancellationToken _cancellation;
    private readonly KeyMap _written;
    private readonly KeyMap _read;
    private readonly DocumentOperation[] _template;
    private readonly PatchIds _ids;
    private readonly int _firstCount;
    private int _noted;
    private long _shortStepsLeft;
    private BatchCommand _batch = null!;

    /// <summary>Makes the plan of a batch: everything from its first script on is planned.</summary>
    /// <param name="batch">The batch with the places of its scripts.</param>
    /// <param name="scripts">The engine and the limits.</param>
    /// <param name="hashSeed">Any number that clients do not know.</param>
    /// <param name="cancellation">Ends its scripts.</param>
    internal PatchPlan(
        BatchCommand batch, ScriptEnvironment scripts, ulong hashSeed, CancellationToken cancellation)
    {
        _scripts = scripts;
        _cancellation = cancellation;
        Context = batch.Context;
        _written = new KeyMap(hashSeed);
        _read = new KeyMap(hashSeed);
        Counters = new PatchCounters(this, hashSeed);
        TimeSeries = new PatchTimeSeries(this);
        _ids = new PatchIds(this, _written);
        _firstCount = batch.FirstScript;
        _template = new DocumentOperation[batch.Count - _firstCount];
        for (int i = 0; i < _template.Length; i++)
        {
            _template[i] = batch.Added(_firstCount + i);
        }
    }

    /// <summary>The memory of the batch.</summary>
    internal OperationContext Context { get; }

    /// <summary>The database that the scripts read.</summary>
    internal IDatabaseView View { get; private set; } = null!;

    /// <summary>The counters that they read.</summary>
    internal PatchCounters Counters { get; }

    /// <summary>The time series that they read and change.</summary>
    internal PatchTimeSeries TimeSeries { get; }

    /// <summary>The thread that the scripts run on now, and their limits there (SCRIPT-4).</summary>
    internal ScriptTier Tier { get; set; }

    /// <summary>True if the last run passed the limits of its tier, and changed nothing.</summary>
    internal bool IsAbandoned { get; private set; }

    internal override bool TryPlan(BatchCommand batch, IDatabaseView view)
    {
        IsAbandoned = false;
        _shortStepsLeft = ScriptEnvironment.ShortStepsMax;
        batch.TruncateTo(_firstCount);
        batch.Refuse(default);
        _batch = batch;
        View = view;
        Reads.Clear();
        Counters.Clear();
        TimeSeries.Clear();
        _written.Clear();
        _read.Clear();
        _noted = 0;
        _ids.Begin(view.LastEtag);
        foreach (ref readonly DocumentOperation operation in _template.AsSpan())
        {
            NoteAdded();
            if (operation.Action is not ScriptAction script)
            {
                batch.AddAgain(in operation);
            }
            else if (!script.TryRun(this))
            {
                return false;
            }
        }

        return true;
    }

    /// <summary>Adds a patch to the batch that is planned.</summary>
    /// <returns>False if the batch fails.</returns>
    internal bool TryPatch(in PatchRequest patch, PatchAction action)
    {
        NoteAdded();
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        if (!DocumentId.TryFold(patch.Id.Span, folded, out int length, out DocumentIdError error))
        {
            _batch.Refuse(new CommandFailure
            {
                Kind = CommandFailureKind.BadId, Id = patch.Id, IdError = error, OperationIndex = _batch.Count,
            });
            return false;
        }

        // It may run again, with another result.
        PlannedDocument document = Read(Keep(folded[..length]));
        action.Original = patch.IsDebug && document.Exists ? KeepAll(in document) : default;
        action.Modified = default;
        action.Debug = null;
        if (!Meets(in patch, in document))
        {
            return Mismatch(in patch, in document, action);
        }

        if (document.Exists)
        {
            return TryRun(in patch, patch.Script, in document, action);
        }

        if (patch.CreateIfMissing.IsValid)
        {
            action.Status = PatchStatus.Created;
            return TryAddPut(patch.Id, patch.CreateIfMissing, action);
        }

        if (patch.IfMissing is { } ifMissing)
        {
            PlannedDocument empty = new() { Id = patch.Id, Data = EmptyDocument() };
            return TryRun(in patch, ifMissing, in empty, action);
        }

        action.Status = PatchStatus.DocumentDoesNotExist;
        return _batch.TryAddResult(patch.Id.Span, action);
    }

    /// <summary>The document of a folded id, as the next script reads it.</summary>
    internal PlannedDocument Read(NativeSlice key)
    {
        NoteAdded();
        if (_written.Find(key.Span) is >= 0 and int known)
        {
            ref readonly DocumentOperation operation = ref _batch.Added(_written.ValueOf(known));
            return operation.Kind == DocumentOperationKind.Delete
                ? default
                : new PlannedDocument { Exists = true, Id = operation.Id, Data = operation.Document };
        }

        bool exists = View.TryFindRow(key.Span, out NativeSlice row);
        RowHeader header = exists ? RowLayout.ReadHeader(row.Span) : default;
        _read.FindOrAdd(key, out bool isNew);
        if (isNew)
        {
            Reads.Add(ReadKind.Document, key, header.Etag);
        }

        return exists
            ? new PlannedDocument
            {
                Exists = true,
                Id = RowLayout.Id(row),
                Data = RowLayout.Body(row),
                ChangeVector = RowLayout.ChangeVector(row),
                LastModifiedTicks = header.LastModifiedTicks,
                Flags = header.Flags,
            }
            : default;
    }

    /// <summary>A stored compare-exchange value.</summary>
    internal bool TryReadCompareExchange(string key, out BlittableValue value)
    {
        value = default;
        if (!TryKey(key, out _, out NativeSlice folded))
        {
            return false;
        }

        bool exists = View.TryFindCompareExchange(folded.Span, out CompareExchangeValue found);
        Reads.Add(ReadKind.CompareExchange, folded, exists ? found.Index : 0);
        return exists && found.Value.TryGet("Object"u8, out value);
    }

    /// <summary>An id and its key in the batch's memory; false if the id is not valid.</summary>
    internal bool TryKey(string id, out NativeSlice utf8, out NativeSlice key)
    {
        Span<byte> folded = stackalloc byte[DocumentId.SizeBytesMax];
        byte[] bytes = Encoding.UTF8.GetBytes(id);
        bool isId = DocumentId.TryFold(bytes, folded, out int length, out _);
        utf8 = isId ? Keep(bytes) : default;
        key = isId ? Keep(folded[..length]) : default;
        return isId;
    }

    /// <summary>The id under which a script's document will be stored.</summary>
    internal NativeSlice CompleteId(string id) => _ids.Complete(id);

    /// <summary>Adds a put of a script.</summary>
    internal bool TryPut(NativeSlice id, BlittableObject document, ExpectedVersion expected, out CommandFailure failure)
    {
        bool isAdded = _batch.TryAddPut(id.Span, document, expected);
        return EndHidden(isAdded, out failure);
    }

    /// <summary>Adds a deletion of a script.</summary>
    internal bool TryDelete(NativeSlice id, ExpectedVersion expected, out CommandFailure failure)
    {
        bool isAdded = _batch.TryAddDelete(id.Span, expected);
        return EndHidden(isAdded, out failure);
    }

    /// <summary>Adds another change of a script.</summary>
    internal void AddHidden(NativeSlice id, BatchAction action) =>
        EndHidden(_batch.TryAddAction(id.Span, action, ExpectedVersion.Any), out _);

    /// <summary>Whether an action is the last that was added.</summary>
    internal bool IsLast(BatchAction action) =>
        _batch.Count > 0 && ReferenceEquals(_batch.Added(_batch.Count - 1).Action, action);

    /// <summary>Copies bytes into the batch's memory.</summary>
    internal NativeSlice Keep(ReadOnlySpan<byte> bytes)
    {
        NativeSlice kept = Context.Arena.Allocate(Math.Max(1, bytes.Length));
        bytes.CopyTo(kept.WritableSpan);
        return kept.Slice(0, bytes.Length);
    }

    /// <summary>The document in the form of scripts.</summary>
    internal static ScriptDocument ToScript(in PlannedDocument document) => new()
    {
        Id = Encoding.UTF8.GetString(document.Id.Span),
        Data = BlittableObject.Open(document.Data),
        ChangeVector = document.ChangeVector.IsEmpty ? null : Encoding.UTF8.GetString(document.ChangeVector.Span),
        LastModified = document.LastModifiedTicks == 0
            ? null
            : new DateTimeOffset(document.LastModifiedTicks, TimeSpan.Zero),
    };

    /// <summary>A copy: the row may be freed before the answer is written.</summary>
    private PlannedDocument KeepAll(in PlannedDocument document) => document with
    {
        Id = Keep(document.Id.Span),
        Data = Keep(document.Data.Span),
        ChangeVector = Keep(document.ChangeVector.Span),
    };

    private bool TryRun(in PatchRequest patch, PatchScript script, in PlannedDocument document, PatchAction action)
    {
        action.Debug = patch.IsDebug ? new PatchDebug() : null;
        try
        {
            using ScriptRun run = _scripts.Engine.Begin(
                _scripts.LimitsOf(Tier), new PatchHost(this, action.Debug), _cancellation);
            CompiledScript compiled = _scripts.Engine.Compile(script.Text);
            if (Tier == ScriptTier.Short && _scripts.IsKnownAsLong(compiled))
            {
                return GiveUp();
            }

            run.SetArguments(script.Values.IsNull
                ? run.ToValue(BlittableValue.OpenRoot(EmptyDocument()))
                : run.ToValue(script.Values));
            var self = run.ToValue(ToScript(in document));
            run.Execute(compiled, self);
            _shortStepsLeft -= run.StepsUsed;
            if (Tier == ScriptTier.Short && _shortStepsLeft < 0)
            {
                return GiveUp();
            }

            _scripts.NoteSteps(compiled, run.StepsUsed);

            if (document.Exists && !run.IsChanged(self))
            {
                return NotModified(in document, action);
            }

            BlittableValue written = run.Write(self, BlittableMode.ToDisk, Context);
            return TryAddResult(in document, written.AsObject(), action);
        }
        catch (ScriptException exception) when (ScriptEnvironment.IsOfTier(Tier, exception.Failure))
        {
            return GiveUp();
        }
        catch (ScriptException exception)
        {
            _batch.Refuse(new CommandFailure
            {
                Kind = CommandFailureKind.ScriptFailed,
                Id = patch.Id,
                OperationIndex = _batch.Count,
                Detail = exception.Failure == ScriptFailure.Thrown || exception.Failure == ScriptFailure.Syntax
                    ? exception.Message
                    : $"The script passed a limit ({exception.Failure}): {exception.Message}",
            });
            return false;
        }
    }

    private bool GiveUp()
    {
        IsAbandoned = true;
        return false;
    }

    private bool TryAddResult(in PlannedDocument document, BlittableObject written, PatchAction action)
    {
        int before = _batch.Count;
        if (!TryAddPut(document.Id, written, action))
        {
            return false;
        }

        // The metadata that only the server writes was removed again: that may have been the only change.
        if (document.Exists && action.Modified.Span.SequenceEqual(document.Data.Span))
        {
            _batch.TruncateTo(before);
            return NotModified(in document, action);
        }

        action.Status = document.Exists ? PatchStatus.Patched : PatchStatus.Created;
        return true;
    }

    private bool TryAddPut(NativeSlice id, BlittableObject document, PatchAction action)
    {
        if (!_batch.TryAddPut(id.Span, document, ExpectedVersion.Any))
        {
            return false;
        }

        ref DocumentOperation operation = ref _batch.Added(_batch.Count - 1);
        operation.Action = action;
        action.Modified = operation.Document;
        return true;
    }

    private bool NotModified(in PlannedDocument document, PatchAction action)
    {
        action.Status = PatchStatus.NotModified;
        action.Modified = action.ReturnsDocument ? Keep(document.Data.Span) : default;
        return AddUnchanged(in document, action);
    }

    private bool AddUnchanged(in PlannedDocument document, PatchAction action)
    {
        if (!_batch.TryAddResult(document.Id.Span, action))
        {
            return false;
        }

        ref DocumentOperation operation = ref _batch.Added(_batch.Count - 1);
        operation.ChangeVector = Keep(document.ChangeVector.Span);
        operation.LastModifiedTicks = document.LastModifiedTicks;
        operation.Flags = document.Flags;
        operation.Collection = document.CollectionIn(Context.Arena);
        return true;
    }

    private static bool Meets(in PatchRequest patch, in PlannedDocument document) => patch.Check switch
    {
        VersionCheck.MustNotExist => !document.Exists,
        VersionCheck.MustEqual => document.Exists && document.ChangeVector.Span.SequenceEqual(patch.Expected.Span),
        _ => true,
    };

    private bool Mismatch(in PatchRequest patch, in PlannedDocument document, PatchAction action)
    {
        if (patch.IsSkippedOnMismatch)
        {
            action.Status = PatchStatus.Skipped;
            return document.Exists
                ? AddUnchanged(in document, action)
                : _batch.TryAddResult(patch.Id.Span, action);
        }

        _batch.Refuse(new CommandFailure
        {
            Kind = CommandFailureKind.Conflict,
            OperationIndex = _batch.Count,
            Id = patch.Id,
            ExpectedChangeVector = patch.Expected,
            ActualChangeVector = Keep(document.ChangeVector.Span),
            IsWithinBatch = document.Exists && document.ChangeVector.IsEmpty,
        });
        return false;
    }

    private bool EndHidden(bool isAdded, out CommandFailure failure)
    {
        failure = _batch.Failure;
        if (!isAdded)
        {
            _batch.Refuse(default);
            return false;
        }

        _batch.Added(_batch.Count - 1).IsHidden = true;
        return true;
    }

    /// <summary>Applies what was added to the batch to what the next script reads.</summary>
    private void NoteAdded()
    {
        for (; _noted < _batch.Count; _noted++)
        {
            ref readonly DocumentOperation operation = ref _batch.Added(_noted);
            if (operation.Kind is DocumentOperationKind.Put or DocumentOperationKind.Delete)
            {
                if (operation.Request == IdRequestKind.Exact)
                {
                    _written.ValueOf(_written.FindOrAdd(operation.Key, out _)) = _noted;
                }
            }
            else if (operation.Action is CountersAction counters && !operation.IsHidden)
            {
                Counters.Note(counters);
            }
            else if (operation.Action is TimeSeriesAction series && !operation.IsHidden)
            {
                TimeSeries.Note(series);
            }
        }
    }

    private NativeSlice EmptyDocument()
    {
        BlittableWriter writer = Context.Writer;
        writer.Begin(BlittableMode.ToDisk);
        writer.StartObject();
        writer.EndObject();
        return writer.Finish().Memory;
    }
}
