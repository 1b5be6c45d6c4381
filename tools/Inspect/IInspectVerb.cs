namespace Raven.Tools.Inspect;

/// <summary>
/// One thing that can be looked at. A verb is a class in Verbs/ that implements this; it is found by itself.
/// </summary>
internal interface IInspectVerb
{
    /// <summary>The word on the command line.</summary>
    string Name { get; }

    /// <summary>Arguments and purpose, in one line.</summary>
    string Usage { get; }

    /// <summary>Looks, and writes what it sees. It may throw what storage throws of files that cannot be read or are
    /// damaged: <see cref="VerbRun"/> says so in one line.</summary>
    /// <param name="arguments">What follows the verb.</param>
    /// <param name="output">Takes the drawing.</param>
    /// <returns>The exit code: 0, 1 for wrong arguments, 2 for bytes that are not what they should be.</returns>
    int Run(string[] arguments, TextWriter output);
}
