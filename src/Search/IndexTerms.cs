using System.Globalization;
using System.Text;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search;

/// <summary>Lists the terms of a field, for tools that show an index.</summary>
public static class IndexTerms
{
    private const string NullText = "NULL_VALUE";

    /// <summary>
    /// The empty text in the list: a page that starts behind an empty text would start at the beginning.
    /// </summary>
    private const string EmptyText = "EMPTY_STRING";

    /// <summary>The terms of a field in their order, as text: null (NULL_VALUE), booleans, numbers, texts (the empty
    /// one as EMPTY_STRING). A text that stands for several terms is listed once, at the first of them.</summary>
    /// <param name="reader">The snapshot.</param>
    /// <param name="fieldName">The field.</param>
    /// <param name="from">Terms up to this one are left out; empty for none. It need not exist.</param>
    /// <param name="take">The most terms to return.</param>
    public static IReadOnlyList<string> Of(IndexReader reader, string fieldName, string from, int take)
    {
        ArgumentNullException.ThrowIfNull(reader);
        ArgumentNullException.ThrowIfNull(from);
        if (reader.Catalog.Find(fieldName) is not { } field)
        {
            return [];
        }

        byte[] behind = from.Length == 0 ? [] : PlaceOf(reader, field, from);
        SortedSet<byte[]> terms = new(Comparer<byte[]>.Create((left, right) =>
            left.AsSpan().SequenceCompareTo(right)));
        TermCursor cursor = new();
        for (int i = 0; i < reader.Segments.Count; i++)
        {
            if (reader.Segments[i].TryGetField(field.Number) is not { TermCount: > 0 } values
                || values.LowerBound(behind) is var first && first >= values.TermCount)
            {
                continue;
            }

            cursor.Open(values);
            cursor.Seek(first);
            for (int ordinal = first; ordinal < values.TermCount; ordinal++, cursor.MoveNext())
            {
                ReadOnlySpan<byte> term = Shown(cursor.Term, field);
                if (terms.Count >= take && (take <= 0 || term.SequenceCompareTo(terms.Max) >= 0))
                {
                    break;
                }

                if (TermCode.IsShown(term) && term.SequenceCompareTo(behind) > 0
                    && !IsListedBefore(reader, field, term) && terms.Add(term.ToArray()) && terms.Count > take)
                {
                    terms.Remove(terms.Max!);
                }
            }
        }

        return [.. terms.Select(term => term is [TermCode.Text] ? EmptyText : TextOf(term, field.KeepsWholeTexts))];
    }

    internal static string TextOf(ReadOnlySpan<byte> term, bool isWhole) =>
        TextOf(TermCode.ReadValue(term, isWhole));

    private static string TextOf(object? value) => value switch
    {
        null => NullText,
        bool isTrue => isTrue ? "true" : "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };

    /// <summary>The shown part of a term: a cut text without the hash behind it.</summary>
    private static ReadOnlySpan<byte> Shown(ReadOnlySpan<byte> term, IndexField field) =>
        !field.KeepsWholeTexts && TermCode.IsCut(term) ? term[..(1 + TermCode.CutTextSizeBytes)] : term;

    /// <summary>The first term that a text stands for; if there is none, its place in the order.</summary>
    private static byte[] PlaceOf(IndexReader reader, IndexField field, string from)
    {
        byte[] text = [TermCode.Text, .. Encoding.UTF8.GetBytes(from)];
        if (from == EmptyText && IsThere(reader, field, [TermCode.Text]))
        {
            return [TermCode.Text];
        }

        byte[] value = ValueOf(text.AsSpan(1));
        bool isShownSo = value.Length > 0 && TextOf(value, isWhole: true) == from;
        if (isShownSo && IsThere(reader, field, value))
        {
            return value;
        }

        if (FindPlaceOnEarth(reader, field, from) is { } place)
        {
            return place;
        }

        return value.Length == 0 || IsThere(reader, field, text) || !HasKind(reader, field, value[0]) ? text : value;
    }

    /// <summary>The term of the null, boolean or number in a text; empty if it is none.</summary>
    private static byte[] ValueOf(ReadOnlySpan<byte> text)
    {
        if (text.SequenceEqual("NULL_VALUE"u8))
        {
            return [TermCode.Null];
        }

        Span<byte> term = stackalloc byte[TermCode.NumberSize];
        return term[..TermCode.WriteValue(term, text)].ToArray();
    }

    /// <summary>Whether a text is also that of another term, which comes before it in the list.</summary>
    private static bool IsListedBefore(IndexReader reader, IndexField field, ReadOnlySpan<byte> term) =>
        term[0] == TermCode.Text && (term[1..].SequenceEqual("EMPTY_STRING"u8)
            ? IsThere(reader, field, [TermCode.Text])
            : ValueOf(term[1..]) is { Length: > 0 } value && IsThere(reader, field, value)
                && TextOf(value, isWhole: true) == TextOf(term, isWhole: true));

    private static bool IsThere(IndexReader reader, IndexField field, ReadOnlySpan<byte> term)
    {
        bool isThere = false;
        for (int i = 0; i < reader.Segments.Count && !isThere; i++)
        {
            isThere = reader.Segments[i].TryGetField(field.Number) is { TermCount: > 0 } values
                && values.Find(term) >= 0;
        }

        return isThere;
    }

    private static bool HasKind(IndexReader reader, IndexField field, byte kind)
    {
        bool isThere = false;
        for (int i = 0; i < reader.Segments.Count && !isThere; i++)
        {
            isThere = reader.Segments[i].TryGetField(field.Number) is { TermCount: > 0 } values
                && values.LowerBound([kind]) < values.LowerBound([(byte)(kind + 1)]);
        }

        return isThere;
    }

    /// <summary>The first of the points and shapes that is shown as a text; they are not ordered as texts.</summary>
    private static byte[]? FindPlaceOnEarth(IndexReader reader, IndexField field, string from)
    {
        byte[]? first = null;
        TermCursor cursor = new();
        foreach (byte kind in (ReadOnlySpan<byte>)[TermCode.Point, TermCode.Shape])
        {
            for (int i = 0; i < reader.Segments.Count; i++)
            {
                if (reader.Segments[i].TryGetField(field.Number) is not { TermCount: > 0 } values)
                {
                    continue;
                }

                cursor.Open(values);
                int end = values.LowerBound([(byte)(kind + 1)]);
                for (int ordinal = values.LowerBound([kind]); ordinal < end; ordinal++)
                {
                    cursor.Seek(ordinal);
                    if (TextOf(cursor.Term, isWhole: true) == from
                        && (first is null || cursor.Term.SequenceCompareTo(first) < 0))
                    {
                        first = cursor.Term.ToArray();
                    }
                }
            }
        }

        return first;
    }
}
