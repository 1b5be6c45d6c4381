using Raven.Documents.Settings;

namespace Raven.Documents.Queries.Rql;

/// <summary>A query of a time series: between the parentheses of <c>timeseries()</c>, or in a declaration.</summary>
/// <param name="Position">The index of its first character.</param>
/// <param name="Series">The name: a field, a text or a parameter.</param>
internal sealed record RqlTimeSeries(int Position, RqlExpression Series) : RqlExpression(Position)
{
    /// <summary>The first time; null if the range is open there.</summary>
    internal RqlExpression? From { get; init; }

    /// <summary>The last time.</summary>
    internal RqlExpression? To { get; init; }

    /// <summary>How much of the beginning or the end of the series is read; null for the range.</summary>
    internal RqlSeriesSpan? Edge { get; init; }

    /// <summary>Whether it is the end.</summary>
    internal bool IsLast { get; init; }

    /// <summary>The name of the documents that the tags name; null if they are not loaded.</summary>
    internal string? TagAlias { get; init; }

    /// <summary>Which entries are taken; null for all.</summary>
    internal RqlExpression? Where { get; init; }

    /// <summary>How long the frames are; null without groups.</summary>
    internal RqlSeriesSpan? Group { get; init; }

    /// <summary>What entries of a frame have in common besides: Tag, or a field of what it names.</summary>
    internal RqlField? GroupKey { get; init; }

    /// <summary>What stands in frames without entries.</summary>
    internal RqlSeriesFill Fill { get; init; }

    /// <summary>What is worked out; empty for all that needs no argument, or for the entries themselves.</summary>
    internal IReadOnlyList<RqlSeriesAggregate> Select { get; init; } = [];

    /// <summary>What all values are multiplied by.</summary>
    internal RqlExpression? Scale { get; init; }

    /// <summary>What is added to all times.</summary>
    internal RqlExpression? Offset { get; init; }

    /// <summary>Whether the result has groups, and not entries.</summary>
    internal bool IsAggregated => Group is not null || Select.Count != 0;
}

/// <summary>A length of time in a query of a time series.</summary>
/// <param name="Position">Its place.</param>
/// <param name="Period">The length, if it is written out.</param>
/// <param name="Parameter">The parameter that has it otherwise.</param>
internal sealed record RqlSeriesSpan(int Position, SeriesPeriod Period, RqlParameter? Parameter);

/// <summary>Something that is worked out of the values of entries.</summary>
/// <param name="Position">Its place.</param>
/// <param name="Kind">What it is.</param>
/// <param name="Percent">For a percentile, which.</param>
internal sealed record RqlSeriesAggregate(int Position, RqlSeriesAggregateKind Kind, RqlExpression? Percent);

/// <summary>A time series that a query declares as a function.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Parameters">The names of its parameters.</param>
/// <param name="Query">The query.</param>
internal sealed record RqlSeriesDeclaration(string Name, IReadOnlyList<string> Parameters, RqlTimeSeries Query);

/// <summary>What is worked out of the values of entries.</summary>
internal enum RqlSeriesAggregateKind
{
    Count,
    First,
    Last,
    Min,
    Max,
    Sum,
    Average,
    Percentile,
    Slope,
    StandardDeviation,
}

/// <summary>What stands in frames without entries.</summary>
internal enum RqlSeriesFill
{
    None,
    Linear,
    Nearest,
    Last,
    Next,
}
