using System.Text.Json;
using Raven.Documents.Indexing;
using Raven.Documents.Queries;

namespace Raven.Server.Http.Queries;

/// <summary>
/// How a query is answered: by which index, why not by another, and, if that index exists, what it reads and how long
/// that takes. No index is made for it.
/// </summary>
internal sealed class ExplainAnswer(RequestContext request, QueryInput input)
{
    private readonly TimeProvider _clock = request.Server.Time;

    /// <summary>Writes the explanation.</summary>
    internal async ValueTask WriteAsync()
    {
        long began = _clock.GetTimestamp();
        var explanation = new QueryExplanation(request.Database, input);
        DatabaseIndex? chosen = explanation.Index;
        using QuerySession? session = chosen is null
            ? null
            : await QueryRequest.BeginAsync(request, input).ConfigureAwait(false);
        var timings = new QueryTimings(_clock, began);
        timings.Ended("Wait");

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach ((string index, string reason) in input.AsksToExplain
            ? explanation.Reasons()
            : explanation.ReasonsOfOthers())
        {
            json.WriteStartObject();
            json.WriteString("Index"u8, index);
            json.WriteString("Reason"u8, reason);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        if (session is not null)
        {
            WriteRun(json, session, chosen!, timings);
        }
        else
        {
            json.WriteString("IndexName"u8, explanation.Name);
        }

        json.WriteEndObject();
    }

    private void WriteRun(Utf8JsonWriter json, QuerySession session, DatabaseIndex index, QueryTimings timings)
    {
        var costs = new QueryCosts(session);
        long? total = input.IsOfTerms ? null : costs.Find(request.Operation);
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
        if (total is { } count)
        {
            json.WriteNumber("TotalResults"u8, count);
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
            json.WriteString("Condition"u8, cost.Condition);
            json.WriteNumber("Entries"u8, cost.Entries);
            json.WriteNumber("TermsRead"u8, cost.TermsRead);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }
}
