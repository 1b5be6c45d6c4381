using Raven.Storage.Paging;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>What a power cut may leave of a copy of an environment: none, or one that opens and is sound.</summary>
internal static class CopyCheck
{
    /// <summary>Throws if the copy is neither whole nor absent.</summary>
    /// <returns>Its last transaction; 0 if it is absent.</returns>
    internal static long Require(CrashWorkload workload, DiskImage image, CrashScenario scenario, bool isEnded)
    {
        bool isThere = image.Files.ContainsKey(DataFile.Name);
        if (!isThere && isEnded)
        {
            throw new CrashTestException($"Scenario {scenario.Name}: the copy is lost.");
        }

        if (!isThere)
        {
            return 0;
        }

        using var disk = new SimulatedFileSystem(image, borrows: true);
        using StorageEnvironment environment = workload.Open(disk);
        if (environment.Audit().Findings is [var finding, ..])
        {
            throw new CrashTestException($"Scenario {scenario.Name}: {finding}");
        }

        using ReadTransaction reader = environment.BeginRead();
        if ((isEnded || !scenario.IsGradual) && CrashWorkload.Difference(reader, workload.State) is { } difference)
        {
            throw new CrashTestException($"Scenario {scenario.Name}: the copy is not whole: {difference}");
        }

        return environment.LastTransactionId;
    }
}
