using SlowTests.Mutants;
using Xunit.Runner.InProc.SystemConsole;

namespace SlowTests;

/// <summary>
/// The tests as a process of its own: a runner asks it for the tests, <see cref="MutantBench"/> for one check of a
/// mutant that lies beside its files.
/// </summary>
internal static class Program
{
    internal const string MutantVerb = "mutant";

    public static Task<int> Main(string[] arguments) => arguments is [MutantVerb, string check, string file, string id]
        ? Task.FromResult(MutantChecks.Run(check, file, id))
        : ConsoleRunner.Run(arguments);
}
