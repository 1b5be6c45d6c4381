using FastTests.Support;

namespace FastTests.Scripting;

/// <summary>What hostile scripts leave behind in the process.</summary>
[Collection(Alone.Name)]
public sealed class HostileMemoryTests
{
    [Fact]
    public void Memory_is_free_again_after_all_hostile_scripts()
    {
        HostileTests.Run(ofEachMax: 2);
        long before = GC.GetTotalMemory(forceFullCollection: true);
        HostileTests.Run();
        long after = GC.GetTotalMemory(forceFullCollection: true);
        Assert.InRange(after - before, long.MinValue, 4 * 1024 * 1024);
        Assert.Equal("3", ScriptRunner.Run("return 1 + 2"));
    }
}
