namespace Raven.Tools.Bench;

/// <summary>
/// A program that a suite starts as <c>Bench child NAME ...</c>: a peer server in a process of its own.
/// </summary>
public interface IChildProgram
{
    /// <summary>The word for the command line.</summary>
    string Name { get; }

    /// <summary>Runs until its work is done or it is asked to stop; the exit code of the process.</summary>
    int Run(string[] arguments);
}
