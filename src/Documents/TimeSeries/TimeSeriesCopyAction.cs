using Raven.Blittable.Memory;
using Raven.Documents.Commands;
using Raven.Documents.Rows.Series;

namespace Raven.Documents.TimeSeries;

/// <summary>Copies the points of a range of time from one series to another, perhaps of another document.</summary>
public sealed class TimeSeriesCopyAction : TimeSeriesAction
{
    private DocumentOperation _target;

    /// <summary>A copy; the series that takes the points is set by <see cref="TimeSeriesAction.TrySetName"/>.</summary>
    /// <param name="arena">The memory of the batch.</param>
    public TimeSeriesCopyAction(Arena arena)
        : base(arena)
    {
    }

    /// <summary>The key of the series that is copied.</summary>
    public required NativeSlice SourceKey { get; init; }

    /// <summary>The document that takes the points, UTF-8.</summary>
    public required NativeSlice TargetId { get; init; }

    /// <summary>The folded id of that document.</summary>
    public required NativeSlice TargetDocumentKey { get; init; }

    /// <summary>The first time, in ms since 0001-01-01.</summary>
    public required long From { get; init; }

    /// <summary>The last time, which belongs to the range.</summary>
    public required long To { get; init; }

    internal override void Execute(DocumentWriter writer, ref DocumentOperation operation)
    {
        Appends.Clear();
        writer.Series.Read(SourceKey.Span, new DeletedRange(From, To), Appends);
        _target = operation;
        _target.Id = TargetId;
        _target.Key = TargetDocumentKey;
        _target.ChangeVectorBuffer = Arena.Allocate(Rows.ChangeVector.LocalSizeBytesMax);
        Apply(writer, ref _target);
        operation.IsChanged = _target.IsChanged;
        operation.Etag = _target.Etag;
        operation.ChangeVector = _target.ChangeVector;
        operation.DeferredVersion = 0;
    }

    internal override void Complete(DocumentWriter writer, ref DocumentOperation operation)
    {
        writer.Versions.Complete(ref _target);
        operation.Etag = _target.Etag;

        // What is answered is the version of the document that got the entries.
        operation.ChangeVector = _target.ChangeVector;
    }

    internal override void Notify(DocumentWriter writer, in DocumentOperation operation) =>
        base.Notify(writer, in _target);
}
