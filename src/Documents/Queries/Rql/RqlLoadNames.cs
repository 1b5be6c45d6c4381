namespace Raven.Documents.Queries.Rql;

/// <summary>
/// Names of documents that a query loads: they are there behind <c>load</c>, for <c>filter</c>, <c>select</c> and
/// <c>include</c>. An index has nothing of them, so that a condition on one would find nothing without a word.
/// </summary>
internal static class RqlLoadNames
{
    /// <summary>Refuses conditions, keys and facets of what is loaded.</summary>
    internal static void Check(RqlQuery query, RqlReader reader)
    {
        HashSet<string> names = new(StringComparer.Ordinal);
        foreach (RqlNamed load in query.Load)
        {
            Refuse(Fields(load.Expression), "what 'load' itself loads", "load(...) in a script loads more");
            names.Add(load.Alias!.Replace("[]", "", StringComparison.Ordinal));
            names.Remove(query.Alias ?? "");
        }

        if (names.Count == 0)
        {
            return;
        }

        Refuse(
            query.Where is { } where ? Fields(where) : [], "'where'",
            "'filter' sees it, or an index whose map loads the document");
        Refuse(
            query.GroupBy.SelectMany(Fields), "'group by'", "an index whose map loads the document groups by it");
        Refuse(
            query.OrderBy.SelectMany(order => Fields(order.Expression)), "'order by'",
            "an index whose map loads the document orders by it");
        Refuse(
            query.Select.Select(item => item.Expression).Where(IsOfIndex).SelectMany(Fields), "what is counted",
            "an index whose map loads the document counts it");

        void Refuse(IEnumerable<RqlField> fields, string clause, string instead)
        {
            foreach (RqlField field in fields)
            {
                int dot = field.Path.IndexOf('.', StringComparison.Ordinal);
                string first = dot < 0 ? "" : field.Path[..dot].Replace("[]", "", StringComparison.Ordinal);
                if (names.Contains(first))
                {
                    reader.FailAt(
                        field.Position,
                        $"'{field.Path}' is of a document that is loaded for each result, and {clause} comes before: "
                            + $"{instead}. A field '{first}' of the document itself is written behind its alias: "
                            + $"from {query.Source} as {query.Alias ?? "d"} ... {query.Alias ?? "d"}.{field.Path}");
                }
            }
        }
    }

    private static bool IsOfIndex(RqlExpression expression) => expression is RqlCall call
        && call.Name.ToLowerInvariant() is "facet" or "suggest" or "sum";

    private static IEnumerable<RqlField> Fields(RqlExpression expression) => expression switch
    {
        RqlField field => [field],
        RqlLogical logical => Fields(logical.Left).Concat(Fields(logical.Right)),
        RqlNot not => Fields(not.Inner),
        RqlAliased aliased => Fields(aliased.Inner),
        RqlComparison comparison => Fields(comparison.Left).Concat(Fields(comparison.Right)),
        RqlBetween between => Fields(between.Field),
        RqlIn list => Fields(list.Field),
        RqlCall call => call.Arguments.SelectMany(Fields),
        _ => [],
    };
}
