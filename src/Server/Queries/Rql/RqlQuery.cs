namespace Raven.Server.Queries.Rql;

/// <summary>A query as it was written.</summary>
internal sealed class RqlQuery
{
    /// <summary>Only how it would be answered is asked for.</summary>
    internal bool IsExplain { get; set; }

    /// <summary>Where a time series is asked for, in characters from 0; null where none is.</summary>
    internal int? TimeSeriesAt { get; set; }

    internal List<RqlDeclaration> Declarations { get; } = [];

    /// <summary>The index or the collection that is read.</summary>
    internal string Source { get; set; } = "";

    /// <summary>Whether <see cref="Source"/> is an index.</summary>
    internal bool IsIndex { get; set; }

    internal string? Alias { get; set; }

    internal List<RqlExpression> GroupBy { get; } = [];

    internal RqlExpression? Where { get; set; }

    internal List<RqlOrder> OrderBy { get; } = [];

    internal List<RqlNamed> Load { get; } = [];

    internal RqlExpression? Filter { get; set; }

    internal RqlExpression? FilterLimit { get; set; }

    internal bool IsDistinct { get; set; }

    internal List<RqlNamed> Select { get; } = [];

    /// <summary>The object that is projected, as a script.</summary>
    internal RqlScript? SelectScript { get; set; }

    internal RqlScript? Update { get; set; }

    internal List<RqlExpression> Include { get; } = [];

    internal RqlExpression? Skip { get; set; }

    internal RqlExpression? Take { get; set; }

    /// <summary>The parameters behind a query that a person wrote, between braces, as JSON.</summary>
    internal RqlScript? Parameters { get; set; }
}
