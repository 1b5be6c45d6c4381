using System.Globalization;
using System.Text.Json;
using Raven.Documents;
using Raven.Server.Diagnostics;
using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Raven.Server.Http.Monitoring;

/// <summary>The figures of the server as monitoring systems of RavenDB read them.</summary>
internal static class ServerReport
{
    /// <summary>The rate of the processor time of the process.</summary>
    internal const string ProcessorTime = "cpu/process";

    private const long MegabyteBytes = 1 << 20;

    internal static void Write(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject();
        json.WriteString("ServerVersion"u8, ServerVersion.Product);
        json.WriteString("ServerFullVersion"u8, ServerVersion.Program);
        json.WriteNumber("UpTimeInSec"u8, (long)server.Uptime.TotalSeconds);
        json.WriteNumber("ServerProcessId"u8, Environment.ProcessId);
        WriteBackup(json, server);
        WriteConfiguration(json, server);
        WriteProcessors(json, server);
        WriteMemory(json, server);
        WriteDisk(json, server);
        WriteLicense(json);
        WriteNetwork(json, server);
        WriteCertificate(json, server);
        WriteCluster(json, server);
        json.WriteStartObject("Databases"u8);
        json.WriteNumber("TotalCount"u8, server.Databases.Count);
        json.WriteNumber("LoadedCount"u8, LoadedCount(server));
        json.WriteEndObject();
        json.WriteEndObject();
    }

    /// <summary>How many databases are open.</summary>
    internal static int LoadedCount(ServerState server) => server.Databases.Names()
        .Count(name => server.Databases.TryGet(name, out Database? database) && database.OpenStorage != null);

    /// <summary>The part of all processors that the process has used over the last minute of looks, in percent.
    /// </summary>
    internal static double ProcessUsage(ServerState server) => Math.Round(Math.Min(
        100, 100 * server.Rates.Of(ProcessorTime, Environment.CpuUsage.TotalTime.TotalSeconds)
            / Environment.ProcessorCount), 2);

    /// <summary>The same of the whole machine; null if the system does not say it.</summary>
    internal static (double Busy, double IoWait)? MachineUsage(ServerState server)
    {
        if (MachineFigures.Processors() is not { } now)
        {
            return null;
        }

        // Machines count from their own start: the first look has what was since then.
        double all = server.Rates.Of("cpu/machine", now.All);
        return all <= 0
            ? (0, 0)
            : (Percent(server.Rates.Of("cpu/busy", now.Busy) / all),
                Percent(server.Rates.Of("cpu/wait", now.IoWait) / all));

        static double Percent(double part) => Math.Round(100 * Math.Clamp(part, 0, 1), 2);
    }

    private static void WriteBackup(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject("Backup"u8);
        json.WriteNumber("CurrentNumberOfRunningBackups"u8, server.Backups.RunningCount);
        json.WriteNumber("MaxNumberOfConcurrentBackups"u8, server.Backups.PlaceCount);
        json.WriteEndObject();
    }

    private static void WriteConfiguration(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject("Config"u8);
        json.WriteStartArray("ServerUrls"u8);
        foreach (Uri url in server.Options.Urls())
        {
            json.WriteStringValue(url.GetLeftPart(UriPartial.Authority));
        }

        json.WriteEndArray();
        json.WriteString("PublicServerUrl"u8, server.Options.PublicServerUrl?.GetLeftPart(UriPartial.Authority));
        json.WriteStartArray("TcpServerUrls"u8);
        json.WriteEndArray();
        json.WriteStartArray("PublicTcpServerUrls"u8);
        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteProcessors(Utf8JsonWriter json, ServerState server)
    {
        ThreadPool.GetAvailableThreads(out int workers, out int ports);
        (double Busy, double IoWait)? machine = MachineUsage(server);
        json.WriteStartObject("Cpu"u8);
        json.WriteNumber("ProcessUsage"u8, ProcessUsage(server));
        json.WriteNumber("MachineUsage"u8, machine?.Busy ?? 0);
        if (machine is { } known)
        {
            json.WriteNumber("MachineIoWait"u8, known.IoWait);
        }
        else
        {
            json.WriteNull("MachineIoWait"u8);
        }

        json.WriteNumber("ProcessorCount"u8, Environment.ProcessorCount);
        json.WriteNumber("AssignedProcessorCount"u8, Environment.ProcessorCount);
        json.WriteNumber("ThreadPoolAvailableWorkerThreads"u8, workers);
        json.WriteNumber("ThreadPoolAvailableCompletionPortThreads"u8, ports);
        json.WriteEndObject();
    }

    private static void WriteMemory(Utf8JsonWriter json, ServerState server)
    {
        Dictionary<string, long> machine = MachineFigures.Memory();
        Dictionary<string, long> process = MachineFigures.Process();
        long swap = machine.GetValueOrDefault("SwapTotal");
        json.WriteStartObject("Memory"u8);
        json.WriteNumber("AllocatedMemoryInMb"u8, MemoryGate.UsedBytes() / MegabyteBytes);
        json.WriteNumber("PhysicalMemoryInMb"u8, machine.GetValueOrDefault("MemTotal") / MegabyteBytes);
        json.WriteNumber("InstalledMemoryInMb"u8, machine.GetValueOrDefault("MemTotal") / MegabyteBytes);
        json.WriteString("LowMemorySeverity"u8, server.Memory.IsOpen ? "None" : "Low");
        json.WriteNumber("TotalSwapSizeInMb"u8, swap / MegabyteBytes);
        json.WriteNumber("TotalSwapUsageInMb"u8, (swap - machine.GetValueOrDefault("SwapFree")) / MegabyteBytes);
        json.WriteNumber("WorkingSetSwapUsageInMb"u8, process.GetValueOrDefault("VmSwap") / MegabyteBytes);
        json.WriteNumber("TotalDirtyInMb"u8, server.Scratch.UsedBytes / MegabyteBytes);
        json.WriteEndObject();
    }

    private static void WriteDisk(Utf8JsonWriter json, ServerState server)
    {
        var disk = new DriveInfo(server.DataFolder);
        StorageStatistics catalog = server.Databases.Storage;
        long unused = catalog.FreePages * PageHeader.PageSizeInBytes;
        json.WriteStartObject("Disk"u8);
        json.WriteNumber(
            "SystemStoreUsedDataFileSizeInMb"u8, Math.Max(0, catalog.DataFileBytes - unused) / MegabyteBytes);
        json.WriteNumber("SystemStoreTotalDataFileSizeInMb"u8, catalog.DataFileBytes / MegabyteBytes);
        json.WriteNumber("TotalFreeSpaceInMb"u8, disk.AvailableFreeSpace / MegabyteBytes);
        json.WriteNumber(
            "RemainingStorageSpacePercentage"u8,
            disk.TotalSize == 0 ? 0 : (long)(100.0 * disk.AvailableFreeSpace / disk.TotalSize));
        json.WriteEndObject();
    }

    /// <summary>There are no licences: nothing ends, and all processors may be used.</summary>
    private static void WriteLicense(Utf8JsonWriter json)
    {
        json.WriteStartObject("License"u8);
        json.WriteString("Type"u8, "None"u8);
        json.WriteNull("ExpirationLeftInSec"u8);
        json.WriteNumber("UtilizedCpuCores"u8, Environment.ProcessorCount);
        json.WriteNumber("MaxCores"u8, Environment.ProcessorCount);
        json.WriteEndObject();
    }

    private static void WriteNetwork(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject("Network"u8);
        json.WriteNumber("TcpActiveConnections"u8, server.ConnectionCount);
        json.WriteNumber("ConcurrentRequestsCount"u8, server.Counters.Active);
        json.WriteNumber("TotalRequests"u8, server.Counters.Started);
        json.WriteNumber("RequestsPerSec"u8, server.Rates.Of("requests", server.Counters.Count));
        json.WriteNull("LastRequestTimeInSec"u8);
        json.WriteNull("LastAuthorizedNonClusterAdminRequestTimeInSec"u8);
        json.WriteEndObject();
    }

    private static void WriteCertificate(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject("Certificate"u8);
        if (server.Security.Certificate is { } certificate)
        {
            json.WriteNumber("ServerCertificateExpirationLeftInSec"u8, Math.Round(certificate.Left.TotalSeconds, 3));
        }
        else
        {
            json.WriteNull("ServerCertificateExpirationLeftInSec"u8);
        }

        json.WriteStartArray("WellKnownAdminCertificates"u8);
        foreach (string thumbprint in server.Options.Security.WellKnownAdministrators)
        {
            json.WriteStringValue(thumbprint);
        }

        json.WriteEndArray();
        json.WriteEndObject();
    }

    private static void WriteCluster(Utf8JsonWriter json, ServerState server)
    {
        json.WriteStartObject("Cluster"u8);
        json.WriteString("NodeState"u8, "Leader"u8);
        json.WriteNumber("CurrentTerm"u8, 1);
        json.WriteNumber("Index"u8, 0);
        json.WriteString("Id"u8, server.Id.ToString("D", CultureInfo.InvariantCulture));
        json.WriteEndObject();
    }
}
