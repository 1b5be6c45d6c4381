using System.Globalization;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search;

/// <summary>Lists the terms of a field, for people who look into an index.</summary>
public static class IndexTerms
{
    /// <summary>The terms of a field in their order, as text: null, booleans, numbers, texts.</summary>
    /// <param name="reader">The snapshot.</param>
    /// <param name="fieldName">The field.</param>
    /// <param name="from">Terms up to this one are left out; empty for none.</param>
    /// <param name="take">How many are wanted.</param>
    public static IReadOnlyList<string> Of(IndexReader reader, string fieldName, string from, int take)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(from);
        if (reader.Catalog.Find(fieldName) is not { } field)
        {
            return [];
        }

        SortedSet<byte[]> terms = new(Comparer<byte[]>.Create((left, right) =>
            left.AsSpan().SequenceCompareTo(right)));
        TermCursor cursor = new();
        for (int i = 0; i < reader.Segments.Count; i++)
        {
            if (reader.Segments[i].TryGetField(field.Number) is not { TermCount: > 0 } values)
            {
                continue;
            }

            cursor.Open(values);
            cursor.Seek(0);
            for (int ordinal = 0; ordinal < values.TermCount; ordinal++, cursor.MoveNext())
            {
                if (!DurationCode.IsOne(cursor.Term))
                {
                    Add(terms, cursor.Term, field, from, take);
                }
            }
        }

        return [.. terms.Select(term => TextOf(term, field.KeepsWholeTexts))];
    }

    /// <summary>Keeps the first terms behind a text, as many as are wanted.</summary>
    private static void Add(
        SortedSet<byte[]> terms, ReadOnlySpan<byte> term, IndexField field, string from, int take)
    {
        if (from.Length > 0 && string.CompareOrdinal(TextOf(term, field.KeepsWholeTexts), from) <= 0)
        {
            return;
        }

        terms.Add(term.ToArray());
        if (terms.Count > take)
        {
            terms.Remove(terms.Max!);
        }
    }

    internal static string TextOf(ReadOnlySpan<byte> term, bool isWhole) =>
        TextOf(TermCode.ReadValue(term, isWhole));

    private static string TextOf(object? value) => value switch
    {
        null => "NULL_VALUE",
        bool isTrue => isTrue ? "true" : "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };
}
