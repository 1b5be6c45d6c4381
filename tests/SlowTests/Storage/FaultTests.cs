using Raven.Storage.Transactions;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>Calls of the disk that fail, each in turn, once or from then on, ten thousand of a kind (T7).</summary>
[Trait(Category.Shard, "storage-faults")]
public sealed class FaultTests
{
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    public void Ten_thousand_faults_of_a_kind_lose_nothing_acknowledged(int kind)
    {
        var run = new CrashRun(new StorageHooks());
        int reached = 0;
        for (int seed = 4_000_000; reached < 10_000; seed++)
        {
            bool more = true;
            for (int call = 0; more; call++)
            {
                var fault = new DiskFault((DiskFaultKind)kind, call, IsSticky: true);
                more = run.Fault(seed, steps: 40, fault);
                reached += more ? 1 : 0;
                reached += run.Fault(seed, steps: 40, fault with { IsSticky = false }) ? 1 : 0;
            }
        }
    }
}
