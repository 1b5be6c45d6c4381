using Raven.Storage.Transactions;
using Shared.Storage;

namespace SlowTests.Storage;

/// <summary>
/// Calls of the disk that go wrong, each in turn, once or from then on, ten thousand of a kind (T7): nothing that was
/// acknowledged is lost.
/// </summary>
public sealed class FaultTests
{
    private const int Faults = 10_000;
    private const int Steps = 40;

    [Theory]
    [Trait(Category.Shard, "storage-errors")]
    [InlineData("InputOutputError")]
    [InlineData("DiskFull")]
    [InlineData("ShortWrite")]
    public void Ten_thousand_errors_of_a_kind_lose_nothing_acknowledged(string kind) => Run(kind);

    [Theory]
    [Trait(Category.Shard, "storage-lies")]
    [InlineData("LostSync")]
    [InlineData("Delay")]
    [InlineData("FlippedBit")]
    public void Ten_thousand_lies_of_a_kind_lose_nothing_acknowledged(string kind) => Run(kind);

    /// <summary>One run for each core, with seeds of its own.</summary>
    private static void Run(string kindName)
    {
        var kind = Enum.Parse<DiskFaultKind>(kindName);
        Parallel.For(0, 2, half =>
        {
            var run = new CrashRun(new StorageHooks());
            int reached = 0;
            for (int seed = 4_000_000 + half; reached < Faults / 2; seed += 2)
            {
                bool more = true;
                for (int call = 0; more; call++)
                {
                    var fault = new DiskFault(kind, call, IsSticky: true);
                    more = run.Fault(seed, Steps, fault);
                    reached += more ? 1 : 0;
                    reached += run.Fault(seed, Steps, fault with { IsSticky = false }) ? 1 : 0;
                }
            }
        });
    }
}
