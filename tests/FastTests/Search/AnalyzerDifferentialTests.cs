using System.IO.Compression;
using System.Text;
using System.Text.Json;
using FastTests.Architecture;
using Raven.Search.Analysis;

namespace FastTests.Search;

/// <summary>The engine's analyzers beside Lucene's: the same terms at the same places, but for the characters of
/// <see cref="AnalyzerDifferences"/>.</summary>
public sealed class AnalyzerDifferentialTests
{
    [Fact]
    public void Random_texts_have_the_terms_that_Lucene_gives_them()
    {
        const int Seed = 4711;
        List<string> wrong = [];
        foreach (AnalyzerPair pair in AnalyzerPair.All())
        {
            RandomTexts texts = new(Seed, AnalyzerDifferences.ListedFor(pair.Ours.Name));
            for (int i = 0; i < 1500; i++)
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

    [Fact]
    public void The_texts_of_the_samples_have_the_terms_that_Lucene_gives_them()
    {
        List<string> wrong = [];
        AnalyzerPair[] pairs = AnalyzerPair.All();
        string path = Path.Combine(SourceTree.Root, "samples/data/tate-artworks.ndjson.gz");
        using StreamReader lines = new(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        for (int i = 0; i < 150 && lines.ReadLine() is { } line; i++)
        {
            using JsonDocument document = JsonDocument.Parse(line);
            foreach (JsonProperty property in document.RootElement.EnumerateObject())
            {
                string text = property.Value.ToString();
                wrong.AddRange(pairs.Select(pair => pair.Difference(text)).OfType<string>());
            }
        }

        Assert.Empty(wrong);
    }

    /// <summary>The examples of UAX #29 for Hebrew, and the classes that the first version had wrong.</summary>
    [Theory]
    [InlineData("ש'1 צה\"ל ש'א \"ש\"", "ש'|1|צה\"ל|ש'א|ש")]
    [InlineData("カ・ナ 1，2 ㌀ア ゟあ 〡x Ⓐb", "カ|ナ|1，2|㌀ア|ゟ|あ|〡|x|ⓐb")]
    [InlineData("Méliès naïveness Zoë's übermäßigs", "méliè|naïv|zoë|übermäßig")]
    public void English_words_and_stems_are_those_of_UAX_29_and_Snowball(string text, string expected)
    {
        TokenBuffer tokens = new();
        Analyzers.English.Analyze(Encoding.UTF8.GetBytes(text), tokens, 0);
        Assert.Equal(
            expected.Split('|'),
            tokens.Tokens.ToArray().Select(token => Encoding.UTF8.GetString(tokens.Term(token))));
    }

    [Theory]
    [InlineData("ש'1 Méliès カ・ナ", "ש|1|méliès|カ・ナ")]
    public void Older_indexes_have_the_words_and_stems_of_the_first_version(string text, string expected)
    {
        TokenBuffer tokens = new();
        Analyzers.OlderEnglish.Analyze(Encoding.UTF8.GetBytes(text), tokens, 0);
        Assert.Equal(
            expected.Split('|'),
            tokens.Tokens.ToArray().Select(token => Encoding.UTF8.GetString(tokens.Term(token))));
    }
}
