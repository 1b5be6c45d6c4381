using System.Text;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Rql;
using Raven.Documents.Queries.Series;

namespace Raven.Documents.Subscriptions;

/// <summary>
/// The query of a subscription, parsed: a collection, its documents or revisions, a condition and a projection in
/// JavaScript, and what is sent along. Immutable.
/// </summary>
internal sealed class SubscriptionQuery
{
    private const string AllDocuments = "@all_docs";

    private SubscriptionQuery(string text, RqlQuery rql)
    {
        Text = text;
        Alias = rql.Alias ?? "doc";
        IsOfRevisions = rql.IsOfRevisions;
        Collection = rql.Source.Equals(AllDocuments, StringComparison.OrdinalIgnoreCase)
            ? null
            : Encoding.UTF8.GetBytes(rql.Source);
        IsProjected = rql.SelectScript is not null || rql.Select.Count > 0;
        Script = rql.Where is null && !IsProjected ? null : new SubscriptionScriptText(text, rql, Alias).Write();
        foreach (RqlExpression include in rql.Include)
        {
            AddInclude(text, rql, include);
        }
    }

    /// <summary>The query as it was written.</summary>
    internal string Text { get; }

    /// <summary>The collection, UTF-8; null for all documents.</summary>
    internal byte[]? Collection { get; }

    /// <summary>Whether each revision is sent, with the one before.</summary>
    internal bool IsOfRevisions { get; }

    /// <summary>The name of the document in scripts.</summary>
    internal string Alias { get; }

    /// <summary>The body of the function that decides of a document; null if all are sent as they are. It returns
    /// undefined or null for one that is not sent, true for one that is sent as it is, else what is sent.</summary>
    internal string? Script { get; }

    /// <summary>Whether the script makes what is sent.</summary>
    internal bool IsProjected { get; }

    /// <summary>The paths of ids of documents that are sent along, UTF-8.</summary>
    internal List<byte[]> Paths { get; } = [];

    /// <summary>Whether counters of the documents are sent along.</summary>
    internal bool HasCounters { get; private set; }

    /// <summary>The names of these counters, UTF-8; none for all.</summary>
    internal List<byte[]> CounterNames { get; } = [];

    /// <summary>The time series of the documents that are sent along.</summary>
    internal List<SeriesInclude> Series { get; } = [];

    /// <summary>Whether anything is sent along.</summary>
    internal bool HasIncludes => Paths.Count > 0 || HasCounters || Series.Count > 0;

    private bool IsAllCounters { get; set; }

    /// <summary>Parses a query.</summary>
    /// <exception cref="RqlException">It is not valid.</exception>
    internal static SubscriptionQuery Parse(string text)
    {
        RqlQuery rql = RqlParser.Parse(text, allowsRevisions: true);
        Refuse(text, rql.IsExplain, 0, "explain");
        Refuse(text, rql.IsIndex, 0, "an index");
        Refuse(text, rql.GroupBy.Count > 0, PositionOf(rql.GroupBy), "group by");
        Refuse(text, rql.OrderBy.Count > 0, rql.OrderBy.Count > 0 ? rql.OrderBy[0].Expression.Position : 0, "order by");
        Refuse(text, rql.Filter is not null, rql.Filter?.Position ?? 0, "filter");
        Refuse(text, rql.IsDistinct, 0, "distinct");
        Refuse(text, rql.Update is not null, rql.Update?.Position ?? 0, "update");
        Refuse(text, rql.Take is not null, rql.Take?.Position ?? 0, "limit");
        Refuse(text, rql.Skip is not null, rql.Skip?.Position ?? 0, "offset");
        Refuse(text, rql.Parameters is not null, rql.Parameters?.Position ?? 0, "parameters");
        return rql.TimeSeriesAt is { } at
            ? throw new RqlException(text, at, "time series are not served by this server")
            : new SubscriptionQuery(text, rql);
    }

    private static int PositionOf(List<RqlExpression> list) => list.Count > 0 ? list[0].Position : 0;

    private static void Refuse(string text, bool isThere, int position, string what)
    {
        if (isThere)
        {
            throw new RqlException(
                text, position,
                $"{what} has no meaning in a subscription: it has a collection, where, load, select and include");
        }
    }

    private void AddInclude(string text, RqlQuery rql, RqlExpression include)
    {
        switch (include)
        {
            case RqlField field:
                Paths.Add(Encoding.UTF8.GetBytes(IndexFieldNames.WithoutAlias(field.Path, rql.Alias)));
                break;
            case RqlLiteral { Value: string path }:
                Paths.Add(Encoding.UTF8.GetBytes(IndexFieldNames.WithoutAlias(path, rql.Alias)));
                break;
            case RqlCall call when call.Name.Equals("counters", StringComparison.OrdinalIgnoreCase):
                AddCounters(text, rql, call);
                break;
            case RqlCall call when SeriesInclude.IsOne(call):
                AddSeries(text, rql, call);
                break;
            default:
                throw new RqlException(
                    text, include.Position,
                    "expected a path, counters() or timeseries(): nothing else is sent along with the documents of a "
                    + "subscription");
        }
    }

    private void AddSeries(string text, RqlQuery rql, RqlCall call)
    {
        SeriesInclude include = SeriesInclude.Parse(text, call, rql.Alias, argument => argument is RqlLiteral literal
            ? literal.Value
            : throw new RqlException(text, argument.Position, "expected a text or a number"));
        if (include.Path is not null)
        {
            throw new RqlException(
                text, call.Position, $"expected time series of '{Alias}' itself, the document that is sent");
        }

        Series.Add(include);
    }

    private void AddCounters(string text, RqlQuery rql, RqlCall call)
    {
        HasCounters = true;
        int before = CounterNames.Count;
        foreach (RqlExpression argument in call.Arguments)
        {
            if (argument is RqlLiteral { Value: string name })
            {
                CounterNames.Add(Encoding.UTF8.GetBytes(name));
            }
            else if (argument is not RqlField { Path: var path } || path != rql.Alias)
            {
                throw new RqlException(text, argument.Position, "expected the name of a counter, a text");
            }
        }

        IsAllCounters |= CounterNames.Count == before;
        if (IsAllCounters)
        {
            CounterNames.Clear();
        }
    }
}
