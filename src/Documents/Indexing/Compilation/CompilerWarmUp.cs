using Microsoft.Extensions.Logging;
using Raven.Documents.Indexing.Definitions;
using Raven.Documents.Indexing.Maps;

namespace Raven.Documents.Indexing.Compilation;

/// <summary>
/// Compiles an example of an index once in a process, on a thread of its own after the start. Otherwise the first
/// definition in C# would wait until the compiler is loaded, which takes most of the time of a compilation.
/// </summary>
internal static class CompilerWarmUp
{
    private static int _isBegun;

    /// <summary>Begins the warm-up, unless it was begun in this process before.</summary>
    /// <param name="compiler">The compiler.</param>
    /// <param name="log">Takes a failure: the first definition fails in the same way, and reports it.</param>
    internal static void Begin(IIndexCompiler compiler, ILogger log)
    {
        if (Interlocked.Exchange(ref _isBegun, 1) == 0)
        {
            new Thread(() => Run(compiler, log))
            {
                Name = "Compiler warm-up",
                IsBackground = true,
                Priority = ThreadPriority.Lowest,
            }.Start();
        }
    }

    /// <summary>Compiles the index and drops it.</summary>
    internal static void Run(IIndexCompiler compiler, ILogger log)
    {
        try
        {
            var definition = new IndexDefinition
            {
                Name = "Warm",
                Maps =
                [
                    "from d in docs.Warm where d.A > 1 from l in d.L let t = l.T.ToLower() "
                    + "select new { d.A, T = t, N = l.X * l.Y + 1, At = ((DateTime)d.At).Year, S = d.L.Sum(x => x.X) }",
                    "docs.Warm.Where(d => d.A != null).Select(d => new { d.A, T = d.T, N = 1, At = 1, S = 0 })",
                ],
                Reduce = "from r in results group r by r.A into g select new { A = g.Key, T = g.First().T, "
                    + "N = g.Sum(x => x.N), At = g.Max(x => x.At), S = g.Sum(x => x.S) }",
            };
            foreach (DocumentMap map in compiler.Compile(definition))
            {
                map.Dispose();
            }

            compiler.CompileReduce(definition)?.Dispose();
        }
        catch (Exception failure)
        {
            // No request waits for it: the failure is logged, and must not end the process.
            IndexLog.CannotWarmUp(log, failure);
        }
    }
}
