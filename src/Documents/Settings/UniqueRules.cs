namespace Raven.Documents.Settings;

/// <summary>The unique constraints of a database, by collection. Immutable.</summary>
internal sealed class UniqueRules
{
    private readonly (byte[] Key, UniqueConstraint[] Constraints)[] _collections;

    internal UniqueRules(List<UniqueConstraint> constraints)
    {
        All = [.. constraints];
        _collections = [.. constraints.GroupBy(one => Convert.ToHexString(one.CollectionKey))
            .Select(group => (group.First().CollectionKey, group.ToArray()))];
        Array.Sort(_collections, (one, other) => one.Key.AsSpan().SequenceCompareTo(other.Key));
        HasUnsettled = constraints.Exists(one => !one.IsSettled);
    }

    /// <summary>All of them.</summary>
    internal UniqueConstraint[] All { get; }

    /// <summary>True if it is not known of each that it holds.</summary>
    internal bool HasUnsettled { get; }

    /// <summary>Those of a collection.</summary>
    /// <param name="collectionKey">Its folded name.</param>
    internal ReadOnlySpan<UniqueConstraint> Of(ReadOnlySpan<byte> collectionKey)
    {
        int low = 0;
        int high = _collections.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            int order = _collections[middle].Key.AsSpan().SequenceCompareTo(collectionKey);
            if (order == 0)
            {
                return _collections[middle].Constraints;
            }

            (low, high) = order < 0 ? (middle + 1, high) : (low, middle - 1);
        }

        return default;
    }
}
