using System.CommandLine;
using Raven.CommandLine.Inspect.Verbs;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Inspect;

/// <summary>
/// The verbs that look into files while no server has them: <c>raven inspect ...</c> draws, <c>raven verify</c> checks,
/// <c>raven recover</c> keeps what comes before damage.
/// </summary>
internal static class InspectCommands
{
    private static readonly Argument<string> Folder = new("folder")
    {
        Description = "The folder of an environment: of a database, or of an index",
    };

    private static readonly Argument<string> Document = new("file")
    {
        Description = "A document, or JSON, which is made a document",
    };

    private static readonly Argument<string> Journal = new("file")
    {
        Description = "The name of the journal file, in the folder",
    };

    private static readonly Argument<long> Number = new("number")
    {
        Description = "The number of the page",
    };

    private static readonly Argument<string?> Structure = new("structure")
    {
        Description = "The structure whose pages are drawn; all structures are listed without it",
        Arity = ArgumentArity.ZeroOrOne,
    };

    private static readonly Option<bool> ToDisk = new("--to-disk")
    {
        Description = "Make the document as for the disk, not as for memory",
    };

    private static readonly Option<bool> GiveUp = new("--give-up-what-follows")
    {
        Description = "Confirms that what is behind the damage is lost",
    };

    /// <summary>All of them.</summary>
    internal static IEnumerable<Command> Create()
    {
        Command recover = Verb(
            "recover", "Keep what comes before damage in the journal; work on a copy", [Folder, GiveUp],
            (parsed, output) => RecoverVerb.Run(parsed.GetRequiredValue(Folder), output));
        recover.Validators.Add(line =>
        {
            if (!line.GetValue(GiveUp))
            {
                line.AddError("It needs --give-up-what-follows: what is behind the damage is lost then.");
            }
        });
        return [Inspect(), Verify(), recover];
    }

    private static Command Inspect() =>
        new("inspect", "Draw files and formats byte by byte; changes nothing but what opening them does")
        {
            Verb("blittable", "Draw a document", [Document, ToDisk], (parsed, output) =>
                BlittableVerb.Run(parsed.GetRequiredValue(Document), parsed.GetValue(ToDisk), output)),
            Verb("journal", "List the records of a journal file", [Folder, Journal], (parsed, output) =>
                JournalVerb.Run(parsed.GetRequiredValue(Folder), parsed.GetRequiredValue(Journal), output)),
            Verb("page", "Dump a page of the data file", [Folder, Number], (parsed, output) =>
                PageVerb.Run(parsed.GetRequiredValue(Folder), parsed.GetValue(Number), output)),
            Verb("tree", "List all structures, or draw the pages of one", [Folder, Structure], (parsed, output) =>
                TreeVerb.Run(parsed.GetRequiredValue(Folder), parsed.GetValue(Structure), output)),
        };

    private static Command Verify() =>
        Verb("verify", "Check every page, key, count and checksum of an environment", [Folder], (parsed, output) =>
            VerifyVerb.Run(parsed.GetRequiredValue(Folder), output));

    private static Command Verb(
        string name, string description, Symbol[] symbols, Func<ParseResult, VerbOutput, int> run)
    {
        var verb = new Command(name, description) { Output.Verb.Json };
        foreach (Symbol symbol in symbols)
        {
            if (symbol is Argument argument)
            {
                verb.Add(argument);
            }
            else
            {
                verb.Add((Option)symbol);
            }
        }

        verb.SetAction(parsed => VerbRun.Run(Output.Verb.OutputOf(parsed), output => run(parsed, output)));
        return verb;
    }
}
