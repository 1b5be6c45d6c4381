using Raven.Tools.Stress.Histories;
using Shared.Mutants;
using SlowTests.Mutants;

namespace SlowTests.Cluster;

/// <summary>With durability or fencing switched off in the servers, histories are found to be wrong: a checker that was
/// never seen to find anything proves nothing.</summary>
[Trait(Category.Shard, "cluster-servers")]
public sealed class HistoryMutantTests(ITestOutputHelper output) : HistoryTestsBase(output), IDisposable
{
    private const int RunsMax = 4;
    private static readonly TimeSpan Length = TimeSpan.FromSeconds(20);

    private readonly string _folder = Directory.CreateTempSubdirectory("raven-mutant-").FullName;

    public void Dispose() => Directory.Delete(_folder, recursive: true);

    [Fact]
    public Task A_primary_that_does_not_wait_for_the_others_is_found_to_lose_writes() =>
        RequireFoundAsync("CommitsAlone", "lost", FaultKind.CutServer, FaultKind.CutMachine);

    [Fact]
    public Task A_primary_whose_lease_never_ends_is_found_to_answer_stale_reads() =>
        RequireFoundAsync("LeaseForever", "no order", FaultKind.CutMachine);

    [Fact]
    public Task Servers_that_do_not_write_their_journals_are_found_to_lose_writes() =>
        RequireFoundAsync("GroupJournalNotWritten", "lost", FaultKind.KillServers);

    private async Task RequireFoundAsync(string name, string finding, params FaultKind[] faults)
    {
        if (HistoryRun.NetworkProblem is { } problem && faults.Any(fault => fault >= FaultKind.CutServer))
        {
            Assert.Skip(problem);
        }

        foreach (string file in Directory.EnumerateFiles(AppContext.BaseDirectory)
            .Where(file => Path.GetExtension(file) is ".dll" or ".json" or ".so"))
        {
            File.Copy(file, Path.Combine(_folder, Path.GetFileName(file)));
        }

        Mutant mutant = Mutant.All[name];
        MutatedProject project = MutatedProject.In(mutant.Project);
        await File.WriteAllBytesAsync(
            Path.Combine(_folder, project.AssemblyFile), project.Compile(mutant), CancellationToken.None);
        for (int seed = 1; seed <= RunsMax; seed++)
        {
            HistoryResult result = await RunAsync(
                seed, Length, Path.Combine(_folder, "Raven.Server.dll"), faults);
            if (result.Problems.Any(each => each.StartsWith(finding, StringComparison.Ordinal)))
            {
                return;
            }
        }

        Assert.Fail($"{RunsMax} histories of servers with {name} were found to be right.");
    }
}
