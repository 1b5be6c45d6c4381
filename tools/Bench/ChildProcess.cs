namespace Raven.Tools.Bench;

/// <summary>
/// Suites that need a server process of their own (a peer that must not share our heap) start this program again with
/// <c>child NAME ...</c>; the class that answers to the name is found like a suite.
/// </summary>
public static class ChildProcess
{
    /// <summary>The first word of the command line of a child.</summary>
    public const string Verb = "child";

    internal static bool TryRun(string[] arguments, out int exitCode)
    {
        exitCode = 0;
        if (arguments is not [Verb, var name, ..])
        {
            return false;
        }

        IChildProgram? program = SuiteCatalog.Create<IChildProgram>().FirstOrDefault(child => child.Name == name);
        if (program is null)
        {
            Console.Error.WriteLine($"No child program '{name}'.");
            exitCode = 2;
            return true;
        }

        exitCode = program.Run(arguments[2..]);
        return true;
    }
}
