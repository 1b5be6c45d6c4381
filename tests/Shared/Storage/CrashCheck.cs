using System.Collections.Immutable;
using Raven.Storage.Checks;
using Raven.Storage.Errors;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>
/// Opens what a power cut left, and compares it with the model: acknowledged at most recovered at most attempted, whole
/// transactions, every page owned once, and a second open that changes nothing.
/// </summary>
internal static class CrashCheck
{
    private static readonly ImmutableSortedDictionary<string, byte[]> Nothing = CrashWorkload.Empty;

    /// <summary>Throws <see cref="CrashTestException"/> if the image is not recovered as required.</summary>
    /// <returns>The transaction that it recovers to.</returns>
    internal static long Require(CrashWorkload workload, DiskImage image, int cut)
    {
        using var disk = new SimulatedFileSystem(image, borrows: true);
        long recovered;
        using (StorageEnvironment environment = Open(workload, disk))
        {
            recovered = environment.LastTransactionId;
            RequireBounds(workload, recovered, cut);
            RequireState(workload, environment, recovered, cut);
        }

        int done = disk.Log.Count;
        using StorageEnvironment again = Open(workload, disk);
        bool isChanged = disk.Log.Skip(done).Any(
            operation => operation.Kind is not (DiskOperationKind.Sync or DiskOperationKind.SyncDirectory));
        if (again.LastTransactionId != recovered || again.Recovery.Transactions != 0 || isChanged)
        {
            throw new CrashTestException("The second open was not the same as the first.");
        }

        return recovered;
    }

    /// <summary>Throws if a cut loses what was acknowledged before it, or recovers what had not begun.</summary>
    internal static void RequireBounds(CrashWorkload workload, long recovered, int cut)
    {
        long acknowledged = 0;
        long attempted = 0;
        foreach (CommitAttempt attempt in workload.Attempts)
        {
            acknowledged = attempt.AcknowledgedAt < cut ? attempt.TransactionId : acknowledged;
            attempted = attempt.BeganAt < cut ? Math.Max(attempted, attempt.TransactionId) : attempted;
        }

        if (recovered < acknowledged || recovered > attempted)
        {
            throw new CrashTestException(
                $"Recovered {recovered}, acknowledged were {acknowledged}, attempted {attempted}.");
        }
    }

    private static StorageEnvironment Open(CrashWorkload workload, SimulatedFileSystem disk)
    {
        try
        {
            return workload.Open(disk);
        }
        catch (Exception failure)
        {
            throw new CrashTestException($"The open failed: {failure.Message}", failure);
        }
    }

    private static void RequireState(CrashWorkload workload, StorageEnvironment environment, long recovered, int cut)
    {
        try
        {
            using (ReadTransaction reader = environment.BeginRead())
            {
                string? difference = recovered == 0 ? CrashWorkload.Difference(reader, Nothing) : "no such commit";
                foreach (CommitAttempt attempt in workload.Attempts)
                {
                    if (attempt.TransactionId == recovered && attempt.BeganAt < cut && difference is not null)
                    {
                        difference = CrashWorkload.Difference(reader, attempt.State);
                    }
                }

                if (difference is not null)
                {
                    throw new CrashTestException($"Transaction {recovered} is not whole: {difference}");
                }
            }

            CheckReport report = environment.Audit();
            if (report.Findings.Count > 0)
            {
                throw new CrashTestException($"Audit: {string.Join("; ", report.Findings.Take(5))}");
            }
        }
        catch (StorageCorruptedException failure)
        {
            throw new CrashTestException($"Reading failed: {failure.Message}", failure);
        }
    }
}
