namespace Raven.Documents.Queries.Rql;

/// <summary>A parsed query, clause by clause.</summary>
internal sealed class RqlQuery
{
    /// <summary>Whether the query asks only how it would be answered.</summary>
    internal bool IsExplain { get; set; }

    /// <summary>The place of a query for a time series, in characters from 0; null if there is none.</summary>
    internal int? TimeSeriesAt { get; set; }

    internal List<RqlDeclaration> Declarations { get; } = [];

    /// <summary>The time series that are declared as functions.</summary>
    internal List<RqlSeriesDeclaration> Series { get; } = [];

    /// <summary>The index or the collection that is read.</summary>
    internal string Source { get; set; } = "";

    /// <summary>Whether <see cref="Source"/> is an index.</summary>
    internal bool IsIndex { get; set; }

    /// <summary>Whether the revisions of the collection are read, not its documents: subscriptions only.</summary>
    internal bool IsOfRevisions { get; set; }

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

    /// <summary>The parameters that were written after the query, between braces, as JSON.</summary>
    internal RqlScript? Parameters { get; set; }
}
