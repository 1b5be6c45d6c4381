using System.Text.Json;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Queries;
using Raven.Documents.Queries.Results;
using Raven.Documents.Queries.Rql;

namespace Raven.Server.Http.Queries;

/// <summary>
/// How a query is answered: by which index, why not by another, and, if that index exists, what it reads and how long
/// that takes. No index is made for it.
/// </summary>
internal sealed class ExplainAnswer(RequestContext request, QueryInput input)
{
    private readonly RqlQuery _rql = input.Rql;
    private readonly TimeProvider _clock = request.Server.Time;

    /// <summary>Writes the explanation.</summary>
    internal async ValueTask WriteAsync()
    {
        long began = _clock.GetTimestamp();
        DatabaseIndexes indexes = request.Database.Indexes;
        string? collection = QueryPlan.CollectionOf(_rql);
        QueryPlan? direct = QueryPlan.TryDirect(input);
        IReadOnlyList<AutoField> fields = direct is null ? QueryFields.Of(_rql, input.Text) : [];
        DatabaseIndex? chosen = direct is not null ? null
            : _rql.IsIndex ? indexes.Find(_rql.Source) : indexes.Auto.Find(collection, fields);
        using QuerySession? session = chosen is null
            ? null
            : await QueryRequest.BeginAsync(request, input).ConfigureAwait(false);
        var timings = new QueryTimings(_clock, began);
        timings.Ended("Wait");

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        if (_rql.IsExplain)
        {
            WriteChosen(json, direct, chosen, collection, fields);
            WriteOthers(json, direct, chosen, collection, fields);
        }
        else
        {
            WriteNotTaken(json, direct, collection, fields);
        }

        json.WriteEndArray();
        if (session is not null)
        {
            WriteRun(json, session, chosen!, timings);
        }
        else
        {
            json.WriteString("IndexName"u8, direct?.Name ?? chosen?.Name
                ?? (_rql.IsIndex ? _rql.Source : AutoIndexes.NameOf(collection, fields)));
        }

        json.WriteEndObject();
    }

    /// <summary>The other indexes that were looked at: those of the collection, and none beside one that the query
    /// names.</summary>
    private void WriteOthers(
        Utf8JsonWriter json, QueryPlan? direct, DatabaseIndex? chosen, string? collection,
        IReadOnlyList<AutoField> fields)
    {
        DatabaseIndexes indexes = request.Database.Indexes;
        foreach (DatabaseIndex index in _rql.IsIndex ? [] : indexes.All)
        {
            if (!ReferenceEquals(index, chosen) && AutoIndexes.IsLookedAt(index, collection))
            {
                WriteReason(
                    json, index.Name,
                    direct is not null ? "No index is needed." : indexes.Auto.WhyNot(index, collection, fields));
            }
        }
    }

    /// <summary>Writes the answer to <c>debug=explain</c>: why other indexes that queries made were not used.</summary>
    private void WriteNotTaken(
        Utf8JsonWriter json, QueryPlan? direct, string? collection, IReadOnlyList<AutoField> fields)
    {
        if (_rql.IsIndex)
        {
            return;
        }

        AutoIndexes auto = request.Database.Indexes.Auto;
        DatabaseIndex? taken = direct is null ? auto.Find(collection, fields) : null;
        foreach (DatabaseIndex index in auto.LikelyOf(collection, fields))
        {
            if (!ReferenceEquals(index, taken))
            {
                WriteReason(
                    json, index.Name,
                    direct is null ? auto.WhyNot(index, collection, fields) : "No index is needed.");
            }
        }
    }

    private void WriteChosen(
        Utf8JsonWriter json, QueryPlan? direct, DatabaseIndex? chosen, string? collection,
        IReadOnlyList<AutoField> fields)
    {
        if (direct is not null)
        {
            WriteReason(json, direct.Name, direct.Ids is not null ? "The documents are read by their ids."
                : direct.IdPrefix is not null ? "The documents are read by the beginning of their ids."
                : "The documents are read as they are: there is no condition, and no order.");
            return;
        }

        WriteReason(
            json, chosen?.Name ?? (_rql.IsIndex ? _rql.Source : AutoIndexes.NameOf(collection, fields)),
            _rql.IsIndex ? chosen is null ? "There is no such index." : "The query names it."
            : chosen is not null ? "It is the smallest index that has all fields of the query."
            : "It would be made: no index has all fields of the query.");
    }

    private void WriteRun(Utf8JsonWriter json, QuerySession session, DatabaseIndex index, QueryTimings timings)
    {
        var costs = new QueryCosts(session);
        QueryHits? hits = QueryPlan.IsOfTerms(_rql)
            ? null
            : session.Find(request.Operation, isWhole: false);
        timings.Ended("Search");
        long last = IndexScope.LastEtag(session.Snapshot, index);
        json.WriteString("IndexName"u8, index.Name);
        json.WriteBoolean("IsStale"u8, session.IsStale);
        json.WriteStartObject("Behind"u8);
        json.WriteNumber("LastEtag"u8, last);
        json.WriteNumber("CoveredEtag"u8, Math.Min(last, index.CoveredEtag));
        json.WriteNumber("Etags"u8, Math.Max(0, last - index.CoveredEtag));
        json.WriteEndObject();
        json.WriteNumber("IndexEntries"u8, costs.EntryCount);
        if (hits is not null)
        {
            json.WriteNumber("TotalResults"u8, hits.TotalCount);
            json.WriteNumber("TermsRead"u8, costs.TermsRead);
            json.WriteNumber("EntriesRead"u8, costs.EntriesRead);
            WriteConditions(json, costs);
            timings.Ended("Conditions");
        }

        json.WritePropertyName("Timings"u8);
        timings.Write(json);
    }

    /// <summary>What each condition finds by itself.</summary>
    private void WriteConditions(Utf8JsonWriter json, QueryCosts costs)
    {
        json.WriteStartArray("Conditions"u8);
        foreach (ConditionCost cost in costs.OfConditions(request.Aborted))
        {
            json.WriteStartObject();
            json.WriteString("Condition"u8, RqlText.Of(cost.Condition));
            json.WriteNumber("Entries"u8, cost.Entries);
            json.WriteNumber("TermsRead"u8, cost.TermsRead);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteReason(Utf8JsonWriter json, string index, string reason)
    {
        json.WriteStartObject();
        json.WriteString("Index"u8, index);
        json.WriteString("Reason"u8, reason);
        json.WriteEndObject();
    }
}
