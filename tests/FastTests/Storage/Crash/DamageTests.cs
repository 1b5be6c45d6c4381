using FastTests.Support;
using Raven.Storage.Options;
using Raven.Storage.Paging;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>Bytes that changed on the disk are reported, or do not matter.</summary>
[Trait(Proof.Row, Proof.Damage)]
public sealed class DamageTests
{
    [Fact]
    [Trait("Invariant", "RECOVERY-3")]
    public void Wrong_data_is_never_read_whatever_was_damaged()
    {
        var run = new CrashRun(new StorageHooks());
        for (int seed = 1; seed <= 8; seed++)
        {
            run.Damage(seed, steps: 40, flips: 200);
        }

        Assert.Equal(Enum.GetValues<PageKind>().Except([PageKind.None]), run.DamagedKinds.Order());
    }
}
