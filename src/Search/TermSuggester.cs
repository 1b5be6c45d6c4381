using Raven.Search.Queries;
using Raven.Search.Segments;

namespace Raven.Search;

/// <summary>Finds words of an index that a misspelled one may have meant.</summary>
public static class TermSuggester
{
    /// <summary>
    /// The words of a field that are nearest to a word, the frequent ones first among equally near ones. Looks at every
    /// word of the field.
    /// </summary>
    /// <param name="reader">The snapshot to search.</param>
    /// <param name="fieldName">The field.</param>
    /// <param name="word">The word, in UTF-8, in the form that the field's analyzer gives its words.</param>
    /// <param name="distanceMax">The most changes, at most 4.</param>
    /// <param name="take">How many are wanted.</param>
    /// <param name="cancellation">Ends it.</param>
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

            int ordinal = values.LowerBound([TermCode.Text]);
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
                    string term = (string)TermCode.ReadValue(cursor.Term)!;
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
