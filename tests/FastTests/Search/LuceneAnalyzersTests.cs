using System.Text;
using FastTests.Architecture;
using Lucene.Net.Analysis.Standard;
using Raven.Search.Analysis;
using Raven.Search.Fields;
using Raven.Search.Lucene.Analysis;
using Raven.Search.Segments;
using Analyzer = Raven.Search.Analysis.Analyzer;
using OfLucene = Lucene.Net.Analysis.Analyzer;

namespace FastTests.Search;

/// <summary>Lucene's analyzers as analyzers of the engine.</summary>
public sealed class LuceneAnalyzersTests
{
    /// <summary>They take another analyzer, which a name cannot give them.</summary>
    private static readonly string[] Wrappers =
        ["LimitTokenCountAnalyzer", "PerFieldAnalyzerWrapper", "QueryAutoStopWordAnalyzer"];

    public static TheoryData<string> Names =>
        [.. LuceneAnalyzers.Names.Select(name => name == "SnowballAnalyzer" ? name + "(Stemmer=English)" : name)];

    [Fact]
    public void Every_analyzer_of_the_package_has_its_name() => Assert.Equal(
        typeof(StandardAnalyzer).Assembly.GetExportedTypes()
            .Where(type => type.IsSubclassOf(typeof(OfLucene)) && !type.IsAbstract)
            .Select(type => type.Name).Except(Wrappers).Order(StringComparer.OrdinalIgnoreCase),
        LuceneAnalyzers.Names.Order(StringComparer.OrdinalIgnoreCase));

    [Fact]
    public void The_page_of_queries_lists_every_analyzer_and_stemmer()
    {
        string page = File.ReadAllText(Path.Combine(SourceTree.Root, "docs/queries.md"));
        Assert.All(
            LuceneAnalyzers.Names.Concat(Analyzers.Names).Concat(LuceneAnalyzers.StemmerNames),
            name => Assert.Contains($"`{name}`", page, StringComparison.Ordinal));
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Any_text_gives_the_same_terms_inside_of_it_each_time(string name)
    {
        const int Seed = 11;
        Assert.True(LuceneAnalyzers.TryGet(name, out Analyzer? analyzer, out _), name);
        Assert.StartsWith("Lucene.Net.Analysis.", analyzer.Name, StringComparison.Ordinal);
        Random random = new(Seed);
        TokenBuffer first = new();
        TokenBuffer second = new();
        byte[] text = new byte[120];
        for (int round = 0; round < 60; round++)
        {
            random.NextBytes(text);
            Span<byte> some = text.AsSpan(0, random.Next(text.Length));
            if (round % 3 > 0)
            {
                string letters = "ab cEs'y.7é\u0301ß漢か한ш\U00010400";
                int size = Encoding.UTF8.GetBytes(string.Concat(
                    Enumerable.Range(0, 20).Select(_ => letters[random.Next(letters.Length - 2)])), text);
                some = text.AsSpan(0, size);
            }

            first.Clear();
            second.Clear();
            int end = analyzer.Analyze(some, first, 7);
            Assert.Equal(end, analyzer.Analyze(some, second, 7));
            Assert.Equal(first.Tokens, second.Tokens);
            int position = 7;
            foreach (Token token in first.Tokens)
            {
                Assert.True(token.Start >= 0 && token.Length >= 0 && token.Start + token.Length <= some.Length);
                Assert.True(token.Position >= position && token.Position < end);
                Assert.True(token.TermLength > 0 || some.IsEmpty);
                position = token.Position;
            }
        }
    }

    [Fact]
    public void A_term_has_its_place_in_the_bytes_of_the_text_and_stop_words_leave_gaps()
    {
        TokenBuffer tokens = new();
        Assert.True(LuceneAnalyzers.TryGet("ClassicAnalyzer", out Analyzer? analyzer, out _));
        Assert.Equal(9, analyzer.Analyze("Über \U00010400 the Hill the"u8, tokens, 5));
        Assert.Equal([(0, 5, 5), (15, 4, 7)], tokens.Tokens.ToArray().Select(t => (t.Start, t.Length, t.Position)));
    }

    [Theory]
    [InlineData("GermanAnalyzer", "Lucene.Net.Analysis.De.GermanAnalyzer")]
    [InlineData(
        "x.germananalyzer ( stemmer = german2 ;StopWords=Der  die der;), Some.Assembly",
        "Lucene.Net.Analysis.De.GermanAnalyzer(Stemmer=German2; StopWords=der die)")]
    [InlineData(
        "DutchAnalyzer(StopWords=none;Excluded=None;Stemmer=NONE)",
        "Lucene.Net.Analysis.Nl.DutchAnalyzer(Excluded=none; Stemmer=none; StopWords=none)")]
    public void The_same_name_and_options_are_one_analyzer_however_they_are_written(string written, string name)
    {
        Assert.True(LuceneAnalyzers.TryGet(written, out Analyzer? analyzer, out _));
        Assert.Equal(name, analyzer.Name);
        Assert.True(LuceneAnalyzers.TryGet(name, out analyzer, out _));
        Assert.Equal(name, analyzer.Name);
    }

    [Fact]
    public void Each_analyzer_with_stop_words_takes_each_stemmer()
    {
        TokenBuffer tokens = new();
        foreach (string stemmer in LuceneAnalyzers.StemmerNames)
        {
            Assert.True(
                LuceneAnalyzers.TryGet($"SnowballAnalyzer(Stemmer={stemmer})", out Analyzer? analyzer, out _), stemmer);
            analyzer.Analyze("many words"u8, tokens, 0);
        }

        foreach (string name in LuceneAnalyzers.Names)
        {
            if (LuceneAnalyzers.TryGet($"{name}(Stemmer=none; StopWords=x)", out Analyzer? analyzer, out _))
            {
                tokens.Clear();
                analyzer.Analyze("runnings x"u8, tokens, 0);
                Assert.Equal(1, tokens.Count);
                Assert.Equal("runnings"u8, tokens.Term(tokens.Tokens[0]));
            }
        }

        Assert.True(tokens.Count > 0);
    }

    [Fact]
    public void An_index_keeps_the_English_stems_that_it_was_written_with()
    {
        byte[] older = FieldCatalog.New.With("a", FieldKind.FullText, Analyzers.OlderEnglish).ToBytes();
        byte[] newer = FieldCatalog.New.With("a", FieldKind.FullText, Analyzers.English).ToBytes();
        Assert.Same(Analyzers.OlderEnglish, Read(older));
        Assert.Same(Analyzers.English, Read(newer));
        Assert.Equal(Analyzers.English.Name, Analyzers.OlderEnglish.Name);
        Assert.True(Analyzers.TryGet("EnglishAnalyzer", out Analyzer? named));
        Assert.Same(Analyzers.English, named);

        static Analyzer Read(byte[] bytes) => FieldCatalog.Read(
            bytes, name => Analyzers.TryGet(name, out Analyzer? found) ? found : null, version: 3).Find("a")!.Analyzer;
    }
}
