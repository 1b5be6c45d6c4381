namespace Raven.Documents.Schemas;

/// <summary>The schemas of a database, by collection. Immutable.</summary>
internal sealed class SchemaRules
{
    private readonly CollectionSchema[] _collections;

    internal SchemaRules(IEnumerable<CollectionSchema> collections)
    {
        _collections = [.. collections];
        Array.Sort(_collections, (one, other) => one.Key.AsSpan().SequenceCompareTo(other.Key));
    }

    /// <summary>All of them.</summary>
    internal IReadOnlyList<CollectionSchema> All => _collections;

    /// <summary>That of a collection; null if there is none.</summary>
    /// <param name="collectionKey">Its folded name.</param>
    internal CollectionSchema? Of(ReadOnlySpan<byte> collectionKey)
    {
        int low = 0;
        int high = _collections.Length - 1;
        while (low <= high)
        {
            int middle = (low + high) >>> 1;
            int order = _collections[middle].Key.AsSpan().SequenceCompareTo(collectionKey);
            if (order == 0)
            {
                return _collections[middle];
            }

            (low, high) = order < 0 ? (middle + 1, high) : (low, middle - 1);
        }

        return null;
    }
}

/// <summary>The schema of a collection.</summary>
/// <param name="Name">The collection, as the configuration spells it.</param>
/// <param name="Key">Its folded name, UTF-8.</param>
/// <param name="Schema">The schema.</param>
internal sealed record CollectionSchema(string Name, byte[] Key, SchemaNode Schema);
