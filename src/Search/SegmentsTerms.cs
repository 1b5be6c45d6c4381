using System.Text;
using Raven.Search.Fields;
using Raven.Search.Segments;

namespace Raven.Search;

/// <summary>Lists the terms of a field of an index of segments.</summary>
internal static class SegmentsTerms
{
    /// <summary>See <see cref="IndexTerms.Of"/>.</summary>
    internal static IReadOnlyList<string> Of(SegmentsReader reader, IndexField field, string from, int take)
    {
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

        return
        [
            .. terms.Select(term => term is [TermCode.Text]
                ? IndexTerms.EmptyText
                : IndexTerms.TextOf(term, field.KeepsWholeTexts)),
        ];
    }

    /// <summary>The shown part of a term: a cut text without the hash behind it.</summary>
    private static ReadOnlySpan<byte> Shown(ReadOnlySpan<byte> term, IndexField field) =>
        !field.KeepsWholeTexts && TermCode.IsCut(term) ? term[..(1 + TermCode.CutTextSizeBytes)] : term;

    /// <summary>The first term that a text stands for; if there is none, its place in the order.</summary>
    private static byte[] PlaceOf(SegmentsReader reader, IndexField field, string from)
    {
        byte[] text = [TermCode.Text, .. Encoding.UTF8.GetBytes(from)];
        if (from == IndexTerms.EmptyText && IsThere(reader, field, [TermCode.Text]))
        {
            return [TermCode.Text];
        }

        byte[] value = IndexTerms.ValueOf(text.AsSpan(1));
        bool isShownSo = value.Length > 0 && IndexTerms.TextOf(value, isWhole: true) == from;
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

    /// <summary>Whether a text is also that of another term, which comes before it in the list.</summary>
    private static bool IsListedBefore(SegmentsReader reader, IndexField field, ReadOnlySpan<byte> term) =>
        term[0] == TermCode.Text && (term[1..].SequenceEqual("EMPTY_STRING"u8)
            ? IsThere(reader, field, [TermCode.Text])
            : IndexTerms.ValueOf(term[1..]) is { Length: > 0 } value && IsThere(reader, field, value)
                && IndexTerms.TextOf(value, isWhole: true) == IndexTerms.TextOf(term, isWhole: true));

    private static bool IsThere(SegmentsReader reader, IndexField field, ReadOnlySpan<byte> term)
    {
        bool isThere = false;
        for (int i = 0; i < reader.Segments.Count && !isThere; i++)
        {
            isThere = reader.Segments[i].TryGetField(field.Number) is { TermCount: > 0 } values
                && values.Find(term) >= 0;
        }

        return isThere;
    }

    private static bool HasKind(SegmentsReader reader, IndexField field, byte kind)
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
    private static byte[]? FindPlaceOnEarth(SegmentsReader reader, IndexField field, string from)
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
                    if (IndexTerms.TextOf(cursor.Term, isWhole: true) == from
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
