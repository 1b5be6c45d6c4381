namespace Raven.Documents.Sweeps;

/// <summary>What is done to documents that are due.</summary>
public enum SweepKind
{
    /// <summary>Documents that are due are deleted: <c>@expires</c>.</summary>
    Expiration,

    /// <summary>They get a new version without the property: <c>@refresh</c>.</summary>
    Refresh,

    /// <summary>They are archived: <c>@archive-at</c>.</summary>
    Archival,

    /// <summary>Compare-exchange values are removed: <c>@expires</c> in their metadata.</summary>
    CompareExchange,
}
