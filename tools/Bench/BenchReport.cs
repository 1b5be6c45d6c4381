using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using Spectre.Console;

namespace Raven.Tools.Bench;

/// <summary>The two forms of the result: the table for readers, and the JSON array for comparing runs.</summary>
public static class BenchReport
{
    private static readonly JsonWriterOptions WriterOptions = new()
    {
        Indented = true,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, // ">= 3x" as it reads; nothing here goes into a page
    };

    /// <summary>Writes one row of the table as soon as it is known.</summary>
    public static Table CreateTable()
    {
        var table = new Table().Border(TableBorder.Ascii2);
        table.AddColumn("work");
        table.AddColumn(new TableColumn("ours").RightAligned());
        table.AddColumn(new TableColumn("peer").RightAligned());
        table.AddColumn("unit");
        table.AddColumn(new TableColumn("ratio").RightAligned());
        table.AddColumn(new TableColumn("spread").RightAligned());
        table.AddColumn("target");
        table.AddColumn("met");
        return table;
    }

    /// <summary>Adds a result to the table.</summary>
    public static void AddRow(Table table, BenchResult result)
    {
        ArgumentNullException.ThrowIfNull(table);
        ArgumentNullException.ThrowIfNull(result);
        BenchRow row = result.Row;
        string name = row.PeerName.Length == 0 ? row.Name : $"{row.Name} (peer: {row.PeerName})";
        table.AddRow(
            Markup.Escape(name + Disk(result, "; disk alone ")),
            Format(result.Ours), Format(result.Peer), Markup.Escape(row.Unit), Ratio(result.Ratio),
            result.Ours is null ? "" : string.Create(CultureInfo.InvariantCulture, $"{result.SpreadPercent:0}%"),
            row.Target.ToString(), Markup.Escape(Verdict(result)));
    }

    /// <summary>One line for the console while the suite runs.</summary>
    public static string ToLine(BenchResult result)
    {
        ArgumentNullException.ThrowIfNull(result);
        return $"{result.Row.Name}: {Format(result.Ours)} | {Format(result.Peer)} {result.Row.Unit} | " +
            $"{Ratio(result.Ratio)} | {result.Row.Target} | {Verdict(result)}{Disk(result, " | disk alone ")}";
    }

    /// <summary>
    /// Writes the array of { name, ours, peer, unit, ratio, target, met }, with "skipped" or "failed" if so.
    /// </summary>
    public static void WriteJson(Stream target, IEnumerable<BenchResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        using var writer = new Utf8JsonWriter(target, WriterOptions);
        writer.WriteStartArray();
        foreach (BenchResult result in results)
        {
            writer.WriteStartObject();
            writer.WriteString("name", result.Row.Name);
            WriteNumber(writer, "ours", result.Ours);
            WriteNumber(writer, "peer", result.Peer);
            writer.WriteString("unit", result.Row.Unit);
            WriteNumber(writer, "ratio", result.Ratio);
            if (result.DiskWrites is not null)
            {
                WriteNumber(writer, "diskWrites", result.DiskWrites);
            }

            writer.WriteString("target", result.Row.Target.ToString());
            WriteVerdict(writer, result.Met);
            WriteReason(writer, "skipped", result.Row.Skipped);
            WriteReason(writer, "failed", result.Failure);
            writer.WriteEndObject();
        }

        writer.WriteEndArray();
    }

    /// <summary>Writes the title of a table in Markdown, and the origin of its figures.</summary>
    public static void WriteOrigin(TextWriter target, BenchOrigin origin)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(origin);
        target.WriteLine($"# bench {string.Join(' ', origin.Suites)}");
        target.WriteLine();
        target.WriteLine($"Written by `{origin.Command}`; not edited by hand.");
        target.WriteLine();
        target.WriteLine("| | |");
        target.WriteLine("|---|---|");
        target.WriteLine($"| date | {origin.Date:yyyy-MM-dd} |");
        target.WriteLine($"| commit | {origin.Commit} |");
        target.WriteLine($"| machine | {origin.Machine} |");
        target.WriteLine();
    }

    /// <summary>
    /// Writes the table in Markdown, one row for each work: its peers, ratios and targets side by side. Rows that
    /// allocate nothing, as they should, become one sentence.
    /// </summary>
    public static void WriteMarkdown(TextWriter target, IReadOnlyList<BenchResult> results)
    {
        ArgumentNullException.ThrowIfNull(target);
        ArgumentNullException.ThrowIfNull(results);
        target.WriteLine("| work | ours | peers | ratio | target | missed |");
        target.WriteLine("|---|---|---|---|---|---|");
        int withoutBytes = 0;
        foreach (IGrouping<string, BenchResult> work in results.GroupBy(result => result.Row.Name))
        {
            BenchResult first = work.First();
            if (first.Ours == 0 && first.Row.Unit.StartsWith('B'))
            {
                withoutBytes++;
                continue;
            }

            string ours = first.Ours is null ? Verdict(first) : $"{Format(first.Ours)} {first.Row.Unit}";
            ours += Disk(first, "; disk alone ");
            string peers = Join(
                work, result => result.Peer is null ? "" : $"{result.Row.PeerName} {Format(result.Peer)}");
            string ratios = Join(work, result => result.Ratio is null ? "" : Ratio(result.Ratio));
            string targets = Join(work, result => result.Row.Target.ToString());
            string missed = work.Any(result => result.Met == false) ? "**missed**" : "";
            target.WriteLine($"| {work.Key} | {ours} | {peers} | {ratios} | {targets} | {missed} |");
        }

        if (withoutBytes > 0)
        {
            target.WriteLine();
            target.WriteLine($"{withoutBytes} more rows count managed memory: 0 bytes an operation in each.");
        }
    }

    private static string Join(IEnumerable<BenchResult> results, Func<BenchResult, string> part) =>
        string.Join("; ", results.Select(part).Where(text => text.Length > 0));

    /// <summary>The disk's own rate, if the row has one.</summary>
    private static string Disk(BenchResult result, string before) =>
        result.DiskWrites is null ? "" : $"{before}{Format(result.DiskWrites)} writes/s";

    private static string Verdict(BenchResult result) => result switch
    {
        { Row.Skipped: { } why } => $"skipped: {why}",
        { Failure: { } why } => $"failed: {why}",
        { Met: true } => "yes",
        { Met: false } => "NO",
        _ => "-",
    };

    private static string Format(double? value) => value is not { } number
        ? "-"
        : Math.Abs(number) switch
        {
            >= 1000 => number.ToString("N0", CultureInfo.InvariantCulture),
            >= 10 => number.ToString("0.0", CultureInfo.InvariantCulture),
            _ => number.ToString("0.###", CultureInfo.InvariantCulture),
        };

    private static string Ratio(double? ratio) =>
        ratio is { } value ? value.ToString("0.00", CultureInfo.InvariantCulture) + "x" : "-";

    private static void WriteNumber(Utf8JsonWriter writer, string name, double? value)
    {
        if (value is { } number && double.IsFinite(number))
        {
            writer.WriteNumber(name, number);
        }
        else
        {
            writer.WriteNull(name);
        }
    }

    private static void WriteVerdict(Utf8JsonWriter writer, bool? met)
    {
        if (met is { } value)
        {
            writer.WriteBoolean("met", value);
        }
        else
        {
            writer.WriteNull("met");
        }
    }

    private static void WriteReason(Utf8JsonWriter writer, string name, string? reason)
    {
        if (reason is not null)
        {
            writer.WriteString(name, reason);
        }
    }
}
