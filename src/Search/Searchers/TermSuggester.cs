using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search.Searchers;

/// <summary>Finds words of an index that a misspelled one may have meant.</summary>
public static class TermSuggester
{
    /// <summary>A longer text is no misspelled word.</summary>
    private const int SuggestedLengthMax = 256;

    /// <summary>
    /// The words of a field that are nearest to a word, the frequent ones first among equally near ones. Reads every
    /// word of the field.
    /// </summary>
    /// <param name="reader">The snapshot to search.</param>
    /// <param name="fieldName">The field.</param>
    /// <param name="word">The word, in UTF-8, in the form that the field's analyzer gives its words.</param>
    /// <param name="distanceMax">The most changes, at most 4.</param>
    /// <param name="take">The most words to return.</param>
    /// <param name="cancellation">Cancels it.</param>
    public static IReadOnlyList<TermSuggestion> Suggest(
        IndexReader reader, string fieldName, ReadOnlySpan<byte> word, int distanceMax, int take,
        CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentOutOfRangeException.ThrowIfGreaterThan(distanceMax, 4);
        if (reader.Catalog.Find(fieldName) is not { } field)
        {
            return [];
        }

        Dictionary<string, (int Distance, long Count)> found = new(StringComparer.Ordinal);
        TermCursor cursor = new();
        for (int i = 0; i < reader.Segments.Count; i++)
        {
            if (reader.Segments[i].TryGetField(field.Number) is not { TermCount: > 0 } values)
            {
                continue;
            }

            int ordinal = values.LowerBound([TermCode.Text, 0]);
            cursor.Open(values);
            if (ordinal < values.TermCount)
            {
                cursor.Seek(ordinal);
            }

            for (; ordinal < values.TermCount; ordinal++, cursor.MoveNext())
            {
                TermWatch.Step(ordinal, cancellation);
                int distance = DistanceOf(cursor.Term[1..], word, distanceMax);
                if (distance <= distanceMax)
                {
                    string term = (string)TermCode.ReadValue(cursor.Term, field.KeepsWholeTexts)!;
                    long count = found.GetValueOrDefault(term).Count + values.DocumentFrequency(ordinal);
                    found[term] = (distance, count);
                }
            }
        }

        return
        [
            .. found.Select(pair => new TermSuggestion(pair.Key, pair.Value.Distance, pair.Value.Count))
                .OrderBy(one => one.Distance).ThenByDescending(one => one.EntryCount)
                .ThenBy(one => one.Term, StringComparer.Ordinal).Take(take),
        ];
    }

    /// <summary>
    /// The words of a field that are similar enough to a word, the most similar first and among equals the frequent
    /// ones. Reads every word of the field.
    /// </summary>
    /// <param name="reader">The snapshot to search.</param>
    /// <param name="fieldName">The field.</param>
    /// <param name="word">The word, in the form that the field's analyzer gives its words.</param>
    /// <param name="likeness">How similar two words are, from 0 to 1.</param>
    /// <param name="least">How similar they must be.</param>
    /// <param name="take">The most words to return.</param>
    /// <param name="cancellation">Cancels it.</param>
    public static IReadOnlyList<TermSuggestion> Suggest(
        IndexReader reader, string fieldName, string word, Func<string, string, double> likeness, double least,
        int take, CancellationToken cancellation = default)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(likeness);
        if (reader.Catalog.Find(fieldName) is not { } field)
        {
            return [];
        }

        Dictionary<string, (double Likeness, long Count)> found = new(StringComparer.Ordinal);
        TermCursor cursor = new();
        for (int i = 0; i < reader.Segments.Count; i++)
        {
            if (reader.Segments[i].TryGetField(field.Number) is not { TermCount: > 0 } values)
            {
                continue;
            }

            cursor.Open(values);
            int end = values.LowerBound([TermCode.Text + 1]);
            for (int ordinal = values.LowerBound([TermCode.Text, 0]); ordinal < end; ordinal++)
            {
                TermWatch.Step(ordinal, cancellation);
                cursor.Seek(ordinal);
                string term = (string)TermCode.ReadValue(cursor.Term, field.KeepsWholeTexts)!;
                double how = term.Length > SuggestedLengthMax ? 0 : likeness(term, word);
                if (how >= least && how > 0)
                {
                    found[term] = (how, found.GetValueOrDefault(term).Count + values.DocumentFrequency(ordinal));
                }
            }
        }

        return
        [
            .. found.OrderByDescending(pair => pair.Value.Likeness).ThenByDescending(pair => pair.Value.Count)
                .ThenBy(pair => pair.Key, StringComparer.Ordinal).Take(take)
                .Select(pair => new TermSuggestion(pair.Key, pair.Key == word ? 0 : 1, pair.Value.Count)),
        ];
    }

    private static int DistanceOf(ReadOnlySpan<byte> term, ReadOnlySpan<byte> word, int distanceMax)
    {
        if (!TermPatterns.IsNear(term, word, distanceMax))
        {
            return int.MaxValue;
        }

        int distance = distanceMax;
        while (distance > 0 && TermPatterns.IsNear(term, word, distance - 1))
        {
            distance--;
        }

        return distance;
    }
}
