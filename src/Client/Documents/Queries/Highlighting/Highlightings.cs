using System.Text.Json;

namespace Raven.Client.Documents.Queries.Highlighting;

/// <summary>Pieces of the texts of a field in which a query found its words. Filled by the answer.</summary>
public sealed class Highlightings
{
    private readonly Dictionary<string, string[]> _fragments = new(StringComparer.OrdinalIgnoreCase);

    internal Highlightings(string fieldName) => FieldName = fieldName;

    /// <summary>The field that was searched.</summary>
    public string FieldName { get; }

    /// <summary>The ids of the documents that have pieces.</summary>
    public IReadOnlyCollection<string> ResultIds => _fragments.Keys;

    /// <summary>The pieces of a document; none if nothing was found in this field.</summary>
    public string[] GetFragments(string documentId) => _fragments.GetValueOrDefault(documentId, []);

    internal void Read(JsonElement all)
    {
        _fragments.Clear();
        if (all.ValueKind == JsonValueKind.Object && all.TryGetProperty(FieldName, out JsonElement documents))
        {
            foreach (JsonProperty document in documents.EnumerateObject())
            {
                _fragments[document.Name] =
                    [.. document.Value.EnumerateArray().Select(piece => piece.GetString()!)];
            }
        }
    }
}
