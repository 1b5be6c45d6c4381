namespace Raven.CommandLine;

/// <summary>
/// <c>raven VERB ...</c>; without a verb it is the server. The verbs and the exit codes are in docs/cli.md.
/// </summary>
internal static class Program
{
    public static Task<int> Main(string[] arguments) =>
        ServerVerb.IsIn(arguments, out string[] options) ? Raven.Server.Program.Main(options)
        : arguments is [SetupVerb.Name, .. var rest] ? SetupVerb.RunAsync(rest)
        : RavenCommand.RunAsync(arguments, Console.Out, Console.Error);
}
