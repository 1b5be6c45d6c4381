namespace Raven.Documents.Queries.Series;

/// <summary>An entry of a time series while a query looks at it.</summary>
internal readonly ref struct SeriesPoint
{
    /// <summary>Its time, in ms since 0001-01-01.</summary>
    internal required long Time { get; init; }

    /// <summary>Its values.</summary>
    internal required ReadOnlySpan<double> Values { get; init; }

    /// <summary>Its tag; null without one.</summary>
    internal required string? Tag { get; init; }
}
