using FastTests.Support;
using Raven.Storage.Transactions;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>A disk that fails at its n-th call: a clear error, nothing acknowledged lost, no state that lies
/// (T7).</summary>
[Trait(Proof.Row, Proof.DiskErrors)]
public sealed class DiskFaultTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void A_disk_that_fails_at_any_call_loses_nothing_acknowledged(int kind)
    {
        var run = new CrashRun(new StorageHooks());
        int reached = 0;
        for (int seed = 1; seed <= 4; seed++)
        {
            for (int call = 0; call < 42; call++)
            {
                var fault = new DiskFault((DiskFaultKind)kind, call, IsSticky: false);
                reached += run.Fault(seed, steps: 20, fault) ? 1 : 0;
                reached += run.Fault(seed, steps: 20, fault with { IsSticky = true }) ? 1 : 0;
            }
        }

        Assert.True(reached > 80, $"{reached} faults happened");
    }

    [Theory]
    [InlineData("InputOutputError")]
    [InlineData("DiskFull")]
    [InlineData("ShortWrite")]
    [InlineData("LostSync")]
    public void A_disk_that_fails_under_merged_writes_loses_nothing_acknowledged(string kind)
    {
        var run = new CrashRun(new StorageHooks()) { MergesWrites = true };
        int reached = 0;
        for (int seed = 11_001; seed <= 11_003; seed++)
        {
            for (int call = 0; call < 40; call++)
            {
                var fault = new DiskFault(Enum.Parse<DiskFaultKind>(kind), call, IsSticky: call % 2 == 0);
                reached += run.Fault(seed, steps: 15, fault) ? 1 : 0;
            }
        }

        Assert.True(reached > 20, $"{reached} faults happened");
    }
}
