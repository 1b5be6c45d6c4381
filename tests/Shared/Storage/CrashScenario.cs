using Raven.Storage;
using Raven.Storage.Compaction;
using Raven.Storage.Options;
using Raven.Storage.Transactions;

namespace Shared.Storage;

/// <summary>
/// A short run that meets one state of the protocol on purpose, for cuts at each of its operations.
/// </summary>
/// <param name="Name">What it meets.</param>
/// <param name="Script">What is done on an environment that was just made.</param>
/// <param name="Copy">What is then done on another disk, of a scenario about copies.</param>
internal sealed record CrashScenario(
    string Name, Action<CrashWorkload> Script, Action<CrashWorkload, SimulatedFileSystem>? Copy = null)
{
    private const int LoopMax = 200;

    /// <summary>What else is to be true of what a power cut left.</summary>
    internal Action<CrashWorkload, DiskImage>? Look { get; init; }

    /// <summary>Whether the copy may be seen in the middle: it then opens, and may hold less.</summary>
    internal bool IsGradual { get; private init; }

    internal static IReadOnlyList<CrashScenario> All { get; } =
    [
        new("create", _ => { }),
        new("first commit", workload => workload.Commit("0/a", 100)),
        new("journal switch", workload => Until(workload, CoverageMark.JournalSwitched, 2, _ => { })),
        new("recycle", workload => Until(workload, CoverageMark.JournalRecycled, 2, Flush)),
        new("flush", workload =>
        {
            Fill(workload, 4);
            workload.Flush();
            workload.Commit("1/behind", 300);
        }),
        new("sync", workload =>
        {
            Fill(workload, 2);
            workload.Flush();
            Fill(workload, 2);
            workload.Flush();
        }),
        new("header A/B", workload =>
        {
            for (int i = 0; i < 4; i++)
            {
                workload.Commit($"0/{i}", 20);
                workload.Flush();
            }
        }),
        new("growth", workload => Until(workload, CoverageMark.DataFileGrew, 3, Flush, 30_000)),
        new("shrink", workload =>
        {
            workload.Commit("0/big", 50_000);
            workload.Flush();
            workload.Commit("0/big", 20_000);
            workload.Commit("0/big", 9_000);
            workload.Flush();
            workload.Commit("0/big", -1);
            workload.Flush();
            workload.Commit("0/other", 9_000);
        }),
        new("delete journal", workload =>
        {
            for (int i = 0; i < LoopMax && !Deleted(workload); i++)
            {
                workload.Commit($"0/{i}", 40_000);
                workload.Flush();
            }
        }),
        new("direct run", workload =>
        {
            workload.Commit("0/large", 70_000);
            workload.Commit("1/beside", 100_000);
            workload.Commit("0/large", 90_000);
            workload.Flush();
            workload.Commit("0/large", 80_000);
            workload.Commit("1/beside", -1);
            Fill(workload, 3);
            workload.Flush();
            workload.Commit("2/again", 66_000);
            Fill(workload, 2);
        }),
        new("clean close", workload =>
        {
            Fill(workload, 3);
            workload.Reopen();
            Fill(workload, 1);
            workload.Reopen();
        }),
        new("index swap", workload => IndexSwap.Play(workload)) { Look = IndexSwap.Require },
        new("compact", workload => Fill(workload, 30), (workload, target) =>
        {
            using StorageEnvironment copy = workload.Open(target);
            using ReadTransaction reader = workload.Environment!.BeginRead();
            StructureCopy.Run(
                reader, copy, (ReadOnlySpan<byte> _, out ReadOnlySpan<byte> heap) => heap = default, default);
        }) { IsGradual = true },
        new("backup", workload => Fill(workload, 12), (workload, target) =>
            StorageBackup.Copy(workload.Environment!, target)),
        new("restore", workload => Fill(workload, 14), (workload, target) =>
        {
            StorageBackup.Copy(workload.Environment!, target);
            workload.Open(target).Dispose();
        }),
    ];

    private static bool Deleted(CrashWorkload workload) =>
        workload.Disk.Log.Exists(operation => operation.Kind == DiskOperationKind.Delete);

    private static void Flush(CrashWorkload workload) => workload.Flush();

    private static void Fill(CrashWorkload workload, int commits)
    {
        for (int i = 0; i < commits; i++)
        {
            workload.Commit($"{i % 4}/{i}", 10 + (i * 700));
        }
    }

    private static void Until(
        CrashWorkload workload, CoverageMark mark, int count, Action<CrashWorkload> after, int length = 3_000)
    {
        for (int i = 0; workload.Hooks.CountOf(mark) < count; i++)
        {
            if (i == LoopMax)
            {
                throw new CrashTestException($"{mark} was not met.");
            }

            workload.Commit($"{i % 4}/{i}", length);
            if (i % 3 == 2)
            {
                after(workload);
            }
        }
    }
}
