using System.CommandLine;
using System.CommandLine.Parsing;
using Raven.CommandLine.Admin;
using Raven.CommandLine.Import;
using Raven.CommandLine.Inspect;
using Raven.CommandLine.Output;
using Raven.CommandLine.Service;
using Raven.CommandLine.Shell;

namespace Raven.CommandLine;

/// <summary>All verbs but the server. Safe for all threads.</summary>
internal static class RavenCommand
{
    private static readonly RootCommand Root = Create();

    // A value may begin with @, as @metadata does: it is no file of further arguments.
    private static readonly ParserConfiguration Parsing = new() { ResponseFileTokenReplacer = null };

    /// <summary>All that can be typed behind <c>raven</c>, such as <c>inspect journal</c>.</summary>
    internal static IEnumerable<string> Verbs => LeavesOf(Root, "");

    /// <summary>Runs the verb of a command line.</summary>
    /// <param name="arguments">The command line.</param>
    /// <param name="output">Takes what was asked for.</param>
    /// <param name="error">Takes what is wrong.</param>
    /// <returns>An <see cref="ExitCode"/>.</returns>
    internal static async Task<int> RunAsync(string[] arguments, TextWriter output, TextWriter error)
    {
        ParseResult parsed = Root.Parse(arguments, Parsing);
        if (parsed.Errors.Count > 0)
        {
            foreach (ParseError wrong in parsed.Errors)
            {
                await error.WriteLineAsync(wrong.Message);
            }

            await error.WriteLineAsync($"'{Verb.LineOf(parsed)} --help' lists what it takes.");
            return ExitCode.WrongUsage;
        }

        var invocation = new InvocationConfiguration { Output = output, Error = error };
        if (parsed.CommandResult.Command.Name == ClusterUp.Name)
        {
            invocation.ProcessTerminationTimeout = ClusterUp.StopMax;
        }

        return await parsed.InvokeAsync(invocation);
    }

    private static RootCommand Create()
    {
        var root = new RootCommand(
            "Raven, a document database: the server, and the verbs to work with one. Without a verb it is the server.");

        // These two start in Program, before anything is parsed; here they have their lines in the help.
        root.Add(new Command(ServerVerb.Name, "Start the server; 'raven server --help' lists its options"));
        root.Add(new Command(SetupVerb.Name, "Make a server secure: 'setup dev-cert', 'setup add-admin FILE'"));
        IEnumerable<Command> verbs =
        [
            CertificateVerbs.Create(), KeyVerbs.Create(), AuditVerbs.Create(), .. StatusVerbs.Create(),
            .. DatabaseVerbs.Create(), LogVerbs.Create(), DoctorVerb.Create(), .. BackupVerbs.Create(),
            ServerKeyVerbs.Create(), ClusterVerbs.Create(), ServiceVerbs.Create(), ShellVerb.Create(),
            .. ImportCommands.Create(), SeriesCommands.Create(), .. InspectCommands.Create(),
        ];
        foreach (Command verb in verbs)
        {
            root.Add(verb);
        }

        return root;
    }

    private static IEnumerable<string> LeavesOf(Command command, string before) => command.Subcommands.SelectMany(
        verb => verb.Subcommands.Count == 0 ? [before + verb.Name] : LeavesOf(verb, $"{before}{verb.Name} "));
}
