using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Raven.CommandLine.Import.Server;

namespace Raven.CommandLine.Shell;

/// <summary>What one who types has chosen, and what each line does. One thread.</summary>
/// <param name="server">The server.</param>
/// <param name="output">Takes the answers.</param>
/// <param name="isJson">Whether they are JSON, and not tables.</param>
/// <param name="width">How wide the terminal is.</param>
internal sealed class ShellSession(ShellServer server, TextWriter output, bool isJson, int width)
{
    private const int DefaultCount = 50;
    private const int CountMax = 100_000;

    private static readonly JsonSerializerOptions Indented = new()
    {
        WriteIndented = true, Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
    };

    private readonly Dictionary<string, string[]> _fields = new(StringComparer.OrdinalIgnoreCase);
    private bool _isJson = isJson;
    private int _count = DefaultCount;

    /// <summary>The database; null if none is chosen.</summary>
    internal string? Database { get; set; }

    /// <summary>Does what a line says: a command if it begins with a dot, else a query.</summary>
    /// <exception cref="ArgumentException">It is neither.</exception>
    internal async Task RunAsync(string line)
    {
        if (!line.StartsWith('.'))
        {
            await QueryAsync(line.TrimEnd(';'));
            return;
        }

        string[] words = line.Split(' ', 2, StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);
        string rest = words.Length > 1 ? words[1] : "";
        switch (words[0].ToLowerInvariant())
        {
            case ".help":
                await output.WriteLineAsync(ShellHelp.Text);
                break;
            case ".databases":
                await WriteListAsync("Database", await server.DatabasesAsync());
                break;
            case ".use":
                await UseAsync(rest);
                break;
            case ".collections":
                await WriteAsync([.. (await server.CollectionsAsync(Chosen)).Select(one => new JsonObject
                {
                    ["Collection"] = one.Key, ["Documents"] = one.Value,
                })]);
                break;
            case ".indexes":
                await WriteAsync([.. (await server.IndexesAsync(Chosen)).Select(one => new JsonObject
                {
                    ["Index"] = $"{one!["Name"]}", ["State"] = $"{one["State"]}", ["Stale"] = (bool?)one["IsStale"],
                    ["Entries"] = (long?)one["EntriesCount"], ["Errors"] = (long?)one["ErrorsCount"],
                })]);
                break;
            case ".fields":
                await WriteListAsync("Field", await FieldsAsync(rest));
                break;
            case ".json":
                _isJson = true;
                break;
            case ".table":
                _isJson = false;
                break;
            case ".limit":
                _count = int.TryParse(rest, CultureInfo.InvariantCulture, out int count) && count is > 0 and <= CountMax
                    ? count
                    : throw new ArgumentException($".limit takes a number from 1 to {CountMax}.");
                break;
            default:
                throw new ArgumentException($"There is no command {words[0]}; .help lists them.");
        }
    }

    /// <summary>What may stand where the cursor is.</summary>
    internal async Task<IReadOnlyList<string>> CompleteAsync(string before)
    {
        var place = ShellPlace.Of(before);
        try
        {
            return place.Filter(place.Kind switch
            {
                ShellPlaceKind.Command => ShellHelp.Commands,
                ShellPlaceKind.Database => await server.DatabasesAsync(),
                ShellPlaceKind.Collection when Database != null =>
                    [.. (await server.CollectionsAsync(Database)).Select(one => one.Key), "index"],
                ShellPlaceKind.Index when Database != null =>
                    [.. (await server.IndexesAsync(Database)).Select(one => $"'{one!["Name"]}'")],
                ShellPlaceKind.Field when Database != null && place.Collection.Length > 0 =>
                    [.. await FieldsAsync(place.Collection), .. ShellPlace.Words],
                _ => ShellPlace.Words,
            });
        }
        catch (Exception unknown) when (unknown is HttpRequestException or JsonException or ServerException
            or OperationCanceledException)
        {
            // Whoever types gets the error by what is typed, not by Tab.
            return place.Filter(ShellPlace.Words);
        }
    }

    private string Chosen =>
        Database ?? throw new ArgumentException("Choose a database: .use NAME; .databases lists them.");

    private async Task UseAsync(string name)
    {
        string[] all = await server.DatabasesAsync();
        Database = Array.Find(all, one => one.Equals(name, StringComparison.OrdinalIgnoreCase))
            ?? throw new ArgumentException($"There is no database '{name}'; .databases lists them.");
        _fields.Clear();
    }

    private async Task<string[]> FieldsAsync(string collection)
    {
        if (!_fields.TryGetValue(collection, out string[]? fields))
        {
            fields = await server.FieldsAsync(Chosen, collection);
            _fields[collection] = fields;
        }

        return fields;
    }

    private async Task QueryAsync(string query)
    {
        JsonNode answer = await server.QueryAsync(Chosen, query, _count);
        JsonArray results = answer["Results"]?.AsArray() ?? [];
        if (_isJson)
        {
            await output.WriteLineAsync(answer.ToJsonString(Indented));
            return;
        }

        await output.WriteAsync(ShellTable.Of(results, width));
        long total = (long?)answer["TotalResults"] ?? results.Count;
        await output.WriteLineAsync(string.Create(
            CultureInfo.InvariantCulture,
            $"{results.Count} of {total} in {answer["DurationInMs"] ?? 0} ms, by {answer["IndexName"]}"
            + $"{((bool?)answer["IsStale"] == true ? " (stale)" : "")}"));
    }

    private Task WriteListAsync(string column, IEnumerable<string> values) =>
        WriteAsync([.. values.Select(value => new JsonObject { [column] = value })]);

    private Task WriteAsync(IEnumerable<JsonObject> rows)
    {
        var list = new JsonArray([.. rows]);
        return _isJson
            ? output.WriteLineAsync(list.ToJsonString(Indented))
            : output.WriteAsync(ShellTable.Of(list, width));
    }
}
