using Raven.Blittable.Contexts;
using Raven.Blittable.Reading;

namespace Raven.Documents.Indexing.Reduce;

/// <summary>Takes the results of groups.</summary>
internal abstract class ReduceOutput
{
    /// <summary>Memory for results: <see cref="Put"/> frees it after it has taken the result.</summary>
    internal abstract OperationContext Context { get; }

    /// <summary>Takes the result of a group, in place of the one that it had.</summary>
    /// <param name="groupKey">The bytes that identify the group, up to 500.</param>
    /// <param name="result">The result; its properties become fields of the index.</param>
    internal abstract void Put(ReadOnlySpan<byte> groupKey, BlittableObject result);

    /// <summary>Called when the group has no result any more.</summary>
    internal abstract void Delete(ReadOnlySpan<byte> groupKey);

    /// <summary>
    /// Called when the reduce has thrown: the group has no result until one of its documents changes.
    /// </summary>
    /// <param name="groupKey">The group.</param>
    /// <param name="failure">What it threw.</param>
    internal virtual void Fail(ReadOnlySpan<byte> groupKey, Exception failure)
    {
    }
}
