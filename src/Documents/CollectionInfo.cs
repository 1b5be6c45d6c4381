using Raven.Blittable.Memory;

namespace Raven.Documents;

/// <summary>A collection in a snapshot.</summary>
public readonly struct CollectionInfo
{
    /// <summary>The number of the collection in this database.</summary>
    public required int Id { get; init; }

    /// <summary>Its name, UTF-8, as it was first written; valid as long as the snapshot.</summary>
    public required NativeSlice Name { get; init; }

    /// <summary>How many documents it has.</summary>
    public required long DocumentCount { get; init; }

    /// <summary>How many deletions it remembers.</summary>
    public required long TombstoneCount { get; init; }
}
