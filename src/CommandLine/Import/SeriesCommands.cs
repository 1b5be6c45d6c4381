using System.CommandLine;
using Raven.CommandLine.Import.Server;
using Raven.CommandLine.Import.Verbs;
using Raven.CommandLine.Output;

namespace Raven.CommandLine.Import;

/// <summary>
/// <c>raven timeseries export FILE</c> writes a time series as CSV or JSON lines, <c>raven timeseries import FILE</c>
/// reads one.
/// </summary>
internal static class SeriesCommands
{
    private static readonly Argument<string> File = new("file")
    {
        Description = "The file: .csv for CSV, else JSON lines; - is standard output or input",
    };

    private static readonly Option<string> Document = new("--document")
    {
        Description = "The id of the document that has the series",
        Required = true,
    };

    private static readonly Option<string> Name = new("--name")
    {
        Description = "The name of the series",
        Required = true,
    };

    private static readonly Option<string?> From = new("--from")
    {
        Description = "The first time, as 2026-01-01T00:00:00Z; without it from the first entry on",
    };

    private static readonly Option<string?> To = new("--to")
    {
        Description = "The last time; without it to the last entry",
    };

    private static readonly Option<bool> Csv = new("--csv")
    {
        Description = "CSV, whatever the name of the file is",
    };

    /// <summary>The verb with its two parts.</summary>
    internal static Command Create()
    {
        var export = new Command("export", "Write the entries of a time series as CSV or JSON lines")
        {
            File, ImportCommands.Server, ImportCommands.Database, Document, Name, From, To, Csv, Verb.Json,
        };
        export.SetAction(parsed => ImportCommands.RunAsync(
            parsed, Verb.OutputOf(parsed, isBeside: parsed.GetValue(File) == "-"), ExportAsync));
        var import = new Command("import", "Read the entries of a time series from CSV or JSON lines, plain or gzip")
        {
            File, ImportCommands.Server, ImportCommands.Database, Document, Name, Csv, Verb.Json,
        };
        import.SetAction(parsed => ImportCommands.RunAsync(parsed, Verb.OutputOf(parsed), ImportAsync));
        CallerOptions.AddTo(export);
        CallerOptions.AddTo(import);
        return new Command("timeseries", "Write a time series into a file, or read one") { export, import };
    }

    private static Task<int> ExportAsync(ParseResult parsed, ServerClient server, VerbOutput output) =>
        SeriesVerbs.ExportAsync(
            server, parsed.GetRequiredValue(File), SeriesOf(parsed) + Bound("from", parsed.GetValue(From))
                + Bound("to", parsed.GetValue(To)),
            output);

    private static Task<int> ImportAsync(ParseResult parsed, ServerClient server, VerbOutput output) =>
        SeriesVerbs.ImportAsync(server, parsed.GetRequiredValue(File), SeriesOf(parsed), output);

    /// <summary>The parameters of the url that say which series it is, and how the file has it.</summary>
    private static string SeriesOf(ParseResult parsed)
    {
        string file = parsed.GetRequiredValue(File);
        bool isCsv = parsed.GetValue(Csv) || file.EndsWith(".csv", StringComparison.OrdinalIgnoreCase)
            || file.EndsWith(".csv.gz", StringComparison.OrdinalIgnoreCase);
        return $"docId={Uri.EscapeDataString(parsed.GetRequiredValue(Document))}"
            + $"&name={Uri.EscapeDataString(parsed.GetRequiredValue(Name))}&format={(isCsv ? "csv" : "jsonl")}";
    }

    private static string Bound(string name, string? time) =>
        time is null ? "" : $"&{name}={Uri.EscapeDataString(time)}";
}
