using System.Text;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Indexing;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Storage;
using Raven.Documents.Queries;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of indexes' state: counts, progress, errors, terms.</summary>
internal static class IndexStatsHandler
{
    [Route("GET", "/databases/*/indexes/stats", Access.Read, Place = Place.Any,
        Summary = "Counts of indexes", Query = "name, start:int, pageSize:int")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        string? name = request.Query.GetText("name");
        if (name is not null && !IndexAnswers.TryFind(request, name, out _))
        {
            return ValueTask.CompletedTask;
        }

        DatabaseStorage documents = request.Database.Enter();
        try
        {
            using DocumentSnapshot snapshot = request.BeginRead();
            Utf8JsonWriter json = Begin(request);
            foreach (DatabaseIndex index in IndexAnswers.Wanted(request, name))
            {
                Write(json, snapshot, index);
            }

            End(json);
        }
        finally
        {
            documents.Release();
        }

        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/indexes/staleness", Access.Read, Place = Place.Any,
        Summary = "Whether an index is behind the documents", Query = "name!")]
    internal static ValueTask GetStalenessAsync(RequestContext request)
    {
        string name = IndexAnswers.RequiredName(request);
        if (!IndexAnswers.TryFind(request, name, out DatabaseIndex? index))
        {
            return ValueTask.CompletedTask;
        }

        using DocumentSnapshot snapshot = request.BeginRead();
        long last = IndexScope.LastEtag(snapshot, index);
        bool isStale = index.CoveredEtag < last;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteBoolean("IsStale"u8, isStale);
        json.WriteStartArray("StalenessReasons"u8);
        if (isStale)
        {
            json.WriteStringValue($"It is at {index.CoveredEtag}, the last change is {last}.");
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/indexes/status", Access.Read, Place = Place.Any, Summary = "Which indexes run")]
    internal static ValueTask GetStatusAsync(RequestContext request)
    {
        DatabaseIndex[] indexes = [.. IndexAnswers.Wanted(request, null)];
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Status"u8, request.Database.Indexes.Pause.IsOfAll ? "Paused" : "Running");
        json.WriteStartArray("Indexes"u8);
        foreach (DatabaseIndex index in indexes)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteString("Status"u8, StatusOf(index));
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/indexes/errors", Access.Read, Place = Place.Any,
        Summary = "Documents that indexes could not take", Query = "name*")]
    internal static ValueTask GetErrorsAsync(RequestContext request)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        Utf8JsonWriter json = Begin(request);
        foreach (DatabaseIndex index in Named(request))
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteStartArray("Errors"u8);
            foreach (IndexFailure failure in index.Maintenance.ReadFailures())
            {
                json.WriteStartObject();
                json.WriteTime("Timestamp"u8, failure.At);
                json.WriteString("Document"u8, failure.DocumentId);
                json.WriteString("Action"u8, failure.Action);
                json.WriteString("Error"u8, failure.Message);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        End(json);
        return ValueTask.CompletedTask;
    }

    [Route("DELETE", "/databases/*/indexes/errors", Access.DatabaseAdmin, Place = Place.Primary,
        Audit = "index.errors.deleted", IsAuditNote = true, Summary = "Forgets the errors of indexes", Query = "name*")]
    internal static ValueTask DeleteErrorsAsync(RequestContext request)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        foreach (DatabaseIndex index in Named(request))
        {
            request.Announce(resource: index.Name);
            index.Maintenance.ClearFailures();
        }

        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/indexes/terms", Access.Read, Place = Place.Any,
        Summary = "The terms of a field of an index", Query = "name!, field!, fromValue, pageSize:int")]
    internal static ValueTask GetTermsAsync(RequestContext request)
    {
        string name = IndexAnswers.RequiredName(request);
        if (!IndexAnswers.TryFind(request, name, out DatabaseIndex? index))
        {
            return ValueTask.CompletedTask;
        }

        string field = request.Query.GetText("field")
            ?? throw new BadRequestException(400, ErrorType.Argument, "The parameter 'field' is missing.");
        int count = request.Query.GetInt32("pageSize", 1024);
        using IndexInspection inspection = IndexInspection.Begin(request.Database, index);
        if (inspection.WhyUnknown(field) is { } problem)
        {
            throw new BadRequestException(400, ErrorType.Argument, problem);
        }

        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Terms"u8);
        foreach (string term in inspection.Terms(field, request.Query.GetText("fromValue") ?? "", count))
        {
            json.WriteStringValue(term);
        }

        json.WriteEndArray();
        json.WriteNumber("ResultEtag"u8, index.Version);
        json.WriteString("IndexName"u8, index.Name);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    /// <summary>The indexes that the url names, of which each must exist; all, or a page of them, if it names none.
    /// </summary>
    internal static IEnumerable<DatabaseIndex> Named(RequestContext request)
    {
        List<string> names = [];
        foreach (QueryParameters.Parameter parameter in request.Query)
        {
            if (parameter.Is("name"))
            {
                names.Add(Encoding.UTF8.GetString(request.Decode(parameter.Encoded, "name").Span));
            }
        }

        if (names.Find(name => request.Database.Indexes.Find(name) is null) is { } missing)
        {
            throw new BadRequestException(400, ErrorType.IndexMissing, $"There is no index '{missing}'.");
        }

        return IndexAnswers.Wanted(request, null).Where(index =>
            names.Count == 0 || names.Contains(index.Name, StringComparer.OrdinalIgnoreCase));
    }

    private static Utf8JsonWriter Begin(RequestContext request)
    {
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        return json;
    }

    private static void End(Utf8JsonWriter json)
    {
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static string StatusOf(DatabaseIndex index) =>
        index.State == IndexState.Disabled ? "Disabled"
        : index.IsPaused || index.Fault is not null ? "Paused" : "Running";

    private static void Write(Utf8JsonWriter json, DocumentSnapshot snapshot, DatabaseIndex index)
    {
        // This comes first: it opens the index, and its progress is known only then.
        long entries = IndexInspection.EntryCountOf(index);
        IndexStatistics statistics = index.Statistics;
        (long mapped, long failed) = IndexInspection.MappedBy(index);
        json.WriteStartObject();
        json.WriteString("Name"u8, index.Name);
        json.WriteStartObject("Collections"u8);
        foreach (string collection in index.Collections.Count == 0 ? ["@all_docs"] : index.Collections)
        {
            WriteCollection(json, snapshot, index, collection);
        }

        json.WriteEndObject();
        json.WriteString("State"u8, index.State.ToString());
        json.WriteString("Status"u8, StatusOf(index));
        json.WriteString("Priority"u8, index.Definition.Priority.ToString());
        json.WriteString("LockMode"u8, index.Definition.LockMode.ToString());
        json.WriteString("Type"u8, index.Definition.Type.ToString());
        json.WriteString("SourceType"u8, index.Definition.SourceType);
        json.WriteString("SearchEngineType"u8, index.Engine.ToString());
        json.WriteBoolean("IsStale"u8, index.CoveredEtag < IndexScope.LastEtag(snapshot, index));
        json.WriteTime("BehindSince"u8, IndexScope.BehindSince(snapshot, index));
        json.WriteNumber("EntriesCount"u8, entries);
        json.WriteNumber("ErrorsCount"u8, index.Failures.Count);
        json.WriteNumber("MapAttempts"u8, mapped);
        json.WriteNumber("MapSuccesses"u8, mapped - failed);
        json.WriteNumber("MapErrors"u8, failed);
        WriteRest(json, index, statistics);
        json.WriteTime("CreatedTimestamp"u8, IndexInspection.CreationOf(index));
        json.WriteTime("LastIndexingTime"u8, statistics.LastIndexingTime);
        json.WriteTime("LastQueryingTime"u8, index.Use.LastTime);
        json.WriteBoolean(
            "IsInvalidIndex"u8, index.State == IndexState.Error);
        json.WriteString("Fault"u8, index.Fault);
        json.WriteEndObject();
    }

    /// <summary>Writes further members that clients read of every index. Without a reduce, those of a reduce
    /// are null.</summary>
    private static void WriteRest(Utf8JsonWriter json, DatabaseIndex index, IndexStatistics statistics)
    {
        IndexDefinition definition = index.Definition;
        json.WriteNumber("MapReferenceAttempts"u8, statistics.References.All);
        json.WriteNumber("MapReferenceSuccesses"u8, statistics.References.All - statistics.References.Failed);
        json.WriteNumber("MapReferenceErrors"u8, statistics.References.Failed);
        (long all, long failed) = statistics.Reduced;
        WriteCount(json, "ReduceAttempts"u8, definition.IsMapReduce, all);
        WriteCount(json, "ReduceSuccesses"u8, definition.IsMapReduce, all - failed);
        WriteCount(json, "ReduceErrors"u8, definition.IsMapReduce, failed);
        json.WriteNumber("MaxNumberOfOutputsPerDocument"u8, statistics.OutputsMax);
        json.WriteString("ArchivedDataProcessingBehavior"u8, definition.ArchivedDataProcessingBehavior);
        json.WriteString("ReduceOutputCollection"u8, definition.OutputReduceToCollection);
        json.WriteString("ReduceOutputReferencePattern"u8, definition.PatternForOutputReduceToCollectionReferences);
        json.WriteString("PatternReferencesCollectionName"u8, definition.PatternReferencesCollectionName);
        double seconds = statistics.LastBatchTime.TotalSeconds;
        double rate = seconds > 0 ? Math.Round(statistics.LastBatchDocuments / seconds, 1) : 0;
        json.WriteNumber("MappedPerSecondRate"u8, rate);
        json.WriteNumber("ReducedPerSecondRate"u8, definition.IsMapReduce ? rate : 0);
        json.WriteBoolean("IsTestIndex"u8, false);
    }

    private static void WriteCount(Utf8JsonWriter json, ReadOnlySpan<byte> name, bool isCounted, long count)
    {
        if (isCounted)
        {
            json.WriteNumber(name, count);
        }
        else
        {
            json.WriteNull(name);
        }
    }

    private static void WriteCollection(
        Utf8JsonWriter json, DocumentSnapshot snapshot, DatabaseIndex index, string collection)
    {
        long last = IndexScope.LastEtag(snapshot, collection == "@all_docs" ? null : collection);
        long covered = index.CoveredEtag;
        json.WriteStartObject(collection);
        json.WriteNumber("LastProcessedDocumentEtag"u8, Math.Min(covered, last));
        json.WriteNumber("LastProcessedTombstoneEtag"u8, Math.Min(covered, last));
        json.WriteNumber("DocumentLag"u8, Math.Max(0, last - covered));
        json.WriteNumber("TombstoneLag"u8, Math.Max(0, last - covered));
        json.WriteEndObject();
    }
}
