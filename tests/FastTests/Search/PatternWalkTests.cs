using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Raven.Search;
using Raven.Search.Analysis;
using Raven.Search.Automata;
using Raven.Search.Queries;
using Raven.Search.Searchers;
using Raven.Search.Segments;

namespace FastTests.Search;

/// <summary>
/// What a walk through the dictionary finds is what each word, looked at by itself, says, in the dictionaries of both
/// engines; and it looks at few words.
/// </summary>
public sealed class PatternWalkTests(PatternWalkTests.Dictionary dictionary)
    : IClassFixture<PatternWalkTests.Dictionary>
{
    private const int Rounds = 40;

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    public void Fuzzy_finds_the_words_that_are_near(int seed)
    {
        PatternWords words = new(seed);
        SearchQuery query = new();
        for (int i = 0; i < Rounds; i++)
        {
            string word = words.Change(dictionary.Pick(seed, i));
            byte[] text = Encoding.UTF8.GetBytes(word);
            int distance = i % 3;
            query.Clear();
            dictionary.Check(
                $"seed {seed}, {distance} from '{word}'", query, query.Fuzzy("W", query.Value(word), distance),
                other => TermPatterns.IsNear(Encoding.UTF8.GetBytes(other), text, distance));
        }
    }

    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    public void Similar_finds_the_words_that_are_alike(int seed)
    {
        PatternWords words = new(seed);
        SearchQuery query = new();
        for (int i = 0; i < Rounds; i++)
        {
            string word = words.Change(dictionary.Pick(seed, i));
            byte[] text = Encoding.UTF8.GetBytes(word);
            float similarity = (i % 11) / 10f;
            query.Clear();
            dictionary.Check(
                $"seed {seed}, {similarity} like '{word}'", query,
                query.Similar("W", query.Value(word), similarity),
                other => TermPatterns.IsSimilar(Encoding.UTF8.GetBytes(other), text, similarity));
        }
    }

    [Theory]
    [InlineData(5)]
    [InlineData(6)]
    public void Wildcards_find_the_words_that_are_like_the_pattern(int seed)
    {
        PatternWords words = new(seed);
        SearchQuery query = new();
        for (int i = 0; i < Rounds; i++)
        {
            string pattern = words.Wildcard(dictionary.Pick(seed, i));
            byte[] text = Encoding.UTF8.GetBytes(pattern);
            query.Clear();
            dictionary.Check(
                $"seed {seed}, '{pattern}'", query, query.Wildcard("W", query.Value(pattern)),
                other => TermPatterns.IsLike(Encoding.UTF8.GetBytes(other), text));
        }
    }

    [Theory]
    [InlineData(7)]
    [InlineData(8)]
    public void Regular_expressions_find_what_those_of_NET_find(int seed)
    {
        PatternWords words = new(seed);
        SearchQuery query = new();
        for (int i = 0; i < Rounds; i++)
        {
            string pattern = words.Expression(i % 4);
            Regex regex = new(pattern, RegexOptions.NonBacktracking | RegexOptions.CultureInvariant);
            query.Clear();
            dictionary.Check($"seed {seed}, '{pattern}'", query, query.Regex("W", pattern), regex.IsMatch);
        }
    }

    [Theory]
    [InlineData(9)]
    [InlineData(10)]
    public void Suggestions_are_the_nearest_words_the_frequent_ones_first(int seed)
    {
        PatternWords words = new(seed);
        for (int i = 0; i < Rounds; i++)
        {
            using IndexReader reader = dictionary.IndexOf(i).BeginRead();
            string word = words.Change(dictionary.Pick(seed, i / 2));
            byte[] text = Encoding.UTF8.GetBytes(word);
            int distance = i / 2 % 5;
            IEnumerable<TermSuggestion> expected =
                from other in dictionary.Words
                where other.Length > 0
                let bytes = Encoding.UTF8.GetBytes(other)
                where TermPatterns.IsNear(bytes, text, distance)
                let changes = Enumerable.Range(0, distance + 1).First(n => TermPatterns.IsNear(bytes, text, n))
                select new TermSuggestion(other, changes, dictionary.CountOf(other));
            Assert.Equal(
                expected.OrderBy(one => one.Distance).ThenByDescending(one => one.EntryCount)
                    .ThenBy(one => one.Term, StringComparer.Ordinal).Take(20),
                TermSuggester.Suggest(reader, "W", text, distance, 20));
        }
    }

    [Theory]
    [InlineData(11)]
    [InlineData(12)]
    public void Suggestions_by_likeness_are_the_words_that_are_like_enough(int seed)
    {
        PatternWords words = new(seed);
        for (int i = 0; i < Rounds; i++)
        {
            using IndexReader reader = dictionary.IndexOf(i).BeginRead();
            string word = words.Change(dictionary.Pick(seed, i / 2));
            double least = (i / 2 % 11) / 10.0;
            IEnumerable<TermSuggestion> expected =
                from other in dictionary.Words
                where other.Length > 0
                let how = WordSimilarity.Levenshtein(other, word)
                where how >= least && how > 0
                orderby how descending, dictionary.CountOf(other) descending
                select new TermSuggestion(other, other == word ? 0 : 1, dictionary.CountOf(other));
            List<TermSuggestion> found =
                [.. TermSuggester.Suggest(reader, "W", word, WordSimilarity.Levenshtein, least, 10_000)];
            Assert.Equal(expected.ToHashSet(), found.ToHashSet());
            Assert.Equal(
                expected.Select(one => WordSimilarity.Levenshtein(one.Term, word)),
                found.Select(one => WordSimilarity.Levenshtein(one.Term, word)));
        }
    }

    [Fact]
    public void A_walk_passes_by_most_words()
    {
        using TestIndex index = new();
        string[] words = [.. Enumerable.Range(0, 20_000).Select(
            i => (i * 7919 % 100_003).ToString("D6", CultureInfo.InvariantCulture))];
        index.Add("W", Analyzers.Keyword, words);
        using IndexReader reader = index.Index.BeginRead();
        FieldReader values = ((SegmentsReader)reader).Segments[0].TryGetField(reader.Catalog.Find("W")!.Number)!;
        EditWord word = new();
        Assert.True(word.TryOpen("012345"u8));
        Assert.InRange(TermsRead<NearAutomaton, NearState>(values, new NearAutomaton(word, 1)), 1, 600);
        Assert.InRange(TermsRead<NearAutomaton, NearState>(values, new NearAutomaton(word, 2)), 1, 4000);
        RegexProgram program = new();
        Assert.True(program.TryCompile("^0(1|2)3.*7$"));
        // As many as match, and up to 32 that are refused before each seek.
        Assert.InRange(TermsRead<RegexAutomaton, int>(values, new RegexAutomaton(program)), 1, 400);
        WildcardPattern pattern = new();
        Assert.True(pattern.TryOpen("0?34*"u8));
        Assert.InRange(TermsRead<WildcardAutomaton, ulong>(values, new WildcardAutomaton(pattern)), 1, 300);
    }

    private static int TermsRead<TAutomaton, TState>(FieldReader values, TAutomaton automaton)
        where TAutomaton : struct, ITermAutomaton<TState>
        where TState : unmanaged
    {
        TermWalk<TAutomaton, TState> walk = new();
        walk.Open(values, values.LowerBound([TermCode.Text]), automaton, isWhole: true, default);
        while (walk.MoveNext())
        {
        }

        return walk.TermsRead;
    }

    /// <summary>An index of random words that the tests do not change.</summary>
    public sealed class Dictionary : IDisposable
    {
        private readonly TestIndex[] _indexes = [new(SearchEngineType.Corax), new(SearchEngineType.Lucene)];
        private readonly IndexSearcher _searcher = new();
        private readonly string[] _entries;
        private readonly Dictionary<string, int> _counts;

        public Dictionary()
        {
            Words = new PatternWords(17).Make(700);
            _entries = [.. Words, .. Words.Where((_, i) => i % 3 == 0), .. Words.Where((_, i) => i % 7 == 0)];
            _counts = _entries.CountBy(word => word).ToDictionary();
            Array.ForEach(_indexes, index => index.Add("W", Analyzers.Keyword, _entries));
        }

        internal string[] Words { get; }

        /// <inheritdoc/>
        public void Dispose() => Array.ForEach(_indexes, index => index.Dispose());

        /// <summary>That of one engine or the other, in turn.</summary>
        internal SearchIndex IndexOf(int i) => _indexes[i % _indexes.Length].Index;

        internal int CountOf(string word) => _counts[word];

        /// <summary>A word that is there.</summary>
        internal string Pick(int seed, int i) => Words[((seed * 131) + (i * 17)) % Words.Length];

        /// <summary>Asserts that a query finds the entries whose words pass a test.</summary>
        internal void Check(string what, SearchQuery query, int root, Predicate<string> test)
        {
            HashSet<string> accepted = [.. Words.Where(word => test(word))];
            for (int i = 0; i < _indexes.Length; i++)
            {
                Check($"{(SearchEngineType)i}: {what}", IndexOf(i), query, root, accepted);
            }
        }

        private void Check(string what, SearchIndex index, SearchQuery query, int root, HashSet<string> accepted)
        {
            using IndexReader reader = index.BeginRead();
            _searcher.Run(reader, query, root, new SearchRequest { Take = _entries.Length });
            string[] found = [.. Enumerable.Range(0, _searcher.Count)
                .Select(i => Encoding.UTF8.GetString(_searcher.DocumentId(i))[2..])
                .Select(id => _entries[int.Parse(id, CultureInfo.InvariantCulture)]).Order(StringComparer.Ordinal)];
            string[] expected = [.. _entries.Where(accepted.Contains).Order(StringComparer.Ordinal)];
            Assert.True(
                expected.SequenceEqual(found),
                $"{what}: missing {Few(expected.Except(found))}, too many {Few(found.Except(expected))}");
        }

        private static string Few(IEnumerable<string> words) =>
            string.Join(", ", words.Take(5).Select(one => $"'{one}'"));
    }
}
