using Raven.Storage.Options;
using Shared.Storage;

namespace FastTests.Storage.Crash;

/// <summary>A workload whose delete once took its place in a leaf from the memory before the leaf's copy.</summary>
public sealed class RecentLeafCopyTests
{
    [Fact]
    public void A_delete_finds_its_place_in_the_copy_of_its_leaf() =>
        new CrashRun(new StorageHooks()).RandomCuts(seed: 2_000_102, steps: 80, images: 1);
}
