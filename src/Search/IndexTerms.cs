using System.Globalization;
using Raven.Search.Segments;

namespace Raven.Search;

/// <summary>Lists the terms of a field, for tools that show an index.</summary>
public static class IndexTerms
{
    /// <summary>
    /// The empty text in the list: a page that starts behind an empty text would start at the beginning.
    /// </summary>
    internal const string EmptyText = "EMPTY_STRING";

    private const string NullText = "NULL_VALUE";

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
        return reader.Catalog.Find(fieldName) is { } field ? reader.TermsOf(field, from, take) : [];
    }

    internal static string TextOf(ReadOnlySpan<byte> term, bool isWhole) =>
        TextOf(TermCode.ReadValue(term, isWhole));

    /// <summary>The term of the null, boolean or number in a text; empty if it is none.</summary>
    internal static byte[] ValueOf(ReadOnlySpan<byte> text)
    {
        if (text.SequenceEqual("NULL_VALUE"u8))
        {
            return [TermCode.Null];
        }

        Span<byte> term = stackalloc byte[TermCode.NumberSize];
        return term[..TermCode.WriteValue(term, text)].ToArray();
    }

    private static string TextOf(object? value) => value switch
    {
        null => NullText,
        bool isTrue => isTrue ? "true" : "false",
        _ => Convert.ToString(value, CultureInfo.InvariantCulture)!,
    };
}
