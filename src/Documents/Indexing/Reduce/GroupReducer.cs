using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;
using Raven.Documents.Indexing.Static.Values;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>
/// Says to which group a result belongs, and makes one or a few results of several. It runs over what maps emitted and
/// over what it gave itself, so that the results of a group can be kept as a tree. One thread at a time.
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

    /// <summary>Disposes what it holds.</summary>
    protected virtual void Dispose(bool isDisposing)
    {
    }
}
