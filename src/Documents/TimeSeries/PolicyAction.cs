using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.TimeSeries;

/// <summary>Does with one time series what the policies of its collection say when it is executed.</summary>
/// <param name="arena">The memory of the batch.</param>
/// <param name="source">The key of the series.</param>
internal abstract class PolicyAction(Arena arena, NativeSlice source) : TimeSeriesAction(arena)
{
    /// <summary>The key of the series.</summary>
    private protected ReadOnlySpan<byte> Source => source.Span;

    internal sealed override bool TryCheck(
        DocumentWriter writer, in DocumentOperation operation, OperationTrace trace, Arena arena,
        out CommandFailure failure)
    {
        failure = default;
        return true;
    }

    internal sealed override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        Forget();
        SeriesRollups rollups = writer.Series.Rollups;
        operation.IsChanged = false;
        operation.Etag = 0;
        if (!writer.Tables.TryFind(operation.Key.Span, out _, out NativeSlice row))
        {
            rollups.Remove(Source);
            return;
        }

        NativeSlice id = RowLayout.Id(row);
        operation.Id = Arena.Allocate(id.Length);
        id.Span.CopyTo(operation.Id.WritableSpan);
        RollupState state = rollups.StateOf(Source);
        Execute(
            writer, ref operation, rollups.RuleOf(RowLayout.ReadHeader(row.Span).CollectionId, Source), ref state);
    }

    /// <summary>Does it to a series whose document is there.</summary>
    /// <param name="writer">The write transaction.</param>
    /// <param name="operation">The operation of the batch.</param>
    /// <param name="rule">What is to be done; null for nothing.</param>
    /// <param name="state">How far it has come, as it is stored.</param>
    private protected abstract void Execute(
        DocumentWriter writer, ref DocumentOperation operation, RollupRule? rule, ref RollupState state);
}
