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
        Description = "The file to write: .ravendbdump for a dump of the whole database, else JSON lines (.gz packs "
            + "them); - is standard output",
    };

    internal static readonly Option<Uri> Server = new("--url")
    {
        Description = "Where the server is",
        DefaultValueFactory = _ => new Uri("http://127.0.0.1:8080"),
        CustomParser = ParseUrl,
    };

    internal static readonly Option<string> Database = new("--database")
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

    private static readonly Option<string> Compression = new("--compression")
    {
        Description = "gzip or zstd, for a dump",
        DefaultValueFactory = _ => "gzip",
    };

    private static readonly Option<string?> StartsWith = new("--starts-with")
    {
        Description = "Only documents whose id begins so",
    };

    /// <summary>The three verbs.</summary>
    internal static IEnumerable<Command> Create()
    {
        Command import = OfSources("import", "Load dumps, or JSON and CSV files, plain or gzip, into a database");
        import.Add(CreateOption);
        import.SetAction(parsed => RunAsync(parsed, Verb.OutputOf(parsed), ImportAsync));
        Command compare = OfSources("compare", "Compare files with a database (same options as for the import)");
        compare.SetAction(parsed => RunAsync(parsed, Verb.OutputOf(parsed), CompareAsync));
        var export = new Command("export", "Write a database as a dump, or its documents as JSON lines")
        {
            Target, Server, Database, Collection, StartsWith, DocumentsOnly, SkipDamaged,
            Compression, Verb.Json,
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

    /// <summary>Runs a verb with a client of the server, and says what goes wrong.</summary>
    internal static async Task<int> RunAsync(
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
        bool areDumps = AreDumps(parsed);
        using SourceSet? sources = areDumps ? null : OpenSources(parsed);
        if (parsed.GetValue(CreateOption))
        {
            await server.CreateDatabaseAsync();
        }

        try
        {
            return sources is null
                ? await DumpVerbs.ImportAsync(server, parsed.GetRequiredValue(Files), output)
                : await ImportVerb.RunAsync(server, sources, IdentityOf(parsed), output);
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

    private static Task<int> ExportAsync(ParseResult parsed, ServerClient server, VerbOutput output)
    {
        string path = parsed.GetRequiredValue(Target);
        var options = new ExportOptions
        {
            Collection = parsed.GetValue(Collection),
            StartsWith = parsed.GetValue(StartsWith),
            DocumentsOnly = parsed.GetValue(DocumentsOnly),
            SkipDamaged = parsed.GetValue(SkipDamaged),
            Compression = parsed.GetValue(Compression) ?? "gzip",
        };
        if (!DumpVerbs.IsDump(path))
        {
            return ExportVerb.RunAsync(server, path, options, output);
        }

        return options.StartsWith is null
            ? DumpVerbs.ExportAsync(server, path, options, output)
            : throw new FormatException("A dump has whole collections: --starts-with is for JSON lines.");
    }

    /// <summary>Whether all files are dumps, and none of their documents gets another id or collection.</summary>
    private static bool AreDumps(ParseResult parsed)
    {
        SourceFormat format = parsed.GetValue(Format);
        IdentityOptions identity = IdentityOf(parsed);
        bool isAsItIs = identity is { Collection: null, CollectionProperty: null, IdProperty: null, IdPrefix: "" };
        return isAsItIs && parsed.GetRequiredValue(Files).All(
            file => format == SourceFormat.RavenDbDump || (format == SourceFormat.Auto && DumpVerbs.IsDump(file)));
    }

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
