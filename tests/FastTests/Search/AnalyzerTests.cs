using System.Text;
using FastTests.Architecture;
using FastTests.Support;
using Raven.Search.Analysis;

namespace FastTests.Search;

/// <summary>Which terms a text has.</summary>
public sealed class AnalyzerTests
{
    [Theory]
    [InlineData("StandardAnalyzer", "The Quick, brown fox's 3.14 tail!", "quick brown fox 3.14 tail")]
    [InlineData("StandardAnalyzer", "can't e.g. 1,000.5 c:b x_y _ -- o'", "can't eg 1,000.5 c b x y o")]
    [InlineData("StandardAnalyzer", "ÀÉÎ ärger ΣΊΣΥΦΟΣ", "àéî ärger σίσυφοσ")]
    [InlineData("StandardAnalyzer", "日本 カタカナ かな", "日 本 カ タ カ ナ か な")]
    [InlineData("SimpleAnalyzer", "The Quick-brown fox2go", "the quick brown fox go")]
    [InlineData("StopAnalyzer", "The Quick-brown fox2go", "quick brown fox go")]
    [InlineData("WhitespaceAnalyzer", " The  Quick-brown\tfox2go\u00a0x ", "The Quick-brown fox2go x")]
    [InlineData("KeywordAnalyzer", "The Quick", "The Quick")]
    [InlineData("LowerCaseKeywordAnalyzer", "The QuiCK ÄÖ", "the quick äö")]
    [InlineData("NGramAnalyzer", "Abcd é", "ab abc abcd bc bcd cd")]
    [InlineData("EnglishAnalyzer", "The running dogs were happily generalizing", "run dog were happili general")]
    public void An_analyzer_cuts_a_text_into_its_terms(string name, string text, string expected)
    {
        Assert.True(Analyzers.TryGet(name, out Analyzer? analyzer));
        string[] terms = Terms(analyzer, text);
        Assert.Equal(
            expected.Split(' '), name.Contains("Keyword", StringComparison.Ordinal) ? terms[0].Split(' ') : terms);
    }

    [Theory]
    [Trait("Fault", "E20")]
    [InlineData("bob@hotmail.com wrote", "bob@hotmail.com wrote")]
    [InlineData("first.last-x_y@mail.example-site.org.", "first.last-x_y@mail.example-site.org")]
    [InlineData("XY-123 ab-cd 1-2-3 v2.0-beta", "xy-123 ab cd 1-2-3 v2.0-beta")]
    [InlineData("AT&T Excite@Home O'Reilly's www.example.com", "at&t excite@home o'reilly www.example.com")]
    [InlineData("U.S.A. I.B.M. e.g. x.", "usa ibm eg x")]
    [InlineData("2016-05-30 12:30 1/2 a/b", "2016-05-30 12 30 1/2 b")]
    [InlineData("foo_bar foo_1", "foo bar foo_1")]
    public void The_standard_analyzer_cuts_words_as_the_classic_one_of_lucene(string text, string expected) =>
        Assert.Equal(expected.Split(' '), Terms(Analyzers.Standard, text));

    [Fact]
    public void A_term_has_its_place_in_the_text_and_a_stop_word_leaves_a_gap_between_positions()
    {
        TokenBuffer tokens = new();
        Assert.Equal(3, Analyzers.Standard.Analyze("Über the Hill"u8, tokens, 0));
        Assert.Equal([(0, 5, 0), (10, 4, 2)], tokens.Tokens.ToArray().Select(t => (t.Start, t.Length, t.Position)));
    }

    [Fact]
    public void An_analyzer_is_found_by_its_names_in_other_products()
    {
        Assert.True(Analyzers.TryGet("Lucene.Net.Analysis.Standard.StandardAnalyzer", out Analyzer? one));
        Assert.Same(Analyzers.Standard, one);
        Assert.True(Analyzers.TryGet("RavenStandardAnalyzer", out one));
        Assert.Same(Analyzers.Standard, one);
        Assert.False(Analyzers.TryGet("NoSuchAnalyzer", out _));
    }

    [Fact]
    public void English_stems_are_those_of_the_snowball_library()
    {
        string path = Path.Combine(SourceTree.Root, "tests/FastTests/Search/EnglishStems.txt");
        List<string> wrong = [];
        foreach (string line in File.ReadLines(path))
        {
            string[] pair = line.Split(' ');
            byte[] word = Encoding.ASCII.GetBytes(pair[0]);
            int length = EnglishStemmer.Stem(word);
            string stem = Encoding.ASCII.GetString(word, 0, length);
            if (stem != pair[1])
            {
                wrong.Add($"{pair[0]}: {stem}, not {pair[1]}");
            }
        }

        Assert.Empty(wrong);
    }

    [Fact]
    public void Any_bytes_give_terms_inside_of_the_text()
    {
        const int Seed = 7;
        Random random = new(Seed);
        TokenBuffer tokens = new();
        byte[] text = new byte[600];
        string[] names = ["StandardAnalyzer", "EnglishAnalyzer", "StopAnalyzer", "WhitespaceAnalyzer", "NGramAnalyzer"];
        for (int round = 0; round < 4000; round++)
        {
            random.NextBytes(text);
            if (round % 2 == 0)
            {
                Span<byte> letters = text;
                for (int i = 0; i < letters.Length; i++)
                {
                    letters[i] = "ab cEs'y.7\u00e9\u0301"u8[letters[i] % 14];
                }
            }

            Assert.True(Analyzers.TryGet(names[round % names.Length], out Analyzer? analyzer));
            tokens.Clear();
            ReadOnlySpan<byte> part = text.AsSpan(0, random.Next(text.Length));
            int end = analyzer.Analyze(part, tokens, 5);
            int position = 5;
            foreach (Token token in tokens.Tokens)
            {
                Assert.True(token.Start >= 0 && token.Length > 0 && token.Start + token.Length <= part.Length);
                Assert.True(token.Position >= position && token.Position < end, $"seed {Seed}, round {round}");
                position = token.Position;
            }
        }
    }

    [Theory]
    [InlineData("StandardAnalyzer")]
    [InlineData("EnglishAnalyzer")]
    [InlineData("LowerCaseKeywordAnalyzer")]
    [InlineData("NGramAnalyzer")]
    public void Analyzing_allocates_nothing(string name)
    {
        Assert.True(Analyzers.TryGet(name, out Analyzer? analyzer));
        TokenBuffer tokens = new();
        Assert.Equal(0, Allocated.Least(() =>
        {
            tokens.Clear();
            analyzer.Analyze("The Running dogs of Ägypten were generalizing"u8, tokens, 0);
        }));
    }

    private static string[] Terms(Analyzer analyzer, string text)
    {
        TokenBuffer tokens = new();
        analyzer.Analyze(Encoding.UTF8.GetBytes(text), tokens, 0);
        return [.. tokens.Tokens.ToArray().Select(token => Encoding.UTF8.GetString(tokens.Term(token)))];
    }
}
