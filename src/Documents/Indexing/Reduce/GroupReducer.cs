using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// The reduce of an index: finds the group that a result belongs to, and makes one or a few results of several. It
/// runs over results of maps and over its own results, so that a group can be a tree of partial results. One thread
/// at a time.
/// </summary>
internal abstract class GroupReducer : IDisposable
{
    /// <summary>The fields of its results, if all have the same; empty if that is not known.</summary>
    internal virtual IReadOnlyList<string> Fields => [];

    /// <summary>Whether a text of its results may be a duration, which JSON does not have.</summary>
    internal virtual bool HasDurations => false;

    /// <summary>The key of the group that a result belongs to.</summary>
    /// <param name="item">The result.</param>
    /// <param name="context">Memory for the key.</param>
    internal abstract DynamicValue KeyOf(BlittableObject item, OperationContext context);

    /// <summary>Reduces results of one group.</summary>
    /// <param name="items">At least one.</param>
    /// <param name="results">Takes the results.</param>
    internal abstract void Reduce(IReadOnlyList<BlittableObject> items, ReduceSink results);

    /// <inheritdoc/>
    public void Dispose()
    {
        Dispose(isDisposing: true);
        GC.SuppressFinalize(this);
    }

    /// <summary>Disposes what the reducer has.</summary>
    protected virtual void Dispose(bool isDisposing)
    {
    }
}
