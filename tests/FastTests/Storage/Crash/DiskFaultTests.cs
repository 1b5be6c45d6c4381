using FastTests.Support;
using Raven.Storage.Errors;
using Raven.Storage.Files;
using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>
/// A disk that fails at its n-th call: a clear error, nothing acknowledged lost, no state that lies: a sample;
/// SlowTests try ten thousand failures of each kind.
/// </summary>
[Trait(Proof.Row, Proof.DiskErrors)]
public sealed class DiskFaultTests
{
    public static TheoryData<string> Kinds => [.. Enum.GetNames<DiskFaultKind>()];

    public static TheoryData<string> KindsThatAreReported =>
        [.. Enum.GetNames<DiskFaultKind>().Where(kind => kind != nameof(DiskFaultKind.FlippedBit))];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void A_disk_that_fails_at_any_call_loses_nothing_acknowledged(string kind)
    {
        var run = new FaultRun(new StorageHooks());
        for (int call = 0; call < 42; call++)
        {
            var fault = new DiskFault(Enum.Parse<DiskFaultKind>(kind), call, IsSticky: false);
            run.InWorkload(seed: 1, steps: 20, fault);
            run.InWorkload(seed: 2, steps: 20, fault with { IsSticky = true });
        }

        Assert.True(run.Happened > 37, $"{run.Happened} faults happened");
    }

    [Theory]
    [MemberData(nameof(KindsThatAreReported))]
    public void A_disk_that_fails_in_a_scenario_loses_nothing_acknowledged(string kind)
    {
        var run = new FaultRun(new StorageHooks());
        foreach (CrashScenario scenario in CrashScenario.All)
        {
            run.InScenario(scenario, Enum.Parse<DiskFaultKind>(kind), isSticky: false);
            run.InScenario(scenario, Enum.Parse<DiskFaultKind>(kind), isSticky: true);
        }

        Assert.True(run.Happened > 280, $"{run.Happened} faults happened");
    }

    [Theory]
    [MemberData(nameof(KindsThatAreReported))]
    public void A_disk_that_fails_while_it_is_recovered_loses_nothing_acknowledged(string kind)
    {
        var run = new FaultRun(new StorageHooks());
        for (int seed = 1; seed <= 2; seed++)
        {
            run.InRecovery(seed, steps: 30, Enum.Parse<DiskFaultKind>(kind), isSticky: seed % 2 == 0);
        }

        Assert.True(run.Happened > 3, $"{run.Happened} faults happened");
    }

    [Theory]
    [InlineData("InputOutputError")]
    [InlineData("DiskFull")]
    [InlineData("ShortWrite")]
    [InlineData("LostSync")]
    [InlineData("ReadError")]
    public void A_disk_that_fails_under_merged_writes_loses_nothing_acknowledged(string kind)
    {
        var run = new FaultRun(new StorageHooks()) { MergesWrites = true };
        for (int call = 0; call < 40; call++)
        {
            run.InWorkload(
                seed: 11_001,
                steps: 15,
                new DiskFault(Enum.Parse<DiskFaultKind>(kind), call, IsSticky: call % 2 == 0));
        }

        Assert.True(run.Happened > 6, $"{run.Happened} faults happened");
    }

    /// <summary>Each of them is a turn of its own, or "at each call in turn" would say more than is so.</summary>
    [Fact]
    public void Looking_for_a_name_listing_locking_and_mapping_fail_as_reads_do_on_the_simulated_disk()
    {
        using var disk = new SimulatedFileSystem();
        using IFile file = disk.Open("there", FileOpenMode.Create);
        Action[] calls =
        [
            () => disk.Exists("there"), () => disk.Exists("nowhere"), () => disk.List(),
            () => disk.Open("there", FileOpenMode.Existing).Dispose(), () => file.TryLock(),
            () => file.ReadAt(0, new byte[1]), () => file.MapReadOnly(1).Dispose(),
        ];
        foreach (Action call in calls)
        {
            int before = disk.CallsOf(DiskFaultKind.ReadError);
            disk.Fault = new DiskFault(DiskFaultKind.ReadError, before, IsSticky: false);
            Assert.Throws<StorageIOException>(call);
            Assert.Equal(before + 1, disk.CallsOf(DiskFaultKind.ReadError));
        }
    }
}
