using System.Globalization;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Attachments;
using Raven.Documents.Indexing;
using Raven.Documents.Queries;
using Raven.Documents.Revisions;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;

namespace Raven.Server.Handlers;

/// <summary>The routes of a database's counts.</summary>
internal static class StatsHandler
{
    [Route("GET", "/databases/*/stats", Access.Read, Place = Place.Any, Summary = "Counts of a database")]
    internal static ValueTask GetAsync(RequestContext request) => Write(request, isDetailed: false);

    [Route("GET", "/databases/*/stats/essential", Access.Read, Place = Place.Any,
        Summary = "The most important counts of a database")]
    internal static ValueTask GetEssentialAsync(RequestContext request) => Write(request, isDetailed: false);

    [Route("GET", "/databases/*/stats/detailed", Access.Read, Place = Place.Any, Summary = "All counts of a database")]
    internal static ValueTask GetDetailedAsync(RequestContext request) => Write(request, isDetailed: true);

    [Route("GET", "/databases/*/collections/stats", Access.Read, Place = Place.Any,
        Summary = "How many documents each collection has")]
    internal static ValueTask GetCollectionsAsync(RequestContext request) =>
        WriteCollections(request, isDetailed: false);

    [Route("GET", "/databases/*/collections/stats/detailed", Access.Read, Place = Place.Any,
        Summary = "What each collection has")]
    internal static ValueTask GetCollectionDetailsAsync(RequestContext request) =>
        WriteCollections(request, isDetailed: true);

    [Route("GET", "/databases/*/debug/identities", Access.Read, Place = Place.Any,
        Summary = "All identities and their last values")]
    internal static ValueTask GetIdentitiesAsync(RequestContext request)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        var watch = new ScanCancellation(request.Aborted);
        IdentityCursor identities = snapshot.Identities();
        while (identities.MoveNext(out Blittable.Memory.NativeSlice name, out long value))
        {
            watch.Step();
            json.WriteNumber(name.Span, value);
        }

        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/databases/*/healthcheck", Access.Read, Place = Place.Node,
        Summary = "Answers where the database can be read")]
    internal static ValueTask GetHealthAsync(RequestContext request)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    private static ValueTask WriteCollections(RequestContext request, bool isDetailed)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("CountOfDocuments"u8, snapshot.DocumentCount);
        json.WriteNumber("CountOfConflicts"u8, 0);
        json.WriteStartObject("Collections"u8);
        var watch = new ScanCancellation(request.Aborted);
        CollectionCursor collections = snapshot.Collections();
        while (collections.MoveNext(out CollectionInfo collection))
        {
            watch.Step();
            if (collection.DocumentCount > 0 && isDetailed)
            {
                WriteDetails(json, snapshot, in collection);
            }
            else if (collection.DocumentCount > 0)
            {
                json.WriteNumber(collection.Name.Span, collection.DocumentCount);
            }
        }

        json.WriteEndObject();
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static void WriteDetails(Utf8JsonWriter json, DocumentSnapshot snapshot, in CollectionInfo collection)
    {
        json.WriteStartObject(collection.Name.Span);
        json.WriteString("Name"u8, collection.Name.Span);
        json.WriteNumber("CountOfDocuments"u8, collection.DocumentCount);
        json.WriteNumber("CountOfTombstones"u8, collection.TombstoneCount);
        var sizes = CollectionSizes.Of(snapshot, in collection);
        WriteSize(json, "Size"u8, sizes.Bytes);
        WriteSize(json, "DocumentsSize"u8, sizes.DocumentBytes);
        WriteSize(json, "TombstonesSize"u8, sizes.TombstoneBytes);
        WriteSize(json, "RevisionsSize"u8, sizes.RevisionBytes);
        json.WriteEndObject();
    }

    private static ValueTask Write(RequestContext request, bool isDetailed)
    {
        Database database = request.Database;
        using DocumentSnapshot snapshot = database.BeginRead();
        DatabaseStatistics statistics = DatabaseStatistics.Of(snapshot);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteNumber("CountOfDocuments"u8, statistics.DocumentCount);
        foreach (string none in new[]
        {
            "CountOfConflicts", "CountOfDocumentsConflicts",
        })
        {
            json.WriteNumber(none, 0);
        }

        DatabaseIndex[] indexes = [.. database.Indexes.All];
        json.WriteNumber("CountOfIndexes"u8, indexes.Length);
        var attachments = new AttachmentReader(snapshot.Transaction);
        json.WriteNumber("CountOfAttachments"u8, attachments.Count);
        json.WriteNumber("CountOfUniqueAttachments"u8, attachments.UniqueCount);
        json.WriteNumber("CountOfRevisionDocuments"u8, new RevisionReader(snapshot).Count);
        json.WriteNumber("CountOfCounterEntries"u8, snapshot.CounterCount);
        json.WriteNumber("CountOfTimeSeriesSegments"u8, snapshot.TimeSeriesSegmentCount);
        json.WriteNumber("CountOfTombstones"u8, statistics.TombstoneCount);
        if (isDetailed)
        {
            json.WriteNumber("CountOfIdentities"u8, statistics.IdentityCount);
            json.WriteNumber("CountOfCompareExchange"u8, snapshot.CompareExchangeCount);
            json.WriteNumber("CountOfCompareExchangeTombstones"u8, snapshot.CompareExchangeTombstoneCount);
            json.WriteNumber("CountOfTimeSeriesDeletedRanges"u8, snapshot.TimeSeriesDeletedRangeCount);
        }

        json.WriteNumber("LastDocEtag"u8, statistics.LastDocumentEtag);
        json.WriteNumber("LastDatabaseEtag"u8, statistics.LastEtag);
        json.WriteString("DatabaseChangeVector"u8, ChangeVectorOf(database, statistics.LastEtag));
        json.WriteString("DatabaseId"u8, database.Id.Text);
        json.WriteBoolean("Is64Bit"u8, Environment.Is64BitProcess);
        json.WriteString("Pager"u8, "Voron"u8);
        json.WriteTime("LastIndexingTime"u8, indexes.Max(index => index.Statistics.LastIndexingTime));
        long size = snapshot.Transaction.Environment.GetStatistics().SizeOnDiskBytes;
        WriteSize(json, "SizeOnDisk"u8, size);

        // Pages that wait to be written are in memory: there are no temporary files.
        WriteSize(json, "TempBuffersSizeOnDisk"u8, 0);
        json.WriteNumber("NumberOfTransactionMergerQueueOperations"u8, 0);
        WriteIndexes(json, snapshot, indexes);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static void WriteIndexes(Utf8JsonWriter json, DocumentSnapshot snapshot, DatabaseIndex[] indexes)
    {
        json.WriteStartArray("Indexes"u8);
        foreach (DatabaseIndex index in indexes)
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Name);
            json.WriteBoolean("IsStale"u8, index.CoveredEtag < IndexScope.LastEtag(snapshot, index));
            json.WriteString("State"u8, index.State.ToString());
            json.WriteString("LockMode"u8, index.Definition.LockMode.ToString());
            json.WriteString("Priority"u8, index.Definition.Priority.ToString());
            json.WriteString("Type"u8, index.Definition.Type.ToString());
            json.WriteString("SourceType"u8, index.Definition.SourceType);
            json.WriteString(
                "ArchivedDataProcessingBehavior"u8, index.Definition.ArchivedDataProcessingBehavior);
            json.WriteTime("LastIndexingTime"u8, index.Statistics.LastIndexingTime);
            json.WriteEndObject();
        }

        json.WriteEndArray();
    }

    private static void WriteSize(Utf8JsonWriter json, ReadOnlySpan<byte> name, long bytes)
    {
        json.WriteStartObject(name);
        json.WriteNumber("SizeInBytes"u8, bytes);
        json.WriteString("HumaneSize"u8, Humane(bytes));
        json.WriteEndObject();
    }

    private static string ChangeVectorOf(Database database, long etag) =>
        etag == 0
            ? ""
            : string.Create(CultureInfo.InvariantCulture, $"{ServerState.NodeTag}:{etag}-{database.Id.Text}");

    private static string Humane(long bytes)
    {
        string[] units = ["Bytes", "KBytes", "MBytes", "GBytes", "TBytes"];
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < units.Length - 1)
        {
            value /= 1024;
            unit++;
        }

        return string.Create(CultureInfo.InvariantCulture, $"{value:0.##} {units[unit]}");
    }
}
