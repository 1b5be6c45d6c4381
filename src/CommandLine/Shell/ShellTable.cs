using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace Raven.CommandLine.Shell;

/// <summary>Draws results as a table, not wider than the terminal. Whatever is in them is no command to it.</summary>
internal static class ShellTable
{
    private const int ColumnsMax = 12;
    private const int ColumnWidthMin = 4;
    private const string Cut = "…";

    private static readonly JsonSerializerOptions Plain = new()
    {
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    /// <summary>The table of objects; the columns are the fields of all of them, the id first.</summary>
    internal static string Of(JsonArray results, int width)
    {
        List<string> columns = ColumnsOf(results);
        if (columns.Count == 0)
        {
            return "";
        }

        string[][] rows = [[.. columns], .. results.Select(one => columns.Select(name => TextOf(one, name)).ToArray())];
        int[] widths = [.. columns.Select((_, i) => rows.Max(row => row[i].Length))];
        Fit(widths, width);
        var text = new StringBuilder();
        for (int i = 0; i < rows.Length; i++)
        {
            Append(text, rows[i], widths);
            if (i == 0)
            {
                Append(text, [.. widths.Select(one => new string('-', one))], widths);
            }
        }

        return text.ToString();
    }

    private static void Append(StringBuilder text, string[] row, int[] widths)
    {
        int start = text.Length;
        for (int i = 0; i < row.Length; i++)
        {
            string cell = row[i].Length <= widths[i]
                ? row[i]
                : string.Concat(row[i].AsSpan(0, widths[i] - Cut.Length), Cut);
            text.Append(i == 0 ? "" : "  ").Append(cell.PadRight(widths[i]));
        }

        while (text.Length > start && text[^1] == ' ')
        {
            text.Length--;
        }

        text.Append('\n');
    }

    private static List<string> ColumnsOf(JsonArray results)
    {
        List<string> columns = [];
        if (results.Any(one => IdOf(one) != null))
        {
            columns.Add("@id");
        }

        foreach (JsonNode? one in results)
        {
            foreach ((string name, _) in one as JsonObject ?? [])
            {
                if (name != "@metadata" && !columns.Contains(name) && columns.Count < ColumnsMax)
                {
                    columns.Add(name);
                }
            }
        }

        return columns;
    }

    private static string TextOf(JsonNode? one, string name)
    {
        JsonNode? value = name == "@id" ? IdOf(one) : (one as JsonObject)?[name];
        string text = value switch
        {
            null => "",
            JsonValue plain when plain.TryGetValue(out string? words) => words,
            _ => value.ToJsonString(Plain),
        };
        return string.Concat(text.Select(letter => char.IsControl(letter)
            || char.GetUnicodeCategory(letter) == System.Globalization.UnicodeCategory.Format ? ' ' : letter));
    }

    private static JsonNode? IdOf(JsonNode? one) => (one as JsonObject)?["@metadata"] is JsonObject metadata
        ? metadata["@id"]
        : null;

    /// <summary>Takes from the widest columns until all fit.</summary>
    private static void Fit(int[] widths, int width)
    {
        while (widths.Sum(one => (long)one) + 2 * (widths.Length - 1) > width && widths.Max() > ColumnWidthMin)
        {
            widths[Array.IndexOf(widths, widths.Max())]--;
        }
    }
}
