namespace Raven.Documents.Rows.Series;

/// <summary>Which series is changed, and by whom: what its rows need. Its memory is outside of storage.</summary>
internal ref struct SeriesTarget
{
    /// <summary>The key of the series.</summary>
    internal required ReadOnlySpan<byte> Key;

    /// <summary>Its name: as it is stored, or as the change spells it.</summary>
    internal required ReadOnlySpan<byte> Name;

    /// <summary>The id of its document.</summary>
    internal required ReadOnlySpan<byte> DocumentId;

    /// <summary>The number of the document's collection.</summary>
    internal required int CollectionId;

    /// <summary>The time of the change, UTC ticks.</summary>
    internal required long NowTicks;
}
