using System.CommandLine;
using System.CommandLine.Invocation;
using System.CommandLine.Parsing;
using System.Text.Json;
using Raven.Tools.Import.Input;
using Raven.Tools.Import.Server;
using Raven.Tools.Import.Verbs;

namespace Raven.Tools.Import;

/// <summary>
/// <c>Import FILE... --database NAME</c> loads; <c>Import export FILE</c> writes JSON lines; <c>Import verify
/// FILE...</c> compares. The exit codes are in <see cref="ExitCode"/>.
/// </summary>
internal static class Program
{
    private static readonly Argument<string[]> Files = new("file", "The files to read; - is standard input")
    {
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Argument<string> Target = new(
        "file", "The file to write (.gz packs it); - is standard output");
    private static readonly Option<Uri> Server = new(
        "--url", () => new Uri("http://127.0.0.1:8080"), "Where the server is");

    private static readonly Option<string> Database = new("--database", "The database") { IsRequired = true };
    private static readonly Option<bool> Create = new("--create", "Create the database if it is not there");
    private static readonly Option<SourceFormat> Format = new(
        "--format", "How to read the files; by their names if not given");
    private static readonly Option<string?> Collection = new("--collection", "The collection of the documents");
    private static readonly Option<string?> CollectionProperty = new(
        "--collection-property", "The property that names the collection of a document");

    private static readonly Option<string?> IdProperty = new(
        "--id-property", "The property whose value is the id; otherwise @metadata.@id, or collection and number");

    private static readonly Option<string> IdPrefix = new(
        "--id-prefix", () => "", "Put before the value of --id-property");
    private static readonly Option<bool> Repair = new(
        "--repair-control-characters", "Escape raw control characters inside strings instead of refusing them");

    private static readonly Option<char> Separator = new(
        "--separator", ParseSeparator, isDefault: true, "Between the fields of a CSV file");

    private static readonly Option<bool> StringsOnly = new("--strings-only", "Leave the fields of a CSV file strings");
    private static readonly Option<string[]> Columns = new(
        "--column", "NAME=text, NAME=number or NAME=boolean: what a column of a CSV file is, in every row")
    {
        AllowMultipleArgumentsPerToken = true,
    };

    private static readonly Option<bool> DocumentsOnly = new(
        "--documents-only", "Export without what the database has besides documents");

    private static readonly Option<bool> SkipDamaged = new(
        "--skip-damaged", "Export all that can be read of a damaged database, and list what cannot");

    private static readonly Option<string?> StartsWith = new("--starts-with", "Only documents whose id begins so");

    private static int s_exitCode;

    public static int Main(string[] arguments)
    {
        var root = new RootCommand("Loads JSON and CSV files, plain or gzip, into a database by bulk insert.");
        AddSourceOptions(root);
        root.AddOption(Create);
        root.SetHandler((InvocationContext context) => RunAsync(context, ImportAsync));
        var verify = new Command("verify", "Compare files with a database (same options as for the import)");
        AddSourceOptions(verify);
        verify.SetHandler((InvocationContext context) => RunAsync(context, VerifyAsync));
        var export = new Command("export", "Write a database as JSON lines with @metadata")
        {
            Target, Server, Database, Collection, StartsWith, DocumentsOnly, SkipDamaged,
        };
        export.SetHandler((InvocationContext context) => RunAsync(context, ExportAsync));
        root.AddCommand(verify);
        root.AddCommand(export);
        int parsed = root.Invoke(arguments);
        return parsed != 0 ? ExitCode.WrongUsage : s_exitCode;
    }

    private static void AddSourceOptions(Command command)
    {
        command.AddArgument(Files);
        foreach (Option option in (Option[])
        [
            Server, Database, Format, Collection, CollectionProperty, IdProperty, IdPrefix, Repair, Separator,
            StringsOnly, Columns,
        ])
        {
            command.AddOption(option);
        }
    }

    /// <summary>The parser of options has none for a character.</summary>
    private static char ParseSeparator(ArgumentResult result)
    {
        if (result.Tokens.Count == 0)
        {
            return ',';
        }

        string text = result.Tokens[0].Value;
        if (text.Length == 1 && char.IsAscii(text[0]))
        {
            return text[0];
        }

        result.ErrorMessage = $"--separator takes one ASCII character, not '{text}'.";
        return default;
    }

    private static async Task RunAsync(InvocationContext context, Func<InvocationContext, ServerClient, Task<int>> verb)
    {
        T Get<T>(Option<T> option) => context.ParseResult.GetValueForOption(option)!;

        try
        {
            using var server = new ServerClient(Get(Server), Get(Database));
            s_exitCode = await verb(context, server);
        }
        catch (Exception missing) when (missing is FileNotFoundException or DirectoryNotFoundException
            or UnauthorizedAccessException or FormatException)
        {
            await Console.Error.WriteLineAsync(missing.Message);
            s_exitCode = ExitCode.WrongUsage;
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException
            or JsonException or KeyNotFoundException)
        {
            // The last two: what answered is not this server.
            await Console.Error.WriteLineAsync($"{Get(Server)}: {failure.Message}");
            s_exitCode = ExitCode.ServerFailed;
        }
    }

    private static async Task<int> ImportAsync(InvocationContext context, ServerClient server)
    {
        using SourceSet sources = OpenSources(context);
        if (context.ParseResult.GetValueForOption(Create))
        {
            await server.CreateDatabaseAsync();
        }

        try
        {
            return await ImportVerb.RunAsync(server, sources, IdentityOf(context), Console.Out, IsInteractive);
        }
        catch (ServerException missing) when (missing.IsDatabaseMissing)
        {
            await Console.Error.WriteLineAsync($"{missing.Message} --create makes it before the import.");
            return ExitCode.ServerFailed;
        }
    }

    private static async Task<int> VerifyAsync(InvocationContext context, ServerClient server)
    {
        using SourceSet sources = OpenSources(context);
        return await new VerifyVerb(server, Console.Out).RunAsync(sources, IdentityOf(context), IsInteractive);
    }

    private static Task<int> ExportAsync(InvocationContext context, ServerClient server) => ExportVerb.RunAsync(
        server,
        context.ParseResult.GetValueForArgument(Target),
        new ExportOptions
        {
            Collection = context.ParseResult.GetValueForOption(Collection),
            StartsWith = context.ParseResult.GetValueForOption(StartsWith),
            DocumentsOnly = context.ParseResult.GetValueForOption(DocumentsOnly),
            SkipDamaged = context.ParseResult.GetValueForOption(SkipDamaged),
        },
        Console.Error,
        IsInteractive);

    private static bool IsInteractive => !Console.IsOutputRedirected && !Console.IsErrorRedirected;

    private static SourceSet OpenSources(InvocationContext context)
    {
        T Get<T>(Option<T> option) => context.ParseResult.GetValueForOption(option)!;

        return new SourceSet(context.ParseResult.GetValueForArgument(Files), new SourceOptions
        {
            Format = Get(Format),
            RepairControlCharacters = Get(Repair),
            Separator = checked((byte)Get(Separator)),
            StringsOnly = Get(StringsOnly),
            Columns = CsvColumns.Parse(Get(Columns)),
        });
    }

    private static IdentityOptions IdentityOf(InvocationContext context)
    {
        T Get<T>(Option<T> option) => context.ParseResult.GetValueForOption(option)!;

        return new IdentityOptions
        {
            Collection = Get(Collection),
            CollectionProperty = Get(CollectionProperty),
            IdProperty = Get(IdProperty),
            IdPrefix = Get(IdPrefix),
        };
    }
}
