using System.Text;
using System.Text.Json;
using Raven.Tools.Bench.Suites.Blittable;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>What is indexed of a set, taken out of the JSON before anything is measured.</summary>
internal sealed class SearchDocuments
{
    private SearchDocuments(DocumentSet set, string keyword, string number, string text)
    {
        for (int i = 0; i < set.Count; i++)
        {
            using JsonDocument document = JsonDocument.Parse(set[i]);
            Ids.Add(Encoding.UTF8.GetBytes($"{set.Name}/{i + 1}"));
            Keywords.Add([.. StringsOf(document.RootElement, keyword)]);
            Numbers.Add(document.RootElement.TryGetProperty(number, out JsonElement year)
                && year.ValueKind == JsonValueKind.Number ? year.GetInt64() : null);
            Texts.Add(StringsOf(document.RootElement, text).FirstOrDefault() ?? []);
        }
    }

    internal int Count => Ids.Count;

    internal List<byte[]> Ids { get; } = [];

    internal List<byte[][]> Keywords { get; } = [];

    internal List<long?> Numbers { get; } = [];

    internal List<byte[]> Texts { get; } = [];

    internal static SearchDocuments? TryLoadMovies(BenchContext context) =>
        DocumentSets.TryLoad(context, DocumentSets.Movies, int.MaxValue) is { } set
            ? new SearchDocuments(set, "genres", "year", "extract")
            : null;

    internal static SearchDocuments? TryLoadArtworks(BenchContext context) =>
        DocumentSets.TryLoad(context, DocumentSets.TateArtworks, 40_000) is { } set
            ? new SearchDocuments(set, "all_artists", "acquisitionYear", "classification")
            : null;

    private static IEnumerable<byte[]> StringsOf(JsonElement document, string name)
    {
        if (!document.TryGetProperty(name, out JsonElement value))
        {
            yield break;
        }

        if (value.ValueKind == JsonValueKind.String)
        {
            yield return Encoding.UTF8.GetBytes(value.GetString()!);
        }
        else if (value.ValueKind == JsonValueKind.Array)
        {
            foreach (JsonElement item in value.EnumerateArray())
            {
                yield return Encoding.UTF8.GetBytes(item.GetString()!);
            }
        }
    }
}
