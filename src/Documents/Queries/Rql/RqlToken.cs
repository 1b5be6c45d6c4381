namespace Raven.Documents.Queries.Rql;

/// <summary>One token of a query.</summary>
/// <param name="Kind">The kind of token.</param>
/// <param name="Text">Its text, without quotes and escapes, and without the $ of a parameter.</param>
/// <param name="Position">The index of its first character.</param>
/// <param name="End">The index after its last character.</param>
internal readonly record struct RqlToken(RqlTokenKind Kind, string Text, int Position, int End)
{
    internal bool IsSign(char sign) => Kind == RqlTokenKind.Sign && Text[0] == sign;

    /// <summary>Whether it is a keyword, in upper or lower case.</summary>
    internal bool IsWord(string word) =>
        Kind == RqlTokenKind.Name && Text.Equals(word, StringComparison.OrdinalIgnoreCase);

    /// <summary>The token in the words of an error.</summary>
    internal string Described => Kind switch
    {
        RqlTokenKind.End => "the end of the query",
        RqlTokenKind.Text => $"the text '{Shorten(Text)}'",
        RqlTokenKind.Parameter => $"the parameter '${Shorten(Text)}'",
        _ => $"'{Shorten(Text)}'",
    };

    private static string Shorten(string text) => text.Length <= 40 ? text : text[..40] + "...";
}
