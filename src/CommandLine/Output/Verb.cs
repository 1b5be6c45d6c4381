using System.CommandLine;

namespace Raven.CommandLine.Output;

/// <summary>What all verbs have in common.</summary>
internal static class Verb
{
    /// <summary>The result as JSON.</summary>
    internal static readonly Option<bool> Json = new("--json")
    {
        Description = "Print one JSON object in place of lines and bars",
    };

    /// <summary>The output of a verb.</summary>
    /// <param name="parsed">Its command line.</param>
    /// <param name="isBeside">Whether standard output is taken by something else, so that the report goes to standard
    /// error.</param>
    internal static VerbOutput OutputOf(ParseResult parsed, bool isBeside = false)
    {
        TextWriter output = parsed.InvocationConfiguration.Output;
        bool isTerminal = ReferenceEquals(output, Console.Out)
            && !Console.IsOutputRedirected && !Console.IsErrorRedirected;
        return new VerbOutput(
            isBeside ? parsed.InvocationConfiguration.Error : output, parsed.GetValue(Json),
            isTerminal && !isBeside);
    }

    /// <summary>The program and its verbs, as they are typed.</summary>
    internal static string LineOf(ParseResult parsed)
    {
        List<string> words = [];
        Command? command = parsed.CommandResult.Command;
        while (command is not (null or RootCommand))
        {
            words.Insert(0, command.Name);
            command = command.Parents.OfType<Command>().FirstOrDefault();
        }

        return string.Join(' ', words.Prepend("raven"));
    }
}
