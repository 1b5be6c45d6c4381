using System.Buffers;
using System.Text;
using System.Text.Json;
using Raven.Documents.Settings;

namespace Raven.Server.Http.Queries;

/// <summary>
/// Results of a query as CSV (RFC 4180), with a header: members of objects by their paths, such as <c>Address.City</c>,
/// arrays as JSON. An import of CSV reads it back.
/// </summary>
/// <param name="fields">The paths; null for those of the first result.</param>
/// <param name="escapesFormulas">Whether a cell that a spreadsheet takes for a formula gets a <c>'</c>.</param>
internal sealed class CsvLines(IReadOnlyList<string>? fields, bool escapesFormulas)
{
    private const string Id = "@id";
    private const string Metadata = "@metadata";
    private const int DepthMax = 8;

    private static readonly SearchValues<char> Special = SearchValues.Create(",\"\r\n");

    private readonly ArrayBufferWriter<byte> _result = new();
    private string[][]? _paths;

    /// <summary>Takes the JSON of the next result.</summary>
    internal IBufferWriter<byte> Begin()
    {
        _result.ResetWrittenCount();
        return _result;
    }

    /// <summary>Writes the result as a line, behind the header if it is the first.</summary>
    internal void End(ResponseWriter target)
    {
        using JsonDocument json = StoredJson.Parse(_result.WrittenMemory);
        if (_paths is null)
        {
            WriteHeader(target, json.RootElement);
        }

        var line = new StringBuilder();
        for (int i = 0; i < _paths!.Length; i++)
        {
            line.Append(i == 0 ? "" : ",");
            AppendCell(line, Find(json.RootElement, _paths[i]));
        }

        target.WriteText(line.Append("\r\n"));
    }

    /// <summary>Writes the header, if there was no result and the fields are known.</summary>
    internal void EndAll(ResponseWriter target)
    {
        if (_paths is null && fields is not null)
        {
            WriteHeader(target, default);
        }
    }

    private void WriteHeader(ResponseWriter target, JsonElement first)
    {
        List<string> names = [.. fields ?? []];
        if (fields is null)
        {
            names.Add(Id);
            AddPaths(names, first, "", 0);
            names.Add($"{Metadata}.@collection");
        }

        _paths = [.. names.Select(name => name == Id ? [Metadata, Id] : name.Split('.'))];
        var line = new StringBuilder();
        foreach (string name in names)
        {
            line.Append(line.Length == 0 ? "" : ",");
            AppendText(line, name);
        }

        target.WriteText(line.Append("\r\n"));
    }

    private static void AddPaths(List<string> names, JsonElement value, string prefix, int depth)
    {
        if (value.ValueKind != JsonValueKind.Object)
        {
            return;
        }

        foreach (JsonProperty member in value.EnumerateObject())
        {
            if (member.Name == Metadata && depth == 0)
            {
                continue;
            }

            string path = prefix + member.Name;
            bool isObject = member.Value.ValueKind == JsonValueKind.Object && depth < DepthMax
                && member.Value.EnumerateObject().Any();
            if (isObject)
            {
                AddPaths(names, member.Value, path + ".", depth + 1);
            }
            else
            {
                names.Add(path);
            }
        }
    }

    private static JsonElement? Find(JsonElement value, string[] path)
    {
        foreach (string name in path)
        {
            if (value.ValueKind != JsonValueKind.Object || !value.TryGetProperty(name, out value))
            {
                return null;
            }
        }

        return value;
    }

    private void AppendCell(StringBuilder line, JsonElement? found)
    {
        if (found is not { } value || value.ValueKind == JsonValueKind.Null)
        {
            return;
        }

        if (value.ValueKind != JsonValueKind.String)
        {
            AppendText(line, value.GetRawText());
            return;
        }

        string text = value.GetString()!;
        if (escapesFormulas && text.Length > 0 && "=+-@\t\r".Contains(text[0]))
        {
            text = "'" + text;
        }

        AppendQuoted(line, text, MustBeQuoted(text));
    }

    private static void AppendText(StringBuilder line, string text) =>
        AppendQuoted(line, text, text.AsSpan().ContainsAny(Special));

    /// <summary>Whether a text would be read back as another text, or as a number, true, false or null.</summary>
    private static bool MustBeQuoted(string text) => text.Length == 0 || text[0] == ' ' || text[^1] == ' '
        || "-0123456789tfn[{".Contains(text[0]) || text.AsSpan().ContainsAny(Special);

    private static void AppendQuoted(StringBuilder line, string text, bool isQuoted)
    {
        if (!isQuoted)
        {
            line.Append(text);
            return;
        }

        line.Append('"').Append(text.Replace("\"", "\"\"", StringComparison.Ordinal)).Append('"');
    }
}
