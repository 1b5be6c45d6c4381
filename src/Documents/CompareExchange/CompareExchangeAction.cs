using Raven.Blittable.Memory;
using Raven.Blittable.Reading;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Documents.Sweeps;

namespace Raven.Documents.CompareExchange;

/// <summary>
/// Writes or removes a compare-exchange value, if the index that it names is the stored one: 0 stands for "no value".
/// As a command of a batch a wrong index fails the batch; on its own it is an answer.
/// </summary>
public sealed class CompareExchangeAction : BatchAction
{
    private readonly bool _isLenient;
    private readonly NativeSlice _value;
    private readonly Arena _arena;
    private readonly long _expiresTicks;

    /// <summary>A change of one value; its key is the id of its operation.</summary>
    /// <param name="isPut">True for a put, false for a removal.</param>
    /// <param name="expected">The index that must be there; null if that does not matter.</param>
    /// <param name="value">A put: the bytes of the stored object.</param>
    /// <param name="isLenient">True if a wrong index is no failure of the batch.</param>
    /// <param name="arena">The memory of the batch.</param>
    public CompareExchangeAction(bool isPut, long? expected, NativeSlice value, bool isLenient, Arena arena)
    {
        _arena = arena;
        IsPut = isPut;
        Expected = expected;
        _value = value;
        _isLenient = isLenient;
        if (isPut && BlittableObject.Open(value).TryGet(StoredMetadata.PropertyName, out BlittableValue metadata))
        {
            _ = DueTimes.TryRead(metadata.AsObject(), SweepKind.CompareExchange, out _expiresTicks);
        }
    }

    /// <summary>True for a put, false for a removal.</summary>
    public bool IsPut { get; }

    /// <summary>The index that must be there; null if that does not matter.</summary>
    internal long? Expected { get; }

    /// <summary>Whether it was done.</summary>
    public bool IsDone { get; private set; }

    /// <summary>The index of the stored value after it, or of the removal.</summary>
    public long Index { get; private set; }

    /// <summary>The value after it, or the one that was removed, in the memory of the batch; empty if there is none.
    /// </summary>
    public NativeSlice Current { get; private set; }

    internal override bool MakesDue => _expiresTicks != 0;

    internal override OperationTrace TraceAfter(OperationTrace before) => before;

    internal override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        failure = default;
        if (_isLenient || Meets(writer, operation.Key.Span, out long actual))
        {
            return true;
        }

        failure = Conflict(in operation, actual);
        return false;
    }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        operation.IsChanged = false;
        ReadOnlySpan<byte> key = operation.Key.Span;

        // What was checked may have been changed by an earlier command of the same batch.
        IsDone = Meets(writer, key, out long actual);
        if (!IsDone && !_isLenient)
        {
            throw new CommandRefusedException(Conflict(in operation, actual));
        }

        if (!IsDone || !IsPut)
        {
            KeepCurrent(writer, key);
        }

        if (!IsDone)
        {
            return;
        }

        if (IsPut)
        {
            Index = writer.Tables.NextEtag();
            Current = _value;
            writer.CompareExchange.Put(key, operation.Id.Span, Index, _value.Span);
            if (MakesDue)
            {
                DueTimes.Add(writer.Tables.Transaction, SweepKind.CompareExchange, _expiresTicks, key);
            }
        }
        else
        {
            Index = writer.CompareExchange.Remove(key, writer.Tables);
        }
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation)
    {
    }

    private void KeepCurrent(DocumentWriter writer, ReadOnlySpan<byte> key)
    {
        Index = 0;
        Current = default;
        if (writer.CompareExchange.TryFind(key, out CompareExchangeValue stored))
        {
            Index = stored.Index;
            NativeSlice kept = _arena.Allocate(stored.Memory.Length);
            stored.Memory.Span.CopyTo(kept.WritableSpan);
            Current = kept;
        }
    }

    private bool Meets(DocumentWriter writer, ReadOnlySpan<byte> key, out long actual)
    {
        actual = writer.CompareExchange.TryFind(key, out CompareExchangeValue stored) ? stored.Index : 0;
        return Expected is null || Expected == actual;
    }

    private CommandFailure Conflict(in DocumentOperation operation, long actual)
    {
        string key = System.Text.Encoding.UTF8.GetString(operation.Id.Span);
        return new CommandFailure
        {
            Kind = CommandFailureKind.Conflict,
            Id = operation.Id,
            Detail = $"The compare-exchange value '{key}' is expected to have index {Expected}, but has {actual}.",
        };
    }
}
