using Raven.Documents.Queries.Rql;

namespace Raven.Documents.Queries;

/// <summary>Whether a query needs scores: if it searches words, or weighs conditions.</summary>
internal static class QueryScores
{
    private static readonly string[] Scoring =
        ["search", "lucene", "boost", "fuzzy", "proximity", "morelikethis", "fuse", RqlVectors.Function];

    /// <summary>Whether scores are computed. Without another order, results are ordered by them.</summary>
    internal static bool AreWanted(RqlQuery rql) => rql.Where is { } where && Contains(where);

    private static bool Contains(RqlExpression expression) => expression switch
    {
        RqlLogical logical => Contains(logical.Left) || Contains(logical.Right),
        RqlNot not => Contains(not.Inner),
        RqlCall call => Scoring.Contains(call.Name.ToLowerInvariant()) || call.Arguments.Any(Contains),
        _ => false,
    };
}
