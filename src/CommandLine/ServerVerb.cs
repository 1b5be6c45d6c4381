namespace Raven.CommandLine;

/// <summary>
/// <c>raven server</c>, or <c>raven</c> alone. Its options are the server's own: they reach it as they are, and none of
/// them has to be known here.
/// </summary>
internal static class ServerVerb
{
    internal const string Name = "server";

    /// <summary>Whether a command line starts the server.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="options">What the server is given.</param>
    internal static bool IsIn(string[] arguments, out string[] options)
    {
        options = arguments is [Name, ..] ? arguments[1..] : arguments;

        // The help is the one option of raven itself: it lists the verbs, and 'raven server --help' the options.
        return arguments is [] or [Name, ..]
            || (arguments[0].StartsWith('-') && arguments[0] is not ("--help" or "-h" or "-?"));
    }
}
