using System.Reflection;
using FastTests.Documents;
using FastTests.Queries;
using Raven.Storage.Options;
using Raven.Tools.Stress.Cluster;
using Shared.Mutants;
using Shared.Storage;
using Shared.Storage.Structures;

namespace SlowTests.Mutants;

/// <summary>
/// The testers, each by itself, for a process of its own. What a tester finds is an exception; a pattern for its type
/// and message says that it is what the tester looks for, and not another failure.
/// </summary>
internal static class MutantChecks
{
    /// <summary>The exit code of a check that has found something.</summary>
    internal const int CaughtCode = 3;

    /// <summary>The exit code of a check that has found something too late.</summary>
    private const int LateCode = 4;

    private const int Keys = 60;

    /// <summary>Of the kinds of operations those below it neither open the environment nor look at it.</summary>
    private const int KindsThatDoNotLook = 92;

    /// <summary>How much of the processor's time a check may take to find something. The time on the wall would depend
    /// on what else the machine does.</summary>
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(60);

    /// <summary>What finds something, and what the type and the message of the exception are then.</summary>
    internal static IReadOnlyDictionary<MutantCheck, (Action Run, string Finding)> All { get; } =
        new Dictionary<MutantCheck, (Action Run, string Finding)>
        {
            [MutantCheck.CrashesAndFaults] = (CrashAndFail, @"^Shared\.Storage\.CrashTestException: "),
            [MutantCheck.EveryCut] = (CutEverywhere, @"^[\w.]+: Scenario "),
            [MutantCheck.PageBits] = (() => BitCheck.Pages(stride: 61), "changed, and nobody noticed"),
            [MutantCheck.RecordBits] =
                (() => BitCheck.Records(stride: 61, recordsMax: 4), "changed, and nobody noticed"),
            [MutantCheck.StructureLists] = (PlayStructure, "Falsifiable"),
            [MutantCheck.ReadersBesideWriter] = (
                () => PlayUnlooked(new ModelSettings(Keys) { Audits = false, Readers = 2 }),
                "A reader beside the writer"),
            [MutantCheck.DocumentLists] =
                (() => DocumentProperty.Check(lists: 200, operations: 80), "Falsifiable"),
            [MutantCheck.CommitAudits] =
                (() => PlayUnlooked(new ModelSettings(Keys)), @"^[\w.]+: Audit of transaction"),
            [MutantCheck.IndexCuts] = (
                CutIndexes, @"^[\w.]+: \w+, seed \d+, cut behind moment \d+.*: .*( gives | instead of )"),
            [MutantCheck.ClusterRuns] = (RunClusters, @"^[\w.]+\.SimulationException: seed \d+, after \d+ ms: "),
            [MutantCheck.ReplicationTests] = (TestsInProcess.OfReplication, @"^[\w.]+: \w+Tests\.\w+ fails"),
        };

    /// <summary>Runs a check, and prints what it finds.</summary>
    /// <param name="check">One of <see cref="MutantCheck"/>.</param>
    /// <param name="file">The assembly that has the mutant in it.</param>
    /// <param name="id">The id of its module: what is bound to must be that one.</param>
    /// <returns>The exit code of the process.</returns>
    internal static int Run(string check, string file, string id)
    {
        var bound = Assembly.Load(Path.GetFileNameWithoutExtension(file));
        if (bound.ManifestModule.ModuleVersionId != Guid.Parse(id))
        {
            Console.WriteLine($"{bound.Location} is not the assembly with the mutant.");
            return 1;
        }

        try
        {
            All[Enum.Parse<MutantCheck>(check)].Run();
            return 0;
        }
        catch (Exception found)
        {
            TimeSpan spent = Environment.CpuUsage.TotalTime;
            Console.WriteLine($"{found.GetType()}: {found.Message}{Environment.NewLine}({spent.TotalSeconds:0.0} s)");
            return spent <= Limit ? CaughtCode : LateCode;
        }
    }

    /// <summary>Without the audits of commits, which would find some of it first.</summary>
    private static void CrashAndFail()
    {
        var hooks = new StorageHooks();
        var run = new CrashRun(hooks) { AuditsCommits = false };
        var lazy = new CrashRun(hooks, StorageDurability.Lazy) { AuditsCommits = false };
        var merged = new CrashRun(hooks) { AuditsCommits = false, MergesWrites = true };
        var faults = new FaultRun(hooks) { AuditsCommits = false };
        var mergedFaults = new FaultRun(hooks) { AuditsCommits = false, MergesWrites = true };
        for (int seed = 1; seed <= 25; seed++)
        {
            run.RandomCuts(seed, steps: 60, images: 75);
            lazy.RandomCuts(seed, steps: 60, images: 75);
            run.CrashesInRecovery(seed, steps: 40, images: 8, depth: 3);
            run.CutsAfterKills(seed, steps: 20, kills: 6, images: 60);
            for (int call = seed; call < 60; call += 5)
            {
                var fault = new DiskFault((DiskFaultKind)(call % 4), call, IsSticky: call % 3 == 0);
                faults.InWorkload(seed, steps: 40, fault);
                mergedFaults.InWorkload(seed, steps: 20, fault);
            }

            faults.InRecovery(seed, steps: 30, DiskFaultKind.ReadError, isSticky: false);
            merged.RandomCuts(seed, steps: 40, images: 40);
            run.Damage(seed, steps: 40, flips: 60);
        }
    }

    private static void CutEverywhere()
    {
        var run = new CrashRun(new StorageHooks()) { AuditsCommits = false };
        foreach (CrashScenario scenario in CrashScenario.All.Where(scenario => scenario.Copy is null))
        {
            run.EveryCutOf(scenario, seed: 201, sectorsMax: 8, subsetsByChance: 64);
        }
    }

    private static void RunClusters()
    {
        for (int i = 0; i < 2_500; i++)
        {
            SimulatedWorld.Run(1 + i, hasStorage: false);
            SimulatedWorld.Run(HarderTrouble.FirstSeed + i, hasStorage: false);
            if (i % 16 == 0)
            {
                SimulatedWorld.Run(HarderTrouble.FirstSeed + i, hasStorage: true);
            }
        }
    }

    private static void PlayStructure() => ModelProperty.Check(
        ModelStructure.Tree, lists: 200, operations: 200, new ModelSettings(Keys) { Audits = false });

    /// <summary>Lists whose only looks are those of the readers, of the audits and at the end.</summary>
    private static void PlayUnlooked(ModelSettings settings)
    {
        for (int seed = 1; seed <= 200; seed++)
        {
            var random = new Random(seed);
            int[] list = [.. Enumerable.Range(0, 500).Select(_ => random.Next())];
            ModelRun.Play(
                ModelStructure.Tree, [.. list.Where(each => each % ModelRun.Kinds < KindsThatDoNotLook)], settings);
        }
    }

    private static void CutIndexes()
    {
        for (int seed = 1_000; seed < 1_020; seed++)
        {
            new IndexCrashRun(seed, isLazy: false).Run(steps: 100, cuts: 55);
        }
    }
}
