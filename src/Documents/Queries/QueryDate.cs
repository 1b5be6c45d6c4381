namespace Raven.Documents.Queries;

/// <summary>Dates as clients write them: <c>2026-01-31T12:00:00.0000000</c>, with a <c>Z</c> at the end or without one.
/// In comparisons both are the same instant.</summary>
internal static class QueryDate
{
    private const string Form = "0000-00-00T00:00:00";
    private const int LengthMax = 48;

    /// <summary>Whether a text is a date of that form, with any number of digits after the second.</summary>
    internal static bool IsOne(ReadOnlySpan<char> text)
    {
        text = text.Length > 0 && text[^1] is 'Z' or 'z' ? text[..^1] : text;
        if (text.Length < Form.Length || text.Length > LengthMax
            || (text.Length > Form.Length && text[Form.Length] != '.'))
        {
            return false;
        }

        for (int i = 0; i < Form.Length; i++)
        {
            bool isSo = Form[i] == '0' ? char.IsAsciiDigit(text[i])
                : text[i] == Form[i] || (Form[i] == 'T' && text[i] == 't');
            if (!isSo)
            {
                return false;
            }
        }

        return text.Length <= Form.Length || !text[(Form.Length + 1)..].ContainsAnyExceptInRange('0', '9');
    }

    /// <summary>Whether a text in UTF-8 is such a date.</summary>
    internal static bool IsOne(ReadOnlySpan<byte> utf8)
    {
        if (utf8.Length < Form.Length || utf8.Length > LengthMax || utf8[10] is not ((byte)'T' or (byte)'t'))
        {
            return false;
        }

        Span<char> text = stackalloc char[utf8.Length];
        for (int i = 0; i < utf8.Length; i++)
        {
            text[i] = (char)utf8[i];
        }

        return IsOne(text);
    }

    /// <summary>The same date without a Z.</summary>
    internal static ReadOnlySpan<byte> Plain(ReadOnlySpan<byte> date) =>
        date[^1] is (byte)'Z' or (byte)'z' ? date[..^1] : date;

    /// <summary>Both texts of a date, if a text is one.</summary>
    /// <param name="text">The text.</param>
    /// <param name="plain">The date without a Z.</param>
    /// <param name="marked">The date with a Z.</param>
    internal static bool TrySpell(string text, out string plain, out string marked)
    {
        bool isDate = IsOne(text);
        plain = isDate && text[^1] is 'Z' or 'z' ? text[..^1] : text;
        marked = isDate ? plain + "Z" : text;
        return isDate;
    }

    /// <summary>
    /// The bound of a range of texts. The text of a date with a Z follows the one without in their order, and no other
    /// text is between them: a bound before or behind both is one of the two.
    /// </summary>
    /// <param name="text">A date, or any other text, which stays as it is.</param>
    /// <param name="isBehind">Whether the bound lies behind the date.</param>
    internal static string BoundOf(string text, bool isBehind) =>
        !TrySpell(text, out string plain, out string marked) ? text : isBehind ? marked : plain;
}
