using Raven.Cluster.Etcd;
using Raven.Tools.Stress.Histories;

namespace SlowTests.Cluster;

/// <summary>Makes a history in a folder of its own, which is kept if something is wrong with it.</summary>
public abstract class HistoryTestsBase(ITestOutputHelper output)
{
    private protected async Task<HistoryResult> RunAsync(
        int seed, TimeSpan length, string? serverPath = null, IReadOnlyList<FaultKind>? faults = null)
    {
        if (HistoryRun.NetworkProblem is { } problem)
        {
            output.WriteLine($"not tested: cuts of the network: {problem}");
        }

        EtcdProgram etcd = await EtcdOfDebian.ProgramAsync();
        string folder = Directory.CreateTempSubdirectory("raven-history-").FullName;
        HistoryResult result = await HistoryRun.RunAsync(
            new HistoryOptions
            {
                ServerPath = serverPath ?? Path.Combine(AppContext.BaseDirectory, "Raven.Server.dll"),
                EtcdPath = etcd.Path,
                Folder = folder,
                Seed = seed,
                Length = length,
                Faults = faults,
                Say = output.WriteLine,
            },
            TestContext.Current.CancellationToken);
        output.WriteLine($"{result}");
        if (result.Problems.Count == 0)
        {
            Directory.Delete(folder, recursive: true);
        }
        else
        {
            output.WriteLine($"logs and data: {folder}");
        }

        return result;
    }
}
