using Raven.Documents.Indexing.Compilation;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Patching;
using Raven.Server.Options;

namespace SlowTests.Indexing;

/// <summary>An index that is defined again and again takes no more memory than once.</summary>
[Collection(AloneInProcess.Name)]
public sealed class RedefinitionTests(ITestOutputHelper output)
{
    private const int Warm = 100;
    private const int Count = 1000;

    // Four runs grew by 3 MB managed each, and by 16 to 41 MB private; with all of the code left in memory it was 12
    // and 62 MB. The first figure shows code that stays, the second anything larger.
    private const long ManagedGrowthBytesMax = 8L << 20;
    private const long PrivateGrowthBytesMax = 64L << 20;

    [Fact]
    [Trait(Category.Shard, "indexing")]
    public void A_thousand_redefinitions_of_an_index_leave_memory_flat()
    {
        ServerOptions options = new();
        IndexCompiler compiler = new(
            new ScriptEnvironment(TimeProvider.System, options.ToScriptLimits()), options.ToScriptLimits(),
            options.IndexingCSharp);
        Define(compiler, 0, Warm);
        (long managed, long resident) before = Memory();
        Define(compiler, Warm, Warm + Count);
        (long managed, long resident) after = Memory();
        string figures = $"managed {before.managed >> 10} KB -> {after.managed >> 10} KB, "
            + $"private {before.resident >> 20} MB -> {after.resident >> 20} MB";
        output.WriteLine(figures);
        Assert.True(after.managed - before.managed < ManagedGrowthBytesMax, figures);
        Assert.True(after.resident - before.resident < PrivateGrowthBytesMax, figures);
    }

    private static void Define(IndexCompiler compiler, int from, int to)
    {
        for (int i = from; i < to; i++)
        {
            IndexDefinition definition = new()
            {
                Name = "again",
                Maps = [$"from c in docs.Companies where c.N > {i} select new {{ c.Name, X{i} = c.A.B + {i} }}"],
                Reduce = $"from r in results group r by r.Name into g select new {{ Name = g.Key, X{i} = {i} }}",
            };
            foreach (DocumentMap map in compiler.Compile(definition))
            {
                map.Dispose();
            }

            compiler.CompileReduce(definition)!.Dispose();
        }
    }

    private static (long Managed, long Private) Memory()
    {
        for (int i = 0; i < 5; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        using System.Diagnostics.Process process = System.Diagnostics.Process.GetCurrentProcess();
        return (GC.GetTotalMemory(forceFullCollection: true), process.PrivateMemorySize64);
    }
}
