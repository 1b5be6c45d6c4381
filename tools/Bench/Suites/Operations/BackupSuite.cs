using System.Globalization;
using System.Text;
using Raven.Tools.Bench.Suites.Documents;
using Raven.Tools.Load;

namespace Raven.Tools.Bench.Suites.Operations;

/// <summary>Backups and restores, beside a copy of the data file; and writes beside a backup.</summary>
internal sealed class BackupSuite : IBenchSuite
{
    private const string SnapshotName = "snapshot backup, cold cache";
    private const string RestoreName = "restore of that snapshot, cold cache";
    private const string Packed = ", compressed";
    private const string RangeName = "incremental backup after a range of 1% was written";
    private const string SpreadName = "incremental backup after 1% was written, spread over all";
    private const string WritesName = "writes by 64 connections beside a full backup";
    private const string CopyName = "cp --reflink=never; sync -f";
    private const int Connections = 64;
    private const int BatchCount = 500;

    private int _folders;
    private int _copies;

    public string Name => "operations";

    public IEnumerable<BenchRow> GetRows(BenchContext context)
    {
        string[] names =
            [
                SnapshotName, SnapshotName + Packed, RestoreName, RestoreName + Packed, RangeName, SpreadName,
                WritesName + ": rate", WritesName + ": p99",
            ];
        if (!Array.Exists(names, context.Wants))
        {
            yield break;
        }

        string root = Directory.CreateDirectory(Path.Combine(context.ScratchDirectory, "backups")).FullName;
        string data = Path.Combine(root, "data");
        using BenchDatabase ours = BenchDatabase.Start(data);
        ours.Load(OperationsServer.DocumentCount, BenchDatabase.WordsBody);
        string file = Path.Combine(data, "bench", "data.voron");
        string copy = Path.Combine(root, "copy");
        foreach (bool isPacked in (bool[])[false, true])
        {
            // A copy is not compressed: one that is has no target.
            string end = isPacked ? Packed : "";
            BenchTarget target = isPacked ? BenchTarget.None : BenchTarget.RatioAtLeast(0.7);
            yield return Row(SnapshotName + end, "MB/s", CopyName, target) with
            {
                Ours = () => Cold(file, () => BackUpOnce(ours, root, isPacked)),
                Peer = () => Cold(file, () => Copy(file, copy)),
            };
            string snapshot = BackUpOnce(ours, root, isPacked);
            yield return Row(RestoreName + end, "MB/s", CopyName, target) with
            {
                Ours = () => Cold(file, () => Restore(ours, snapshot)),
                Peer = () => Cold(file, () => Copy(file, copy)),
            };
        }

        foreach (BenchRow row in GetIncrementalRows(ours, root))
        {
            yield return row;
        }

        var writes = new RunMemo<(LoadReport Alone, LoadReport Beside)>(_ => (
            ours.Run("PUT", "docs?id=", Connections), Beside(ours)));
        yield return Row(WritesName + ": rate", "requests/s", "alone", BenchTarget.RatioAtLeast(0.8)) with
        {
            Ours = writes.Metric(run => run.Beside.RequestsPerSecond),
            Peer = writes.Metric(run => run.Alone.RequestsPerSecond),
        };
        yield return Row(WritesName + ": p99", "us", "alone", BenchTarget.RatioAtMost(2)) with
        {
            Ours = writes.Metric(run => run.Beside.Latency.GetPercentile(0.99) / 1000.0),
            Peer = writes.Metric(run => run.Alone.Latency.GetPercentile(0.99) / 1000.0),
        };
    }

    private static IEnumerable<BenchRow> GetIncrementalRows(BenchDatabase ours, string root)
    {
        string folder = Path.Combine(root, "task");
        ours.Send("POST", "/databases/bench/admin/periodic-backup", $$"""
            {"Name":"bench","FullBackupFrequency":"0 1 1 1 *","LocalSettings":{"FolderPath":"{{folder}}"} }
            """);
        foreach ((string name, bool isSpread) in ((string, bool)[])[(RangeName, false), (SpreadName, true)])
        {
            // In turn: a full one, 1% written, and what has changed.
            var runs = new RunMemo<(double[] Full, double[] Part)>(_ =>
            {
                double[] full = BackUp(ours, isFull: true);
                Write(ours, isSpread);
                double[] part = BackUp(ours, isFull: false);
                Directory.Delete(folder, recursive: true);
                return (full, part);
            });
            for (int i = 0; i < 2; i++)
            {
                int which = i;
                yield return Row(
                    $"{name}: {(which == 0 ? "time" : "size")}", which == 0 ? "s" : "MB", "the full one",
                    isSpread ? BenchTarget.None : BenchTarget.RatioAtMost(0.03)) with
                {
                    Ours = runs.Metric(run => run.Part[which]),
                    Peer = runs.Metric(run => run.Full[which]),
                };
            }
        }
    }

    private static BenchRow Row(string name, string unit, string peer, BenchTarget target) =>
        new() { Name = name, Unit = unit, PeerName = peer, Target = target, WarmUpRuns = 1 };

    /// <summary>MB/s of work that goes once through a file, which is not in memory.</summary>
    private static double Cold(string file, Action work)
    {
        OperationsServer.DropCaches();
        return new FileInfo(file).Length / 1e6 / Measure.WallSeconds(work);
    }

    private static void Copy(string file, string copy)
    {
        OperationsServer.Run("cp", "--reflink=never", file, copy);
        OperationsServer.Run("sync", "-f", copy);
        File.Delete(copy);
    }

    /// <summary>A snapshot in a new folder: the folder of the backup.</summary>
    private string BackUpOnce(BenchDatabase ours, string root, bool isPacked)
    {
        string folder = Path.Combine(root, $"once{_folders++}");
        string level = isPacked ? "Fastest" : "NoCompression";
        ours.RunOperation("/databases/bench/admin/backup", $$"""
            {"BackupType":"Snapshot","LocalSettings":{"FolderPath":"{{folder}}"},
             "SnapshotSettings":{"CompressionLevel":"{{level}}"} }
            """);
        return Directory.GetDirectories(folder).Single();
    }

    private void Restore(BenchDatabase ours, string folder)
    {
        string name = $"restored{_copies++}";
        ours.RunOperation(
            "/admin/restore/database", $$"""{"DatabaseName":"{{name}}","BackupLocation":"{{folder}}"}""");
        ours.Send("DELETE", "/admin/databases", $$"""{"HardDelete":true,"DatabaseNames":["{{name}}"]}""");
    }

    /// <summary>A run of the task: its seconds and megabytes.</summary>
    private static double[] BackUp(BenchDatabase ours, bool isFull)
    {
        long bytes = 0;
        double seconds = Measure.WallSeconds(() =>
        {
            System.Text.Json.Nodes.JsonNode result = ours.RunOperation(
                $"/databases/bench/admin/backup/database?isFullBackup={isFull}&taskId=1");
            bytes = (bool)result["IsFull"]! == isFull
                ? (long)result["LocalBackup"]!["SizeInBytes"]!
                : throw new InvalidOperationException(result.ToJsonString());
        });
        return [seconds, bytes / 1e6];
    }

    /// <summary>Writes one in a hundred of the documents, in batches.</summary>
    private static void Write(BenchDatabase ours, bool isSpread)
    {
        int count = Math.Max(1, OperationsServer.DocumentCount / 100);
        for (int first = 0; first < count; first += BatchCount)
        {
            var body = new StringBuilder("{\"Commands\":[");
            for (int i = first; i < Math.Min(count, first + BatchCount); i++)
            {
                long number = isSpread ? i * 100L : i;
                string document = BenchDatabase.WordsBody(number)
                    .Replace("User ", "Changed ", StringComparison.Ordinal);
                body.Append(i == first ? "" : ",").Append(
                    CultureInfo.InvariantCulture,
                    $"{{\"Id\":\"{BenchDatabase.WholeId(number)}\",\"Type\":\"PUT\",\"Document\":{document}}}");
            }

            ours.Send("POST", "/databases/bench/bulk_docs", body.Append("]}").ToString());
        }
    }

    /// <summary>The same writes while one full backup after the other is made.</summary>
    private LoadReport Beside(BenchDatabase ours)
    {
        string folder = Path.Combine(Path.GetTempPath(), $"raven-bench-beside-{Environment.ProcessId}-{_folders++}");
        bool isOver = false;
        var backups = new Thread(() =>
        {
            while (!Volatile.Read(ref isOver))
            {
                ours.RunOperation(
                    "/databases/bench/admin/backup", $$"""{"LocalSettings":{"FolderPath":"{{folder}}"} }""");
                Directory.Delete(folder, recursive: true);
            }
        });
        backups.Start();
        try
        {
            return ours.Run("PUT", "docs?id=", Connections);
        }
        finally
        {
            Volatile.Write(ref isOver, true);
            backups.Join();
        }
    }
}
