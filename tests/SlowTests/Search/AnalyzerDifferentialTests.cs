using System.IO.Compression;
using System.Text.Json;
using FastTests.Search;

namespace SlowTests.Search;

/// <summary>The engine's analyzers beside Lucene's, at length: all characters, a million texts, and the texts of data
/// sets: the samples of the repository, with DEV_BENCH_DATA those of that folder too.</summary>
[Trait(Category.Shard, "search")]
public sealed class AnalyzerDifferentialTests(ITestOutputHelper output)
{
    [Fact]
    public void A_million_random_texts_have_the_terms_that_Lucene_gives_them()
    {
        const int Texts = 1_000_000;
        List<string> wrong = [];
        foreach (AnalyzerPair pair in AnalyzerPair.All())
        {
            RandomTexts texts = new(seed: 20, AnalyzerDifferences.ListedFor(pair.Ours.Name));
            for (int i = 0; i < Texts && wrong.Count < 100; i++)
            {
                string text = texts.Next();
                if (pair.Difference(text) is { } difference)
                {
                    wrong.Add($"[{text}] {difference}");
                }
            }
        }

        Assert.Empty(wrong);
    }

    /// <summary>Run with DEV_UPDATE_GOLDEN=1 to rewrite the file, then read the diff.</summary>
    [Fact]
    public void The_characters_that_differ_are_those_of_the_list()
    {
        string[] lines = [.. AnalyzerPair.All().SelectMany(AnalyzerDifferences.Describe)];
        if (Environment.GetEnvironmentVariable("DEV_UPDATE_GOLDEN") == "1")
        {
            File.WriteAllLines(AnalyzerDifferences.FilePath, lines);
        }

        Assert.Equal(File.ReadAllLines(AnalyzerDifferences.FilePath), lines);
    }

    [Fact]
    public void The_texts_of_data_sets_have_the_terms_that_Lucene_gives_them()
    {
        AnalyzerPair[] pairs = AnalyzerPair.All();
        HashSet<int>[] listed = [.. pairs.Select(pair => AnalyzerDifferences.ListedFor(pair.Ours.Name))];
        List<string> wrong = [];
        long texts = 0;
        foreach (string text in DataSets().SelectMany(TextsOf))
        {
            texts++;
            for (int i = 0; i < pairs.Length; i++)
            {
                if (pairs[i].Difference(text) is { } difference
                    && !text.EnumerateRunes().Any(rune => listed[i].Contains(rune.Value)))
                {
                    wrong.Add(difference);
                }
            }
        }

        output.WriteLine($"{texts} texts");
        Assert.Empty(wrong.Take(100));
    }

    private static IEnumerable<string> DataSets() =>
        Directory.EnumerateFiles(Path.Combine(AnalyzerDifferences.Root(), "samples", "data"), "*.ndjson.gz")
            .Concat(Environment.GetEnvironmentVariable("DEV_BENCH_DATA") is { } folder
                ? Directory.EnumerateFiles(folder, "*.ndjson.gz")
                : [])
            .Order(StringComparer.Ordinal);

    private static IEnumerable<string> TextsOf(string path)
    {
        using StreamReader lines = new(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        while (lines.ReadLine() is { } line)
        {
            using JsonDocument document = JsonDocument.Parse(line);
            foreach (string text in TextsOf(document.RootElement))
            {
                yield return text;
            }
        }
    }

    private static IEnumerable<string> TextsOf(JsonElement value) => value.ValueKind switch
    {
        JsonValueKind.String => [value.GetString()!],
        JsonValueKind.Array => value.EnumerateArray().SelectMany(TextsOf),
        JsonValueKind.Object => value.EnumerateObject().SelectMany(property => TextsOf(property.Value)),
        _ => [],
    };
}
