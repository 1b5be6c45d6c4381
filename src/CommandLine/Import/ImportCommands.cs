using System.CommandLine;
using System.CommandLine.Parsing;
using System.Text.Json;
using Raven.CommandLine.Import.Input;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Import.Verbs;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import;

/// <summary>
/// <c>raven import FILE...</c> loads, <c>raven export FILE</c> writes JSON lines, <c>raven compare FILE...</c> says
/// whether a database holds what files hold.
/// </summary>
internal static class ImportCommands
{
    private static readonly Argument<string[]> Files = new("file")
    {
        Description = "The files to read; - is standard input",
        Arity = ArgumentArity.OneOrMore,
    };

    private static readonly Argument<string> Target = new("file")
    {
        Description = "The file to write (.gz packs it); - is standard output",
    };

    private static readonly Option<Uri> Server = new("--url")
    {
        Description = "Where the server is",
        DefaultValueFactory = _ => new Uri("http://127.0.0.1:8080"),
        CustomParser = ParseUrl,
    };

    private static readonly Option<string> Database = new("--database")
    {
        Description = "The database",
        Required = true,
    };

    private static readonly Option<bool> CreateOption = new("--create")
    {
        Description = "Create the database if it is not there",
    };

    private static readonly Option<SourceFormat> Format = new("--format")
    {
        Description = "How to read the files; by their names if not given",
    };

    private static readonly Option<string?> Collection = new("--collection")
    {
        Description = "The collection of the documents",
    };

    private static readonly Option<string?> CollectionProperty = new("--collection-property")
    {
        Description = "The property that names the collection of a document",
    };

    private static readonly Option<string?> IdProperty = new("--id-property")
    {
        Description = "The property whose value is the id; otherwise @metadata.@id, or collection and number",
    };

    private static readonly Option<string> IdPrefix = new("--id-prefix")
    {
        Description = "Put before the value of --id-property",
        DefaultValueFactory = _ => "",
    };

    private static readonly Option<bool> Repair = new("--repair-control-characters")
    {
        Description = "Escape raw control characters inside strings instead of refusing them",
    };

    private static readonly Option<char> Separator = new("--separator")
    {
        Description = "Between the fields of a CSV file",
        DefaultValueFactory = _ => ',',
        CustomParser = ParseSeparator,
    };

    private static readonly Option<bool> StringsOnly = new("--strings-only")
    {
        Description = "Leave the fields of a CSV file strings",
    };

    private static readonly Option<string[]> Columns = new("--column")
    {
        Description = "NAME=text, NAME=number or NAME=boolean: what a column of a CSV file is, in every row",
        DefaultValueFactory = _ => [],
        AllowMultipleArgumentsPerToken = true,
    };

    private static readonly Option<bool> DocumentsOnly = new("--documents-only")
    {
        Description = "Export without what the database has besides documents",
    };

    private static readonly Option<bool> SkipDamaged = new("--skip-damaged")
    {
        Description = "Export all that can be read of a damaged database, and list what cannot",
    };

    private static readonly Option<string?> StartsWith = new("--starts-with")
    {
        Description = "Only documents whose id begins so",
    };

    /// <summary>The three verbs.</summary>
    internal static IEnumerable<Command> Create()
    {
        Command import = OfSources("import", "Load JSON and CSV files, plain or gzip, into a database by bulk insert");
        import.Add(CreateOption);
        import.SetAction(parsed => RunAsync(parsed, Verb.OutputOf(parsed), ImportAsync));
        Command compare = OfSources("compare", "Compare files with a database (same options as for the import)");
        compare.SetAction(parsed => RunAsync(parsed, Verb.OutputOf(parsed), CompareAsync));
        var export = new Command("export", "Write a database as JSON lines with @metadata")
        {
            Target, Server, Database, Collection, StartsWith, DocumentsOnly, SkipDamaged, Verb.Json,
        };
        export.SetAction(parsed => RunAsync(
            parsed, Verb.OutputOf(parsed, isBeside: parsed.GetValue(Target) == "-"), ExportAsync));
        Command[] all = [import, export, compare];
        Array.ForEach(all, CallerOptions.AddTo);
        return all;
    }

    private static Command OfSources(string name, string description) => new(name, description)
    {
        Files, Server, Database, Format, Collection, CollectionProperty, IdProperty, IdPrefix, Repair, Separator,
        StringsOnly, Columns, Verb.Json,
    };

    /// <summary>The parser of options has none that refuses what is not ASCII.</summary>
    private static char ParseSeparator(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (text.Length == 1 && char.IsAscii(text[0]))
        {
            return text[0];
        }

        result.AddError($"--separator takes one ASCII character, not '{text}'.");
        return default;
    }

    /// <summary>The parser of options knows no urls.</summary>
    private static Uri? ParseUrl(ArgumentResult result)
    {
        string text = result.Tokens[0].Value;
        if (Uri.TryCreate(text, UriKind.Absolute, out Uri? url) && url.Scheme is "http" or "https")
        {
            return url;
        }

        result.AddError($"--url takes the url of a server, as http://127.0.0.1:8080, not '{text}'.");
        return null;
    }

    private static async Task<int> RunAsync(
        ParseResult parsed, VerbOutput output, Func<ParseResult, ServerClient, VerbOutput, Task<int>> verb)
    {
        TextWriter error = parsed.InvocationConfiguration.Error;
        try
        {
            using var server = new ServerClient(
                parsed.GetRequiredValue(Server), parsed.GetRequiredValue(Database), CallerOptions.Read(parsed));
            return output.End(await verb(parsed, server, output));
        }
        catch (Exception missing) when (missing is FileNotFoundException or DirectoryNotFoundException
            or UnauthorizedAccessException or FormatException)
        {
            await error.WriteLineAsync(missing.Message);
            return output.End(ExitCode.WrongUsage);
        }
        catch (Exception failure) when (failure is ServerException or HttpRequestException
            or JsonException or KeyNotFoundException)
        {
            // The last two: what answered is not this server.
            await error.WriteLineAsync($"{parsed.GetValue(Server)}: {failure.Message}");
            return output.End(ExitCode.ServerFailed);
        }
    }

    private static async Task<int> ImportAsync(ParseResult parsed, ServerClient server, VerbOutput output)
    {
        using SourceSet sources = OpenSources(parsed);
        if (parsed.GetValue(CreateOption))
        {
            await server.CreateDatabaseAsync();
        }

        try
        {
            return await ImportVerb.RunAsync(server, sources, IdentityOf(parsed), output);
        }
        catch (ServerException missing) when (missing.IsDatabaseMissing)
        {
            await parsed.InvocationConfiguration.Error.WriteLineAsync(
                $"{missing.Message} --create makes it before the import.");
            return ExitCode.ServerFailed;
        }
    }

    private static async Task<int> CompareAsync(ParseResult parsed, ServerClient server, VerbOutput output)
    {
        using SourceSet sources = OpenSources(parsed);
        return await new CompareVerb(server, output).RunAsync(sources, IdentityOf(parsed));
    }

    private static Task<int> ExportAsync(ParseResult parsed, ServerClient server, VerbOutput output) =>
        ExportVerb.RunAsync(
            server,
            parsed.GetRequiredValue(Target),
            new ExportOptions
            {
                Collection = parsed.GetValue(Collection),
                StartsWith = parsed.GetValue(StartsWith),
                DocumentsOnly = parsed.GetValue(DocumentsOnly),
                SkipDamaged = parsed.GetValue(SkipDamaged),
            },
            output);

    private static SourceSet OpenSources(ParseResult parsed) => new(
        parsed.GetRequiredValue(Files),
        new SourceOptions
        {
            Format = parsed.GetValue(Format),
            RepairControlCharacters = parsed.GetValue(Repair),
            Separator = checked((byte)parsed.GetValue(Separator)),
            StringsOnly = parsed.GetValue(StringsOnly),
            Columns = CsvColumns.Parse(parsed.GetValue(Columns) ?? []),
        });

    private static IdentityOptions IdentityOf(ParseResult parsed) => new()
    {
        Collection = parsed.GetValue(Collection),
        CollectionProperty = parsed.GetValue(CollectionProperty),
        IdProperty = parsed.GetValue(IdProperty),
        IdPrefix = parsed.GetValue(IdPrefix) ?? "",
    };
}
