using System.Text;

namespace Raven.Tools.Bench.Suites.Search;

/// <summary>Draws queries of each shape from a set.</summary>
/// <param name="documents">The set.</param>
/// <param name="words">Its words.</param>
internal sealed class QueryShapes(SearchDocuments documents, MovieWords words)
{
    /// <summary>The names of all; only what is drawn needs a set.</summary>
    internal static IReadOnlyList<string> Names { get; } =
        [.. new QueryShapes(null!, null!).All().Select(shape => shape.Name)];

    /// <summary>All of them.</summary>
    internal IEnumerable<QueryShape> All()
    {
        yield return new("id", QueryOrder.None, random =>
            new(AskedKind.Id, Encoding.UTF8.GetString(documents.Ids[random.Next(documents.Count)])));
        yield return new("term of 5 to 50", QueryOrder.Score, random => Word(random, 5, 50));
        yield return new("term of 1k to 20k", QueryOrder.Score, random => Word(random, 1000, 20_000));
        yield return new("keyword", QueryOrder.None, random => new(AskedKind.Keyword, Genre(random)));
        yield return new(
            "keyword, sorted by number", QueryOrder.Number, random => new(AskedKind.Keyword, Genre(random)));
        yield return new("and of mid and common", QueryOrder.Score, random => Two(AskedKind.And, random, 50, 1000));
        yield return new("or of mid and common", QueryOrder.Score, random => Two(AskedKind.Or, random, 50, 1000));
        yield return new(
            "or of two common words", QueryOrder.Score, random => Two(AskedKind.Or, random, 1000, 20_000));
        yield return new("range of 5 years", QueryOrder.None, random => Years(AskedKind.Years, random, 5));
        yield return new("range, sorted", QueryOrder.Number, random => Years(AskedKind.Years, random, 5));
        yield return new("keyword and range of 20 years", QueryOrder.None, random =>
            Years(AskedKind.KeywordInYears, random, 20) with { First = Genre(random) });
        yield return new("prefix of 3 letters", QueryOrder.None, random =>
            new(AskedKind.Prefix, words.Draw(random, 1, 20_000)[..3]));
        yield return new("wildcard ab*c", QueryOrder.None, random => Pattern(AskedKind.Wildcard, random, "*"));
        yield return new("regex ab[a-m]+c", QueryOrder.None, random => Pattern(AskedKind.Regex, random, "[a-m]+"));
        yield return new("fuzzy 1", QueryOrder.Score, random => Fuzzy(random, 1));
        yield return new("fuzzy 2", QueryOrder.Score, random => Fuzzy(random, 2));
        yield return new("suggestions for a misspelled word", QueryOrder.None, random => Misspelled(random))
        {
            MakesTexts = true,
        };
        yield return new("phrase of 2", QueryOrder.Score, random =>
        {
            (string first, string second) = words.DrawPair(random);
            return new(AskedKind.Phrase, first, second);
        });
    }

    private AskedQuery Word(Random random, int least, int most) =>
        new(AskedKind.Word, words.Draw(random, least, most));

    private AskedQuery Two(AskedKind kind, Random random, int least, int most) =>
        new(kind, words.Draw(random, least, most), words.Draw(random, 1000, 20_000));

    private AskedQuery Fuzzy(Random random, int edits) =>
        new(AskedKind.Fuzzy, words.Draw(random, 5, 1000), Edits: edits);

    /// <summary>A word with two of its letters in the other order.</summary>
    private AskedQuery Misspelled(Random random)
    {
        char[] letters = words.Draw(random, 5, 1000).ToCharArray();
        int at = random.Next(letters.Length - 1);
        (letters[at], letters[at + 1]) = (letters[at + 1], letters[at]);
        return new(AskedKind.Suggestions, new string(letters), Edits: 2);
    }

    private AskedQuery Pattern(AskedKind kind, Random random, string middle)
    {
        string word = words.Draw(random, 1, 20_000);
        return new(kind, $"{word[..2]}{middle}{word[^1]}");
    }

    private static AskedQuery Years(AskedKind kind, Random random, int years)
    {
        int first = random.Next(1905, 2020);
        return new(kind, Low: first, High: first + years - 1);
    }

    private string Genre(Random random)
    {
        while (true)
        {
            if (documents.Keywords[random.Next(documents.Count)] is { Length: > 0 } genres)
            {
                return Encoding.UTF8.GetString(genres[random.Next(genres.Length)]);
            }
        }
    }
}
