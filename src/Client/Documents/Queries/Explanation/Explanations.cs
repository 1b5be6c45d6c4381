using System.Text.Json;

namespace Raven.Client.Documents.Queries.Explanation;

/// <summary>Explanations of why each result was found, and of its score; filled by the answer.</summary>
public sealed class Explanations
{
    private readonly Dictionary<string, string[]> _lines = new(StringComparer.OrdinalIgnoreCase);

    internal Explanations()
    {
    }

    /// <summary>The explanation of one result, in lines; empty if there is none.</summary>
    /// <param name="key">The id of a document, or the value of <see cref="ExplanationOptions.GroupKey"/>.</param>
    public IReadOnlyList<string> GetExplanations(string key)
    {
        ArgumentNullException.ThrowIfNull(key);
        return _lines.GetValueOrDefault(key) ?? [];
    }

    internal void Read(JsonElement all)
    {
        _lines.Clear();
        if (all.ValueKind == JsonValueKind.Object)
        {
            foreach (JsonProperty one in all.EnumerateObject())
            {
                _lines[one.Name] = [.. one.Value.EnumerateArray().Select(line => line.GetString() ?? "")];
            }
        }
    }
}
