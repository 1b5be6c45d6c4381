using System.Text;
using System.Text.Json;
using Raven.Tools.Bench.Suites.Blittable;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>What is indexed of a set, taken out of the JSON before anything is measured.</summary>
internal sealed class SearchDocuments
{
    private SearchDocuments(DocumentSet set, string keyword, string number, string text)
    {
        List<byte[]> ids = [];
        List<byte[][]> keywords = [];
        List<long?> numbers = [];
        List<byte[]> texts = [];
        for (int i = 0; i < set.Count; i++)
        {
            using JsonDocument document = JsonDocument.Parse(set[i]);
            ids.Add(Encoding.UTF8.GetBytes($"{set.Name}/{i + 1}"));
            keywords.Add([.. StringsOf(document.RootElement, keyword)]);
            numbers.Add(document.RootElement.TryGetProperty(number, out JsonElement year)
                && year.ValueKind == JsonValueKind.Number ? year.GetInt64() : null);
            texts.Add(StringsOf(document.RootElement, text).FirstOrDefault() ?? []);
        }

        (Ids, Keywords, Numbers, Texts) = (ids, keywords, numbers, texts);
    }

    private SearchDocuments(
        IReadOnlyList<byte[]> ids, IReadOnlyList<byte[][]> keywords, IReadOnlyList<long?> numbers,
        IReadOnlyList<byte[]> texts)
    {
        Ids = ids;
        Keywords = keywords;
        Numbers = numbers;
        Texts = texts;
    }

    internal int Count => Ids.Count;

    internal IReadOnlyList<byte[]> Ids { get; }

    internal IReadOnlyList<byte[][]> Keywords { get; }

    internal IReadOnlyList<long?> Numbers { get; }

    internal IReadOnlyList<byte[]> Texts { get; }

    /// <summary>Documents with texts of the words of these, and their keywords and numbers in turn.</summary>
    internal SearchDocuments Drawn(int count)
    {
        var drawn = new ZipfTexts(new MovieWords(this));
        return new SearchDocuments(
            new DrawnList<byte[]>(count, number => Encoding.UTF8.GetBytes($"drawn/{number + 1}")),
            new DrawnList<byte[][]>(count, number => Keywords[number % Count]),
            new DrawnList<long?>(count, number => Numbers[number % Count]),
            new DrawnList<byte[]>(count, drawn.Draw));
    }

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
