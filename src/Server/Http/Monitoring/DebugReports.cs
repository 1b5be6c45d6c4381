using System.Globalization;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Monitoring;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Routing;
using Raven.Storage.Transactions;

namespace Raven.Server.Http.Monitoring;

/// <summary>Reports for people who look for a cause, one JSON object each. None has a value of a document.</summary>
internal static class DebugReports
{
    /// <summary>How many threads the report of busy ones has.</summary>
    private const int ThreadsMax = 64;

    /// <summary>Where the memory of the process is.</summary>
    internal static void WriteMemory(Utf8JsonWriter json, ServerState server)
    {
        GCMemoryInfo collector = GC.GetGCMemoryInfo();
        json.WriteStartObject();
        json.WriteNumber("WorkingSet"u8, Environment.WorkingSet);
        json.WriteNumber("AnonymousMemory"u8, MemoryGate.UsedBytes());
        json.WriteNumber("LimitOfRequests"u8, server.Memory.LimitBytes);
        json.WriteBoolean("IsRefusingRequests"u8, !server.Memory.IsOpen);
        json.WriteNumber("ManagedHeap"u8, collector.HeapSizeBytes);
        json.WriteNumber("ManagedFragmented"u8, collector.FragmentedBytes);
        json.WriteNumber("ManagedCommitted"u8, collector.TotalCommittedBytes);
        json.WriteNumber("ManagedAllocatedSinceStart"u8, GC.GetTotalAllocatedBytes());
        json.WriteNumber("PinnedObjects"u8, collector.PinnedObjectsCount);
        json.WriteNumber("GcPausePercentage"u8, collector.PauseTimePercentage);
        json.WriteStartObject("Pools"u8);
        json.WriteNumber("Contexts"u8, server.Contexts.GetStatistics().CommittedBytes);
        json.WriteNumber("Answers"u8, server.Answers.UsedBytes);
        json.WriteNumber("AnswersInFiles"u8, server.Answers.SpilledBytes);
        json.WriteNumber("ChangedPages"u8, server.Scratch.UsedBytes);
        json.WriteEndObject();
        WriteSizes(json, "Process"u8, MachineFigures.Process());
        WriteSizes(json, "Machine"u8, MachineFigures.Memory());
        json.WriteNumber("MemoryGivenBack"u8, server.Idle.Count);
        json.WriteEndObject();
    }

    /// <summary>What the processors do.</summary>
    internal static void WriteProcessors(Utf8JsonWriter json, ServerState server)
    {
        ThreadPool.GetMinThreads(out int workersMin, out _);
        json.WriteStartObject();
        json.WriteNumber("ProcessorCount"u8, Environment.ProcessorCount);
        json.WriteNumber("ProcessUsage"u8, ServerReport.ProcessUsage(server));
        json.WriteNumber("ProcessSeconds"u8, Math.Round(Environment.CpuUsage.TotalTime.TotalSeconds, 3));
        if (ServerReport.MachineUsage(server) is { } machine)
        {
            json.WriteNumber("MachineUsage"u8, machine.Busy);
            json.WriteNumber("MachineIoWait"u8, machine.IoWait);
        }

        json.WriteStartObject("ThreadPool"u8);
        json.WriteNumber("Threads"u8, ThreadPool.ThreadCount);
        json.WriteNumber("ThreadsMin"u8, workersMin);
        json.WriteNumber("Waiting"u8, ThreadPool.PendingWorkItemCount);
        json.WriteNumber("Completed"u8, ThreadPool.CompletedWorkItemCount);
        json.WriteEndObject();
        json.WriteEndObject();
    }

    /// <summary>The threads that have used the most processor time.</summary>
    internal static void WriteThreads(Utf8JsonWriter json)
    {
        var threads = MachineFigures.Threads();
        json.WriteStartObject();
        json.WriteNumber("Count"u8, threads.Count);
        json.WriteStartArray("Runaway Threads"u8);
        foreach (var thread in threads.OrderByDescending(one => one.User + one.System).Take(ThreadsMax))
        {
            json.WriteStartObject();
            json.WriteNumber("Id"u8, thread.Id);
            json.WriteString("Name"u8, thread.Name);
            json.WriteString("State"u8, thread.State.ToString());
            json.WriteNumber("UserSeconds"u8, Math.Round(thread.User, 2));
            json.WriteNumber("SystemSeconds"u8, Math.Round(thread.System, 2));
            json.WriteString(
                "Duration"u8,
                TimeSpan.FromSeconds(thread.User + thread.System).ToString("c", CultureInfo.InvariantCulture));
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>The databases, and which of them are open.</summary>
    internal static void WriteDatabases(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject();
        json.WriteStartArray("Databases"u8);
        foreach (string name in server.Databases.Names())
        {
            if (server.Databases.TryGet(name, out Database? database))
            {
                json.WriteStartObject();
                json.WriteString("Name"u8, database.Name);
                json.WriteBoolean("IsLoaded"u8, database.OpenStorage != null);
                json.WriteBoolean("IsDisabled"u8, database.IsDisabled);
                json.WriteBoolean("IsCompacting"u8, database.IsCompacting);
                json.WriteString("Fault"u8, database.Fault ?? database.OpenStorage?.Space.Refusal);
                json.WriteNumber("Requests"u8, database.Uses.Count);
                json.WriteEndObject();
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>The counters of the server and of its routes.</summary>
    internal static void WriteMetrics(Utf8JsonWriter json, ServerState server)
    {
        RequestCounters counters = server.Counters;
        json.WriteStartObject();
        json.WriteStartObject("Requests"u8);
        json.WriteNumber("Concurrent"u8, counters.Active);
        json.WriteNumber("Count"u8, counters.Count);
        json.WriteNumber("PerSecond"u8, server.Rates.Of("requests", counters.Count));
        json.WriteNumber("ClientErrors"u8, counters.ClientErrors);
        json.WriteNumber("ServerErrors"u8, counters.ServerErrors);
        json.WriteNumber("TotalSeconds"u8, Math.Round(counters.TotalSeconds, 3));
        json.WriteNumber("Slow"u8, server.Slow.Count);
        json.WriteEndObject();
        json.WriteStartArray("Routes"u8);
        foreach (Route route in server.Routes.Routes)
        {
            (long count, double seconds, long clientErrors, long serverErrors) = counters.Of(route.Number);
            if (count > 0)
            {
                json.WriteStartObject();
                json.WriteString("Method"u8, HttpVerbs.Name(route.Verb));
                json.WriteString("Path"u8, route.Path);
                json.WriteNumber("Count"u8, count);
                json.WriteNumber("AverageMs"u8, Math.Round(seconds * 1000 / count, 4));
                json.WriteNumber("ClientErrors"u8, clientErrors);
                json.WriteNumber("ServerErrors"u8, serverErrors);
                json.WriteEndObject();
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>The counters of a database.</summary>
    internal static void WriteMetrics(Utf8JsonWriter json, ServerState server, Database database)
    {
        DatabaseFigures? figures = DatabaseFigures.ReadIfOpen(database);
        long requests = database.Uses.Count;
        json.WriteStartObject();
        json.WriteStartObject("Requests"u8);
        json.WriteNumber("Count"u8, requests);
        json.WriteNumber("PerSecond"u8, server.Rates.Of($"{database.Name}/requests", requests));
        json.WriteNumber(
            "TotalSeconds"u8, Math.Round(database.Uses.Ticks / (double)server.Time.TimestampFrequency, 3));
        json.WriteEndObject();
        json.WriteStartObject("Docs"u8);
        json.WriteNumber("Changes"u8, figures?.Counts.LastEtag ?? 0);
        json.WriteNumber(
            "ChangesPerSecond"u8, server.Rates.Of($"{database.Name}/changes", figures?.Counts.LastEtag ?? 0));
        json.WriteEndObject();
        json.WriteStartObject("Writes"u8);
        json.WriteNumber("Count"u8, figures?.Merger.Writes ?? 0);
        json.WriteNumber("Commits"u8, figures?.Merger.Groups ?? 0);
        WriteTimes(json, "Time"u8, figures?.Merger.Latency);
        json.WriteEndObject();
        json.WriteStartArray("Indexes"u8);
        foreach (IndexFigures index in figures?.Indexes ?? [])
        {
            json.WriteStartObject();
            json.WriteString("Name"u8, index.Index.Name);
            json.WriteNumber("Batches"u8, index.Index.Statistics.BatchCount);
            json.WriteNumber("Documents"u8, index.Index.Statistics.DocumentCount);
            json.WriteNumber("TotalSeconds"u8, Math.Round(index.Index.Statistics.BatchTime.TotalSeconds, 3));
            json.WriteNumber("Lag"u8, index.Lag);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>How fast the disk was for the documents and the indexes of a database.</summary>
    internal static void WriteDisk(Utf8JsonWriter json, Database database)
    {
        DatabaseFigures? figures = DatabaseFigures.ReadIfOpen(database);
        json.WriteStartObject();
        json.WriteStartArray("Environments"u8);
        if (figures != null)
        {
            WriteEnvironment(json, database.Name, "Documents", figures.Storage);
            foreach (IndexFigures index in figures.Indexes.Where(one => one.Storage != null))
            {
                WriteEnvironment(json, index.Index.Name, "Index", index.Storage!);
            }
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>The large documents that were written last.</summary>
    internal static void WriteLargeDocuments(Utf8JsonWriter json, Database database)
    {
        json.WriteStartObject();
        json.WriteStartArray("Results"u8);
        foreach (Raven.Documents.Commands.LargeDocument one in database.LargeDocuments)
        {
            json.WriteStartObject();
            json.WriteString("Id"u8, one.Id);
            json.WriteNumber("Size"u8, one.SizeBytes);
            json.WriteTime("LastAccess"u8, one.At);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    /// <summary>Slow requests, or queries.</summary>
    /// <param name="json">Takes it.</param>
    /// <param name="ring">Where they are kept.</param>
    /// <param name="database">Of which database; null for all.</param>
    internal static void WriteSlow(Utf8JsonWriter json, SlowRing ring, string? database)
    {
        json.WriteStartObject();
        json.WriteNumber("Count"u8, ring.Count);
        json.WriteStartArray("Results"u8);
        foreach (SlowRequest one in ring.List())
        {
            if (database != null && !one.Database.Equals(database, StringComparison.OrdinalIgnoreCase))
            {
                continue;
            }

            json.WriteStartObject();
            json.WriteTime("At"u8, one.At);
            json.WriteString("Id"u8, one.Id);
            json.WriteString("Method"u8, one.Method);
            json.WriteString("Route"u8, one.Route);
            json.WriteString("Path"u8, one.Path);
            json.WriteString("Database"u8, one.Database);
            json.WriteNumber("Status"u8, one.Status);
            json.WriteNumber("Milliseconds"u8, one.Milliseconds);
            json.WriteString("Detail"u8, one.Detail);
            json.WriteString("Caller"u8, one.Caller);
            json.WriteEndObject();
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteEnvironment(Utf8JsonWriter json, string name, string type, StorageStatistics storage)
    {
        json.WriteStartObject();
        json.WriteString("Name"u8, name);
        json.WriteString("Type"u8, type);
        json.WriteNumber("DataFileSizeInBytes"u8, storage.DataFileBytes);
        json.WriteNumber("JournalSizeInBytes"u8, storage.JournalFileBytes);
        json.WriteNumber("Flushes"u8, storage.Flushes);
        WriteTimes(json, "JournalWrite"u8, storage.JournalWrites);
        json.WriteEndObject();
    }

    private static void WriteTimes(Utf8JsonWriter json, ReadOnlySpan<byte> name, LatencyHistogram? times)
    {
        json.WriteStartObject(name);
        if (times != null)
        {
            long count = times.Count;
            json.WriteNumber("Count"u8, count);
            json.WriteNumber("TotalMs"u8, Math.Round(times.Sum.TotalMilliseconds, 3));
            json.WriteNumber("P50Ms"u8, count == 0 ? 0 : Math.Round(times.Percentile(0.5).TotalMilliseconds, 3));
            json.WriteNumber("P99Ms"u8, count == 0 ? 0 : Math.Round(times.Percentile(0.99).TotalMilliseconds, 3));
            json.WriteNumber("MaxMs"u8, Math.Round(times.Max.TotalMilliseconds, 3));
        }

        json.WriteEndObject();
    }

    private static void WriteSizes(Utf8JsonWriter json, ReadOnlySpan<byte> name, Dictionary<string, long> sizes)
    {
        json.WriteStartObject(name);
        foreach ((string key, long bytes) in sizes)
        {
            json.WriteNumber(key, bytes);
        }

        json.WriteEndObject();
    }
}
