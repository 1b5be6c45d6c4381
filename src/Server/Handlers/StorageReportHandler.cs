using System.Text;
using System.Text.Json;
using Raven.Documents;
using Raven.Security.Rights;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Storage;
using Raven.Storage.Errors;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Server.Handlers;

/// <summary>The route of a database's storage report.</summary>
internal static class StorageReportHandler
{
    [Route("GET", "/databases/*/debug/storage/report", Access.DatabaseAdmin, Place = Place.Node,
        Summary = "Pages, files, journal and memory of a database's storage", Query = "details:bool")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        bool hasDetails = request.Query.GetBool("details");
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        WriteSums(request, json);
        if (hasDetails)
        {
            WriteStructures(request, json);
        }

        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static void WriteSums(RequestContext request, Utf8JsonWriter json)
    {
        using DocumentSnapshot snapshot = request.BeginRead();
        StorageStatistics storage = snapshot.Transaction.Environment.GetStatistics();
        json.WriteString("Database"u8, request.Database.Name);
        json.WriteNumber("PageSizeBytes"u8, PageHeader.PageSizeInBytes);
        json.WriteNumber("Pages"u8, storage.Pages);
        json.WriteNumber("FreePages"u8, storage.FreePages);
        json.WriteNumber("DataFileBytes"u8, storage.DataFileBytes);
        json.WriteNumber("JournalFileBytes"u8, storage.JournalFileBytes);
        json.WriteNumber("JournalBacklogBytes"u8, storage.JournalBacklogBytes);
        json.WriteNumber("JournalFilesCreated"u8, storage.JournalFiles.Created);
        json.WriteNumber("JournalFilesRecycled"u8, storage.JournalFiles.Recycled);
        json.WriteNumber("ScratchUsedBytes"u8, storage.Scratch.UsedBytes);
        json.WriteNumber("ScratchCommittedBytes"u8, storage.Scratch.CommittedBytes);
        json.WriteNumber("LastTransactionId"u8, storage.LastTransactionId);
        json.WriteNumber("AppliedTransactionId"u8, storage.AppliedTransactionId);
        json.WriteNumber("Flushes"u8, storage.Flushes);
        json.WriteNumber("Readers"u8, storage.Readers);
        json.WriteNumber("OldestReaderMilliseconds"u8, (long)storage.OldestReader.Age.TotalMilliseconds);
        json.WriteString("OldestReader"u8, storage.OldestReader.Purpose);
        json.WriteNumber("JournalWrites"u8, storage.JournalWrites.Count);
        json.WriteNumber("JournalWriteMicrosecondsP50"u8, Microseconds(storage.JournalWrites.Percentile(0.5)));
        json.WriteNumber("JournalWriteMicrosecondsP99"u8, Microseconds(storage.JournalWrites.Percentile(0.99)));
        json.WriteNumber("JournalWriteMicrosecondsMax"u8, Microseconds(storage.JournalWrites.Max));
        json.WriteNumber("LongestFlushLockMicroseconds"u8, Microseconds(storage.LongestFlushLock));
        if (request.Database.OpenStorage?.Merger.Statistics is { } merged)
        {
            json.WriteNumber("SharedCommits"u8, merged.Groups);
            json.WriteNumber("WritesPerSharedCommit"u8, merged.Groups == 0 ? 0 : (double)merged.Writes / merged.Groups);
            json.WriteNumber("WriteMicrosecondsP50"u8, Microseconds(merged.Latency.Percentile(0.5)));
            json.WriteNumber("WriteMicrosecondsP99"u8, Microseconds(merged.Latency.Percentile(0.99)));
            json.WriteNumber("WriteMicrosecondsMax"u8, Microseconds(merged.Latency.Max));
            WriteGroupSizes(json, merged.GroupsBySize);
        }

        json.WriteStartArray("Collections"u8);
        var watch = new ScanCancellation(request.Aborted);
        CollectionCursor collections = snapshot.Collections();
        while (collections.MoveNext(out CollectionInfo collection))
        {
            watch.Step();
            json.WriteStartObject();
            json.WriteString("Name"u8, Encoding.UTF8.GetString(collection.Name.Span));
            json.WriteNumber("Documents"u8, collection.DocumentCount);
            json.WriteNumber("Tombstones"u8, collection.TombstoneCount);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteNumber("Counters"u8, snapshot.CounterCount);
        json.WriteNumber("TimeSeriesSegments"u8, snapshot.TimeSeriesSegmentCount);
        json.WriteNumber("CompareExchange"u8, snapshot.CompareExchangeCount);
    }

    /// <summary>Reads all pages of the trees: each structure in a snapshot of its own, to hold none for long.</summary>
    private static void WriteStructures(RequestContext request, Utf8JsonWriter json)
    {
        byte[] name = [];
        var sizes = new List<StructureSize>();
        json.WriteStartArray("Structures"u8);
        while (TryReadNext(request, ref name, sizes, out string? unread))
        {
            foreach (StructureSize size in sizes)
            {
                Write(json, size, unread);
            }

            sizes.Clear();
        }

        json.WriteEndArray();
    }

    /// <summary>Reads the next tree; one that is too large for a reader's budget has its counts, and why it has
    /// no more.</summary>
    private static bool TryReadNext(
        RequestContext request, ref byte[] name, List<StructureSize> sizes, out string? unread)
    {
        unread = null;
        try
        {
            using DocumentSnapshot snapshot = request.BeginRead();
            return StructureSizes.TryAddNext(snapshot.Transaction, ref name, true, sizes, request.Aborted);
        }
        catch (SnapshotExpiredException expired)
        {
            unread = expired.Message;
        }

        using DocumentSnapshot again = request.BeginRead();
        return StructureSizes.TryAddNext(again.Transaction, ref name, false, sizes, request.Aborted);
    }

    private static void Write(Utf8JsonWriter json, in StructureSize size, string? unread)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, size.Name);
        json.WriteNumber("Part"u8, size.Part);
        json.WriteString("Kind"u8, size.Kind.ToString());
        json.WriteNumber("Entries"u8, size.Count);
        json.WriteNumber("Depth"u8, size.Depth);
        json.WriteNumber("LeafPages"u8, size.LeafPages);
        json.WriteNumber("BranchPages"u8, size.BranchPages);
        json.WriteNumber("OverflowPages"u8, size.OverflowPages);
        json.WriteNumber("SizeInBytes"u8, size.Bytes);
        if (size.Fill is { } fill)
        {
            json.WriteNumber("Fill"u8, Math.Round(fill, 4));
        }
        else if (unread is not null)
        {
            json.WriteString("Unread"u8, unread);
        }

        json.WriteEndObject();
    }

    /// <summary>Writes how many commits had at least so many writes and fewer than the next number; up to the
    /// largest commit.</summary>
    private static void WriteGroupSizes(Utf8JsonWriter json, IReadOnlyList<long> groups)
    {
        json.WriteStartArray("SharedCommitSizes"u8);
        long left = groups.Sum();
        for (int power = 0; left > 0; power++)
        {
            json.WriteStartObject();
            json.WriteNumber("WritesFrom"u8, 1L << power);
            json.WriteNumber("Commits"u8, groups[power]);
            json.WriteEndObject();
            left -= groups[power];
        }

        json.WriteEndArray();
    }

    private static long Microseconds(TimeSpan time) => (long)time.TotalMicroseconds;
}
