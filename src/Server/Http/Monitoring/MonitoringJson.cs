using System.Text.Json;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Monitoring;
using Raven.Server.Http.Backups;
using Raven.Storage.Paging;

namespace Raven.Server.Http.Monitoring;

/// <summary>
/// The figures of databases, indexes and collections as monitoring systems of RavenDB read them. Whole numbers are
/// written as such: some of their readers take nothing else.
/// </summary>
internal static class MonitoringJson
{
    /// <summary>How many collections of a database are given at most.</summary>
    internal const int CollectionsMax = 1000;

    private const long MegabyteBytes = 1 << 20;

    internal static void WriteDatabases(Utf8JsonWriter json, ServerState server, IReadOnlyCollection<string>? names)
    {
        Begin(json, server);
        foreach (WatchedDatabase one in WatchedDatabase.All(server, names))
        {
            json.WriteStartObject();
            json.WriteString("DatabaseName"u8, one.Name);
            json.WriteString("DatabaseId"u8, one.Figures == null ? "" : one.Database.Id.Text);
            json.WriteNumber("UptimeInSec"u8, one.Figures == null ? 0 : (long)server.Uptime.TotalSeconds);
            WriteLastBackup(json, server, one.Name);
            json.WriteBoolean("IsLoaded"u8, one.Figures != null);
            WriteCounts(json, one);
            WriteStatistics(json, server, one);
            WriteIndexCounts(json, one.Figures?.Indexes ?? []);
            WriteStorage(json, server, one.Figures);
            json.WriteEndObject();
        }

        End(json);
    }

    internal static void WriteIndexes(Utf8JsonWriter json, ServerState server, IReadOnlyCollection<string>? names)
    {
        Begin(json, server);
        foreach (WatchedDatabase one in WatchedDatabase.All(server, names).Where(one => one.Figures != null))
        {
            json.WriteStartObject();
            json.WriteString("DatabaseName"u8, one.Name);
            json.WriteStartArray("Indexes"u8);
            foreach (IndexFigures index in one.Figures!.Indexes)
            {
                WriteIndex(json, server, one, index);
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        End(json);
    }

    internal static void WriteCollections(Utf8JsonWriter json, ServerState server, IReadOnlyCollection<string>? names)
    {
        Begin(json, server);
        foreach (WatchedDatabase one in WatchedDatabase.All(server, names))
        {
            if (DatabaseFigures.ReadCollectionsIfOpen(one.Database, CollectionsMax) is not { } collections)
            {
                continue;
            }

            json.WriteStartObject();
            json.WriteString("DatabaseName"u8, one.Name);
            json.WriteStartArray("Collections"u8);
            foreach (CollectionFigures collection in collections)
            {
                json.WriteStartObject();
                json.WriteString("CollectionName"u8, collection.Name);
                json.WriteNumber("DocumentsCount"u8, collection.DocumentCount);
                json.WriteNumber("TotalSizeInBytes"u8, collection.Sizes.Bytes);
                json.WriteNumber("DocumentsSizeInBytes"u8, collection.Sizes.DocumentBytes);
                json.WriteNumber("TombstonesSizeInBytes"u8, collection.Sizes.TombstoneBytes);
                json.WriteNumber("RevisionsSizeInBytes"u8, collection.Sizes.RevisionBytes);
                json.WriteEndObject();
            }

            json.WriteEndArray();
            json.WriteEndObject();
        }

        End(json);
    }

    /// <summary>How long the last backup of a database is ago; null if there is none.</summary>
    internal static double? SinceLastBackup(ServerState server, string database)
    {
        DateTimeOffset? last = null;
        foreach (BackupConfiguration task in server.Backups.Tasks.Of(database))
        {
            BackupStatus status = server.Backups.StatusOf(database, task.TaskId);
            foreach (DateTimeOffset? time in new[] { status.LastFull, status.LastIncremental })
            {
                last = time > last || last == null ? time ?? last : last;
            }
        }

        return last == null ? null : (server.Time.GetUtcNow() - last.Value).TotalSeconds;
    }

    private static void Begin(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject();
        json.WriteString("PublicServerUrl"u8, server.Options.PublicServerUrl?.GetLeftPart(UriPartial.Authority));
        json.WriteString("NodeTag"u8, server.Cluster.Tag);
        json.WriteStartArray("Results"u8);
    }

    private static void End(Utf8JsonWriter json)
    {
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteLastBackup(Utf8JsonWriter json, ServerState server, string database) =>
        WriteSeconds(json, "TimeSinceLastBackupInSec"u8, SinceLastBackup(server, database));

    private static void WriteCounts(Utf8JsonWriter json, WatchedDatabase one)
    {
        DatabaseFigures? figures = one.Figures;
        json.WriteStartObject("Counts"u8);
        json.WriteNumber("Documents"u8, figures?.Counts.DocumentCount ?? 0);
        json.WriteNumber("Revisions"u8, figures?.RevisionCount ?? 0);
        json.WriteNumber("Attachments"u8, figures?.Attachments.All ?? 0);
        json.WriteNumber("UniqueAttachments"u8, figures?.Attachments.Unique ?? 0);
        json.WriteNumber("Alerts"u8, one.IsFaulted ? 1 : 0);
        json.WriteNumber("Rehabs"u8, 0);
        json.WriteNumber("PerformanceHints"u8, 0);
        json.WriteNumber("ReplicationFactor"u8, 1);
        json.WriteEndObject();
    }

    private static void WriteStatistics(Utf8JsonWriter json, ServerState server, WatchedDatabase one)
    {
        long requests = one.Database.Uses.Count;
        double milliseconds = one.Database.Uses.Ticks * 1000.0 / server.Time.TimestampFrequency;
        IReadOnlyList<IndexFigures> indexes = one.Figures?.Indexes ?? [];
        json.WriteStartObject("Statistics"u8);
        json.WriteNumber(
            "DocPutsPerSec"u8, server.Rates.Of($"{one.Name}/changes", one.Figures?.Counts.LastEtag ?? 0));
        json.WriteNumber(
            "MapIndexIndexesPerSec"u8, server.Rates.Of($"{one.Name}/mapped", DocumentsOf(indexes, isReduce: false)));
        double reduced = server.Rates.Of($"{one.Name}/map-reduced", DocumentsOf(indexes, isReduce: true));
        json.WriteNumber("MapReduceIndexMappedPerSec"u8, reduced);
        json.WriteNumber(
            "MapReduceIndexReducedPerSec"u8,
            server.Rates.Of($"{one.Name}/reduced", indexes.Sum(index => index.Index.Statistics.Reduced.All)));
        json.WriteNumber("RequestsPerSec"u8, server.Rates.Of($"{one.Name}/requests", requests));
        json.WriteNumber("RequestsCount"u8, (int)Math.Min(requests, int.MaxValue));
        json.WriteNumber("RequestAverageDurationInMs"u8, requests == 0 ? 0 : Math.Round(milliseconds / requests, 4));
        json.WriteEndObject();
    }

    private static long DocumentsOf(IReadOnlyList<IndexFigures> indexes, bool isReduce) => indexes
        .Where(index => index.Index.Definition.IsMapReduce == isReduce)
        .Sum(index => index.Index.Statistics.DocumentCount);

    private static void WriteIndexCounts(Utf8JsonWriter json, IReadOnlyList<IndexFigures> indexes)
    {
        json.WriteStartObject("Indexes"u8);
        json.WriteNumber("Count"u8, indexes.Count);
        json.WriteNumber("StaleCount"u8, indexes.Count(one => one.IsStale));
        json.WriteNumber("ErrorsCount"u8, indexes.Sum(one => one.Index.Failures.Count));
        json.WriteNumber("StaticCount"u8, indexes.Count(one => !one.Index.Definition.IsAuto));
        json.WriteNumber("AutoCount"u8, indexes.Count(one => one.Index.Definition.IsAuto));
        json.WriteNumber("IdleCount"u8, indexes.Count(one => one.Index.State == IndexState.Idle));
        json.WriteNumber("DisabledCount"u8, indexes.Count(one => one.Index.State == IndexState.Disabled));
        json.WriteNumber("ErroredCount"u8, indexes.Count(one => one.Index.State == IndexState.Error));
        json.WriteEndObject();
    }

    private static void WriteStorage(Utf8JsonWriter json, ServerState server, DatabaseFigures? figures)
    {
        long documents = figures?.Storage.DataFileBytes ?? 0;
        long unused = (figures?.Storage.FreePages ?? 0) * PageHeader.PageSizeInBytes;
        long indexes = figures?.Indexes.Sum(one => one.Storage?.DataFileBytes ?? 0) ?? 0;
        long unusedOfIndexes =
            (figures?.Indexes.Sum(one => one.Storage?.FreePages ?? 0) ?? 0) * PageHeader.PageSizeInBytes;
        json.WriteStartObject("Storage"u8);
        json.WriteNumber("DocumentsAllocatedDataFileInMb"u8, documents / MegabyteBytes);
        json.WriteNumber("DocumentsUsedDataFileInMb"u8, Math.Max(0, documents - unused) / MegabyteBytes);
        json.WriteNumber("IndexesAllocatedDataFileInMb"u8, indexes / MegabyteBytes);
        json.WriteNumber("IndexesUsedDataFileInMb"u8, Math.Max(0, indexes - unusedOfIndexes) / MegabyteBytes);
        json.WriteNumber(
            "TotalAllocatedStorageFileInMb"u8,
            ((figures?.Storage.SizeOnDiskBytes ?? 0) + (figures?.Indexes.Sum(one => one.Storage?.SizeOnDiskBytes ?? 0)
                ?? 0)) / MegabyteBytes);
        json.WriteNumber(
            "TotalFreeSpaceInMb"u8, new DriveInfo(server.DataFolder).AvailableFreeSpace / MegabyteBytes);
        json.WriteEndObject();
    }

    private static void WriteIndex(Utf8JsonWriter json, ServerState server, WatchedDatabase database, IndexFigures one)
    {
        var index = one.Index;
        IndexDefinition definition = index.Definition;
        DateTimeOffset now = server.Time.GetUtcNow();
        string name = $"{database.Name}/indexes/{index.Name}";
        json.WriteStartObject();
        json.WriteString("IndexName"u8, index.Name);
        json.WriteString("Priority"u8, definition.Priority.ToString());
        json.WriteString("State"u8, index.State.ToString());
        json.WriteNumber("Errors"u8, index.Failures.Count);
        WriteSeconds(json, "TimeSinceLastQueryInSec"u8, (now - index.Use.LastTime)?.TotalSeconds);
        WriteSeconds(json, "TimeSinceLastIndexingInSec"u8, (now - index.Statistics.LastIndexingTime)?.TotalSeconds);
        json.WriteString("LockMode"u8, definition.LockMode.ToString());
        json.WriteBoolean("IsInvalid"u8, index.State == IndexState.Error);
        json.WriteBoolean("IsStale"u8, one.IsStale);
        json.WriteString(
            "Status"u8,
            index.State == IndexState.Disabled ? "Disabled"
                : index.IsPaused || index.Fault != null ? "Paused" : "Running");
        json.WriteNumber("MappedPerSec"u8, server.Rates.Of($"{name}/mapped", index.Statistics.DocumentCount));
        json.WriteNumber("ReducedPerSec"u8, server.Rates.Of($"{name}/reduced", index.Statistics.Reduced.All));
        json.WriteString("Type"u8, definition.Type.ToString());
        json.WriteNumber("EntriesCount"u8, (int)Math.Min(one.EntryCount ?? 0, int.MaxValue));
        json.WriteEndObject();
    }

    private static void WriteSeconds(Utf8JsonWriter json, ReadOnlySpan<byte> name, double? seconds)
    {
        if (seconds is { } known)
        {
            json.WriteNumber(name, Math.Round(Math.Max(0, known), 3));
        }
        else
        {
            json.WriteNull(name);
        }
    }
}
