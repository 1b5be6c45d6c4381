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

    /// <summary>Looks, and writes what it sees.</summary>
    /// <param name="arguments">What follows the verb.</param>
    /// <param name="output">Takes the drawing.</param>
    /// <returns>The exit code: 0, 1 for wrong arguments, 2 for bytes that are not what they should be.</returns>
    int Run(string[] arguments, TextWriter output);
}
