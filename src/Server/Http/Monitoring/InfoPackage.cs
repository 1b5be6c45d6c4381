using System.IO.Compression;
using System.Text;
using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Server.Diagnostics;
using Raven.Server.Http.Security;
using Raven.Server.Options;

namespace Raven.Server.Http.Monitoring;

/// <summary>
/// A zip file with the reports of a server or of a database, for those who help an operator: no document, no value of a
/// query, and asterisks in place of secrets.
/// </summary>
internal static class InfoPackage
{
    /// <summary>The package of a server.</summary>
    internal static byte[] OfServer(ServerState server)
    {
        using var file = new MemoryStream();
        using (var zip = new ZipArchive(file, ZipArchiveMode.Create, leaveOpen: true))
        {
            Add(zip, "server.json", json => ServerReport.Write(json, server));
            Add(zip, "memory.json", json => DebugReports.WriteMemory(json, server));
            Add(zip, "cpu.json", json => DebugReports.WriteProcessors(json, server));
            Add(zip, "threads.json", DebugReports.WriteThreads);
            Add(zip, "metrics.json", json => DebugReports.WriteMetrics(json, server));
            Add(zip, "databases.json", json => DebugReports.WriteDatabases(json, server));
            Add(zip, "monitoring-databases.json", json => MonitoringJson.WriteDatabases(json, server, null));
            Add(zip, "monitoring-indexes.json", json => MonitoringJson.WriteIndexes(json, server, null));
            AddText(zip, "options.txt", OptionTable.Print(server.Options));
            var metrics = new MetricsText();
            ServerMetricsText.Write(metrics, server);
            DatabaseMetricsText.Write(metrics, WatchedDatabase.All(server));
            TaskMetricsText.Write(metrics, server);
            AddText(zip, "metrics.txt", metrics.Text.ToString());
            AddText(zip, "log.txt", LogText(server));
        }

        return file.ToArray();
    }

    /// <summary>The package of a database, which is not opened for it.</summary>
    internal static byte[] OfDatabase(ServerState server, Database database)
    {
        string[] name = [database.Name];
        using var file = new MemoryStream();
        using (var zip = new ZipArchive(file, ZipArchiveMode.Create, leaveOpen: true))
        {
            Add(zip, "database.json", json => MonitoringJson.WriteDatabases(json, server, name));
            Add(zip, "indexes.json", json => MonitoringJson.WriteIndexes(json, server, name));
            Add(zip, "collections.json", json => MonitoringJson.WriteCollections(json, server, name));
            Add(zip, "metrics.json", json => DebugReports.WriteMetrics(json, server, database));
            Add(zip, "io.json", json => DebugReports.WriteDisk(json, database));
            if (server.Databases.TryGetRecord(database.Name, out DatabaseRecord? record))
            {
                AddText(zip, "record.json", Encoding.UTF8.GetString(RecordSecrets.Masked(record.Json.ToArray())));
            }
        }

        return file.ToArray();
    }

    /// <summary>The last lines of the log as text.</summary>
    internal static string LogText(ServerState server, DateTimeOffset? from = null, DateTimeOffset? to = null)
    {
        var text = new StringBuilder();
        foreach (LogLine line in server.LogSwitch.Lines.List())
        {
            if ((from == null || line.At >= from) && (to == null || line.At <= to))
            {
                text.Append(System.Globalization.CultureInfo.InvariantCulture,
                    $"{line.At:yyyy-MM-ddTHH:mm:ss.fffZ} {line.Level} {line.Source}[{line.Event}] {line.Text}\n");
                if (line.Trace.Length > 0)
                {
                    text.Append(line.Trace).Append('\n');
                }
            }
        }

        return text.ToString();
    }

    /// <summary>A zip file with one text.</summary>
    internal static byte[] Of(string name, string text)
    {
        using var file = new MemoryStream();
        using (var zip = new ZipArchive(file, ZipArchiveMode.Create, leaveOpen: true))
        {
            AddText(zip, name, text);
        }

        return file.ToArray();
    }

    private static void Add(ZipArchive zip, string name, Action<Utf8JsonWriter> write)
    {
        using Stream entry = zip.CreateEntry(name).Open();
        using var json = new Utf8JsonWriter(entry, new JsonWriterOptions { Indented = true });
        write(json);
    }

    private static void AddText(ZipArchive zip, string name, string text)
    {
        using Stream entry = zip.CreateEntry(name).Open();
        entry.Write(Encoding.UTF8.GetBytes(text));
    }
}
