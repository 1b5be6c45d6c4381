using System.Text.Json;
using Raven.Documents;
using Raven.Documents.Catalog;
using Raven.Security.Rights;
using Raven.Server.Diagnostics;
using Raven.Server.Http;
using Raven.Server.Http.Routing;
using Raven.Server.Http.Security;
using Raven.Storage.Transactions;

namespace Raven.Server.Handlers;

/// <summary>The routes of health checks, for a system that restarts or replaces the server.</summary>
internal static class HealthHandler
{
    /// <summary>The least free room: below it, or below an eighth of a small disk, the next journal file may
    /// not fit.</summary>
    private const long DiskFreeBytesMin = 64L * 1024 * 1024;

    private const int DiskParts = 8;

    [Route("GET", "/healthz", Access.Anyone, Place = Place.Node,
        Summary = "200 where all is well, 503 and what is wrong")]
    internal static ValueTask GetAsync(RequestContext request)
    {
        ServerState server = request.Server;
        List<(string Name, string Fault)> faults = [];
        List<(string Name, string Fault)> full = [];
        if (server.Databases.Fault is { } catalogFault)
        {
            faults.Add((DatabaseCatalog.CatalogFolder, catalogFault));
        }
        else if (server.Databases.Refusal is { } refusal)
        {
            full.Add((DatabaseCatalog.CatalogFolder, refusal));
        }

        long backlogBytes = 0;
        TimeSpan oldestReader = TimeSpan.Zero;
        foreach (string name in server.Databases.Names())
        {
            if (!server.Databases.TryGet(name, out Database? database))
            {
                continue;
            }

            if ((database.Fault ?? database.OpenStorage?.Environment.Damage?.Message) is { } fault)
            {
                faults.Add((name, fault));
            }
            else if (database.OpenStorage?.Space.Refusal is { } noRoom)
            {
                // The free room may be enough for the check below, or a quota that it does not see may be used up.
                full.Add((name, noRoom));
            }

            if (database.TryGetStorageStatistics(out StorageStatistics? storage))
            {
                backlogBytes = Math.Max(backlogBytes, storage.JournalBacklogBytes);
                oldestReader = TimeSpan.FromTicks(Math.Max(oldestReader.Ticks, storage.OldestReader.Age.Ticks));
            }
        }

        bool isFaulted = faults.Count > 0;
        faults.AddRange(full);
        var disk = new DriveInfo(server.DataFolder);
        string status = server.Stopping.IsCancellationRequested ? "Stopping"
            : isFaulted ? "Faulted"
            : full.Count > 0 ? "DiskFull"
            : IsFull(disk.AvailableFreeSpace, disk.TotalSize) && !server.Options.RunInMemory ? "DiskFull"
            : "Healthy";
        request.Response.Status = status == "Healthy" ? 200 : 503;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Status"u8, status);
        json.WriteStartObject("Disk"u8);
        json.WriteNumber("FreeBytes"u8, disk.AvailableFreeSpace);
        json.WriteNumber("TotalBytes"u8, disk.TotalSize);
        json.WriteEndObject();
        json.WriteStartObject("Lag"u8);
        json.WriteNumber("JournalBacklogBytes"u8, backlogBytes);
        json.WriteNumber("OldestReaderMilliseconds"u8, (long)oldestReader.TotalMilliseconds);
        json.WriteEndObject();
        json.WriteNumber("Databases"u8, server.Databases.Count);
        WriteCertificate(json, server.Security);
        WriteFaults(json, faults);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/healthz/ready", Access.Anyone, Place = Place.Node,
        Summary = "200 if requests may be sent here, 503 if they may not")]
    internal static ValueTask GetReadyAsync(RequestContext request)
    {
        ServerState server = request.Server;
        string word = server.Stopping.IsCancellationRequested ? "Stopping"
            : server.IsDraining ? "Draining"
            : server.Databases.Fault != null ? "Faulted"
            : "Ready";
        request.Response.Status = word == "Ready" ? 200 : 503;
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteString("Status"u8, word);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    [Route("GET", "/setup/alive", Access.Anyone, Place = Place.Node, Summary = "Answers while the process lives")]
    internal static ValueTask GetAliveAsync(RequestContext request)
    {
        request.Response.Status = 204;
        return ValueTask.CompletedTask;
    }

    [Route("POST", "/admin/drain", Access.Operator, Place = Place.Node, Audit = "server.drained", IsAuditNote = true,
        Summary = "Says by /healthz/ready that requests are to be sent elsewhere, or takes it back",
        Query = "enable:bool")]
    internal static ValueTask PostDrainAsync(RequestContext request)
    {
        bool isDraining = request.Query.GetText("enable") == null || request.Query.GetBool("enable");
        request.Announce(detail: DatabaseEvents.Of("draining", isDraining ? "true" : "false"));
        request.Server.IsDraining = isDraining;
        ServerLog.Draining(request.Server.Log, isDraining);
        Utf8JsonWriter json = request.Response.BeginJson();
        json.WriteStartObject();
        json.WriteBoolean("Draining"u8, isDraining);
        json.WriteNumber("Active"u8, request.Server.Counters.Active);
        json.WriteEndObject();
        return ValueTask.CompletedTask;
    }

    private static void WriteFaults(Utf8JsonWriter json, List<(string Name, string Fault)> faults)
    {
        json.WriteStartObject("Faults"u8);
        foreach ((string name, string fault) in faults)
        {
            json.WriteString(name, fault);
        }

        json.WriteEndObject();
    }

    private static void WriteCertificate(Utf8JsonWriter json, ServerSecurity security)
    {
        if (security.Certificate is { } certificate)
        {
            json.WriteStartObject("Certificate"u8);
            json.WriteNumber("DaysLeft"u8, (int)Math.Floor(certificate.Left.TotalDays));
            json.WriteBoolean("IsReloadFailing"u8, certificate.LastFailure != null);
            json.WriteEndObject();
        }
    }

    /// <summary>Whether a disk has too little room.</summary>
    internal static bool IsFull(long freeBytes, long totalBytes) =>
        freeBytes < Math.Min(DiskFreeBytesMin, totalBytes / DiskParts);
}
