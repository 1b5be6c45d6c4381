using System.Text.Json;

namespace Raven.Client.Documents.Commands;

/// <summary>Documents and what came with them.</summary>
internal sealed class GetDocumentsResult
{
    /// <summary>In the order of the ids; null where there is no such document.</summary>
    internal List<JsonElement> Results { get; } = [];

    internal Dictionary<string, JsonElement> Includes { get; } = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Counters by document and name; null where the document has no such counter.</summary>
    internal Dictionary<string, Dictionary<string, long?>> Counters { get; } = new(StringComparer.OrdinalIgnoreCase);

    internal Dictionary<string, JsonElement> CompareExchange { get; } = new(StringComparer.OrdinalIgnoreCase);

    internal void ReadIncludes(JsonElement json)
    {
        foreach (JsonProperty include in PropertiesOf(json, "Includes"))
        {
            Includes[include.Name] = include.Value;
        }

        foreach (JsonProperty document in PropertiesOf(json, "IncludedCounterNames"))
        {
            Dictionary<string, long?> names = CountersOf(document.Name);
            foreach (JsonElement name in document.Value.EnumerateArray())
            {
                names[name.GetString()!] = null;
            }
        }

        foreach (JsonProperty document in PropertiesOf(json, "CounterIncludes"))
        {
            Dictionary<string, long?> names = CountersOf(document.Name);
            foreach (JsonElement counter in document.Value.EnumerateArray())
            {
                if (counter.ValueKind == JsonValueKind.Object)
                {
                    names[counter.GetProperty("CounterName").GetString()!] =
                        counter.GetProperty("TotalValue").GetInt64();
                }
            }
        }

        foreach (JsonProperty value in PropertiesOf(json, "CompareExchangeValueIncludes"))
        {
            CompareExchange[value.Name] = value.Value;
        }
    }

    private static JsonElement.ObjectEnumerator PropertiesOf(JsonElement json, string name) =>
        json.TryGetProperty(name, out JsonElement value) && value.ValueKind == JsonValueKind.Object
            ? value.EnumerateObject()
            : default;

    private Dictionary<string, long?> CountersOf(string id)
    {
        if (!Counters.TryGetValue(id, out Dictionary<string, long?>? names))
        {
            Counters[id] = names = new(StringComparer.OrdinalIgnoreCase);
        }

        return names;
    }
}
