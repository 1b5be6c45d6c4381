using System.Runtime.CompilerServices;
using Raven.Documents.Indexing.Maps;
using Raven.Documents.Indexing.Static;

namespace FastTests.Indexing.Static;

/// <summary>The code of a definition goes with it.</summary>
public sealed class RedefinitionTests
{
    [Fact]
    public void The_code_of_a_disposed_map_is_unloaded()
    {
        List<WeakReference> codes = [.. Enumerable.Range(0, 20).Select(Define)];
        for (int i = 0; i < 20 && codes.Exists(code => code.IsAlive); i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }

        Assert.DoesNotContain(codes, code => code.IsAlive);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Define(int number)
    {
        using MapBench bench = new();
        bench.Documents.Put("d/1", """{"X":1}""");
        using DocumentMap map = MapBench.Compiler().Compile(
            MapBench.Define($"from d in docs select new {{ A{number} = d.X + {number} }}"))[0];
        using RecordingSink sink = new();
        bench.Run(map, sink, "d/");
        Assert.Equal([$"A{number}={number + 1}"], sink.Entries);
        return new WeakReference(((StaticMap)map).CodeType.Assembly);
    }
}
