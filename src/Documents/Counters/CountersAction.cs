using System.Runtime.InteropServices;
using Raven.Blittable.Memory;
using Raven.Documents.Changes;
using Raven.Documents.Commands;
using Raven.Documents.Ids;
using Raven.Documents.Rows;

namespace Raven.Documents.Counters;

/// <summary>
/// Changes of the counters of one document. Increments are merged: writers of one counter never conflict. The document
/// gets a new version only if a counter is added or removed.
/// </summary>
public sealed class CountersAction : BatchAction
{
    private readonly List<CounterOperation> _operations = [];
    private readonly Arena _arena;
    private bool _isTouched;

    /// <summary>A part that changes nothing yet.</summary>
    /// <param name="arena">The memory of the batch.</param>
    public CountersAction(Arena arena) => _arena = arena;

    /// <summary>The changes, with their results after the commit.</summary>
    public ReadOnlySpan<CounterOperation> Operations => CollectionsMarshal.AsSpan(_operations);

    /// <summary>True if the document must be there: a change does more than to delete and to read.</summary>
    internal bool NeedsDocument { get; private set; }

    /// <summary>Adds a change.</summary>
    /// <param name="documentKey">The folded id of the document.</param>
    /// <param name="operation">The change.</param>
    /// <param name="error">What is wrong with the name.</param>
    public bool TryAdd(ReadOnlySpan<byte> documentKey, CounterOperation operation, out DocumentIdError error)
    {
        if (!CounterKey.TryCreate(_arena, documentKey, operation.Name.Span, out operation.Key, out error))
        {
            return false;
        }

        NeedsDocument |= operation.Kind is CounterOperationKind.Increment or CounterOperationKind.Put;
        _operations.Add(operation);
        return true;
    }

    /// <summary>Adds a result of null, for a read of a counter that cannot exist.</summary>
    public void AddMissing() => _operations.Add(
        new CounterOperation { Kind = CounterOperationKind.Get, Name = default });

    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        failure = default;
        bool exists = trace == OperationTrace.Written
            || (trace == OperationTrace.None && writer.Tables.Exists(operation.Key.Span));
        if (NeedsDocument && !exists)
        {
            failure = new CommandFailure { Kind = CommandFailureKind.DocumentMissing, Id = operation.Id };
            return false;
        }

        return true;
    }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        bool isCreated = false;
        bool isDeleted = false;
        bool isChanged = false;
        foreach (ref CounterOperation change in CollectionsMarshal.AsSpan(_operations))
        {
            StoredCounter found = default;
            change.Exists = !change.Key.IsEmpty && writer.Counters.TryFind(change.Key.Span, out found);
            long before = change.Exists ? found.Value : 0;
            change.Value = before;
            change.ChangeVector = change.Exists ? Copy(found.ChangeVector) : default;
            change.IsNew = false;
            change.WasDeleted = false;
            switch (change.Kind)
            {
                case CounterOperationKind.Increment or CounterOperationKind.Put:
                    change.Value = ValueAfter(in change, before);
                    change.IsNew = writer.WriteCounter(ref operation, in change);
                    isCreated |= change.IsNew;
                    change.ChangeVector = Copy(operation.ChangeVector);
                    change.Exists = true;
                    isChanged = true;
                    break;
                case CounterOperationKind.Delete:
                    isDeleted |= writer.Counters.Remove(change.Key.Span);
                    change.WasDeleted = change.Exists;
                    change.Exists = false;
                    break;
            }
        }

        long etag = operation.Etag;
        _isTouched = isCreated || isDeleted;
        if (_isTouched)
        {
            bool any = writer.Counters.Any(operation.Key.Span);
            writer.Versions.Touch(
                ref operation, _arena, any ? DocumentFlags.HasCounters : 0, any ? 0 : DocumentFlags.HasCounters);
        }
        else
        {
            writer.ReadVersion(ref operation);
            operation.IsChanged = isChanged;
            operation.Etag = isChanged ? etag : operation.Etag;
        }
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
        ReadOnlySpan<byte> collection = writer.CollectionNameOf(operation.CollectionId);
        foreach (ref readonly CounterOperation change in Operations)
        {
            bool isWritten = change.Kind is CounterOperationKind.Increment or CounterOperationKind.Put;
            if (!isWritten && !change.WasDeleted)
            {
                continue;
            }

            writer.Changes.Notify(new CounterChange
            {
                Type = change.Kind switch
                {
                    CounterOperationKind.Delete => "Delete"u8,
                    CounterOperationKind.Increment when !change.IsNew => "Increment"u8,
                    _ => "Put"u8,
                },
                Name = change.Name.Span,
                Value = change.Value,
                DocumentId = operation.Id.Span,
                Collection = collection,
                ChangeVector = operation.ChangeVector.Span,
            });
        }

        if (_isTouched)
        {
            writer.NotifyPut(in operation);
        }
    }

    /// <summary>Copies a text that the transaction, or the next change, would free.</summary>
    private NativeSlice Copy(NativeSlice text)
    {
        NativeSlice copy = _arena.Allocate(text.Length);
        text.Span.CopyTo(copy.WritableSpan);
        return copy;
    }

    private static long ValueAfter(in CounterOperation change, long before)
    {
        if (change.Kind == CounterOperationKind.Put)
        {
            return change.Delta;
        }

        long after = unchecked(before + change.Delta);
        if (((before ^ after) & (change.Delta ^ after)) >= 0)
        {
            return after;
        }

        string name = System.Text.Encoding.UTF8.GetString(change.Name.Span);
        throw new CommandRefusedException(new CommandFailure
        {
            Kind = CommandFailureKind.OutOfRange,
            Detail = $"Counter '{name}' is {before} and cannot grow by {change.Delta}: it holds 64 bits.",
        });
    }
}
