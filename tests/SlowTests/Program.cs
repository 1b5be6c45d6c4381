using SlowTests.Mutants;

namespace SlowTests;

/// <summary>
/// The tests as a process of its own, beside whose files a mutant lies: see <see cref="MutantBench"/>. Test runners do
/// not come here.
/// </summary>
internal static class Program
{
    public static int Main(string[] arguments) => arguments is [string check, string file, string id]
        ? MutantChecks.Run(check, file, id)
        : throw new ArgumentException("Expected are a check, an assembly and the id of its module.");
}
