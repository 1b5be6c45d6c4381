using Raven.Storage.Options;
using Shared.Storage;
using SlowTests.Support;

namespace SlowTests.Storage;

/// <summary>
/// Calls of the disk that go wrong, each in turn, once or from then on, ten thousand of a kind: nothing that was
/// acknowledged is lost.
/// </summary>
public sealed class FaultTests
{
    private const int Faults = 10_000;
    private const int Steps = 40;

    [Theory]
    [Trait(Category.Shard, "storage-errors")]
    [InlineData("InputOutputError")]
    [InlineData("ShortWrite")]
    [InlineData("ReadError")]
    public void Ten_thousand_errors_of_a_kind_lose_nothing_acknowledged(string kind) => Run(kind);

    [Fact]
    [Trait(Category.Shard, "storage-full")]
    public void Ten_thousand_full_disks_lose_nothing_acknowledged() => Run("DiskFull");

    [Theory]
    [Trait(Category.Shard, "storage-lies")]
    [InlineData("LostSync")]
    [InlineData("Delay")]
    public void Ten_thousand_lost_or_late_syncs_lose_nothing_acknowledged(string kind) => Run(kind);

    [Fact]
    [Trait(Category.Shard, "storage-flips")]
    public void Ten_thousand_flipped_bits_lose_nothing_acknowledged() => Run("FlippedBit");

    [Fact]
    [Trait(Category.Shard, "storage-full")]
    public void Ten_thousand_errors_under_merged_writes_lose_nothing_acknowledged() =>
        Run("InputOutputError", mergesWrites: true);

    [Fact]
    [Trait(Category.Shard, "storage-errors")]
    public void Ten_thousand_errors_of_recoveries_lose_nothing_acknowledged()
    {
        var run = new FaultRun(new StorageHooks());
        DiskFaultKind[] kinds = [.. Enum.GetValues<DiskFaultKind>().Where(kind => kind != DiskFaultKind.FlippedBit)];
        AllCores.ForEach(AllCores.SeedsFrom(5_000_000).TakeWhile(_ => run.Happened < Faults), seed =>
        {
            foreach (DiskFaultKind kind in kinds)
            {
                run.InRecovery(seed, Steps, kind, isSticky: seed % 2 == 0);
            }
        });
    }

    private static void Run(string kindName, bool mergesWrites = false)
    {
        var kind = Enum.Parse<DiskFaultKind>(kindName);
        var run = new FaultRun(new StorageHooks()) { MergesWrites = mergesWrites };
        AllCores.ForEach(AllCores.SeedsFrom(4_000_000).TakeWhile(_ => run.Happened < Faults), seed =>
        {
            bool more = true;
            for (int call = 0; more; call++)
            {
                var fault = new DiskFault(kind, call, IsSticky: true);
                more = run.InWorkload(seed, Steps, fault);
                run.InWorkload(seed, Steps, fault with { IsSticky = false });
            }
        });
    }
}
