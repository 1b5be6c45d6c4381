using System.Text;
using Raven.Documents.Queries.Rql;
using Raven.Search.Searchers;

namespace Raven.Documents.Queries.Results;

/// <summary>Suggestions: words of an index that are like misspelled ones.</summary>
internal sealed class SuggestAnswer(QuerySession session)
{
    private const int DefaultCount = 15;
    private const double DefaultAccuracy = 0.5;
    private const int DistanceMax = 4;

    /// <summary>Whether an item of a projection asks for suggestions.</summary>
    internal static bool IsOne(RqlNamed item) =>
        item.Expression is RqlCall call && call.Name.Equals("suggest", StringComparison.OrdinalIgnoreCase);

    /// <summary>Finds the suggestions of the items of the query, one after the other as they are asked for.</summary>
    internal IEnumerable<SuggestionResult> Results()
    {
        foreach (RqlNamed item in session.Input.Rql.Select)
        {
            if (!IsOne(item) || item.Expression is not RqlCall { Arguments.Count: 2 or 3 } call)
            {
                throw new RqlException(
                    session.Input.Text, item.Expression.Position,
                    "expected suggest(field, words) or suggest(field, words, options): they are not mixed with fields");
            }

            yield return new SuggestionResult(
                item.Alias ?? IndexFieldNames.PathOf(call.Arguments[0], session.Input.Rql), [.. Find(call)]);
        }
    }

    private IEnumerable<string> Find(RqlCall call)
    {
        int count = DefaultCount;
        double accuracy = DefaultAccuracy;
        bool isByPopularity = false;
        Func<string, string, double>? likeness = null;
        if (call.Arguments.Count == 3)
        {
            QueryOptions options = QueryOptions.Of(session.Translator, session.Input.Text, call.Arguments[2]);
            count = Math.Min(1024, options.Number("PageSize", count));
            accuracy = options.Share("Accuracy", accuracy);
            isByPopularity = options.OneOf("SortMode", "None", "Popularity") == "Popularity";
            likeness = options.OneOf("Distance", "None", "Default", "Levenshtein", "JaroWinkler", "NGram") switch
            {
                "Levenshtein" => WordSimilarity.Levenshtein,
                "JaroWinkler" => WordSimilarity.JaroWinkler,
                "NGram" => WordSimilarity.Pairs,
                _ => null,
            };
        }

        object? words = session.Translator.Evaluate(call.Arguments[1]);
        List<object?> all = words is List<object?> list ? list : [words];
        if (!all.TrueForAll(word => word is string))
        {
            throw new RqlException(session.Input.Text, call.Arguments[1].Position, "expected a text, or texts");
        }

        IEnumerable<TermSuggestion> found = all.Cast<string>()
            .SelectMany(word => Suggest(call, word.ToLowerInvariant(), accuracy, count, likeness));
        found = isByPopularity ? found.OrderByDescending(one => one.EntryCount) : found;
        return found.Select(one => one.Term).Distinct(StringComparer.Ordinal).Take(count);
    }

    private IEnumerable<TermSuggestion> Suggest(
        RqlCall call, string word, double accuracy, int count, Func<string, string, double>? likeness)
    {
        if (likeness is not null)
        {
            return TermSuggester.Suggest(
                    session.Reader!, session.Translator.FieldOf(call.Arguments[0]), word, likeness, accuracy,
                    count + 1, session.Cancellation)
                .Where(one => one.Distance > 0);
        }

        int distance = (int)Math.Clamp(Math.Round((1 - accuracy) * word.Length), 1, DistanceMax);
        return TermSuggester.Suggest(
                session.Reader!, session.Translator.FieldOf(call.Arguments[0]), Encoding.UTF8.GetBytes(word), distance,
                count + 1, session.Cancellation)
            .Where(one => one.Distance > 0);
    }
}
