namespace Raven.CommandLine.Shell;

/// <summary>Where the cursor is in a line: what may stand there, and what of it is typed already.</summary>
/// <param name="Kind">What may stand there.</param>
/// <param name="Typed">What is typed of it.</param>
/// <param name="Collection">The collection of the query; or empty.</param>
internal sealed record ShellPlace(ShellPlaceKind Kind, string Typed, string Collection)
{
    /// <summary>The keywords of queries.</summary>
    internal static readonly string[] Words =
    [
        "from", "index", "where", "and", "or", "not", "in", "between", "all in", "exact", "search", "startsWith",
        "endsWith", "exists", "regex", "lucene", "boost", "group by", "order by", "desc", "as", "select", "distinct",
        "load", "include", "limit", "filter", "declare function", "update", "true", "false", "null",
    ];

    /// <summary>The place behind a text.</summary>
    internal static ShellPlace Of(string before)
    {
        int start = StartOfWord(before);
        string typed = before[start..];
        string[] words = before[..start].Split(
            [' ', '\t', ',', '(', ')', '=', '<', '>', '!'], StringSplitOptions.RemoveEmptyEntries);
        string collection = CollectionOf(words);
        string last = words.Length == 0 ? "" : words[^1].ToLowerInvariant();
        ShellPlaceKind kind = before.StartsWith('.')
            ? (words.Length == 0 ? ShellPlaceKind.Command
                : words[0].Equals(".use", StringComparison.OrdinalIgnoreCase) ? ShellPlaceKind.Database
                : ShellPlaceKind.Collection)
            : last == "from" ? ShellPlaceKind.Collection
            : last == "index" && words.Length > 1
                && words[^2].Equals("from", StringComparison.OrdinalIgnoreCase) ? ShellPlaceKind.Index
            : collection.Length > 0 && words.Length > 2 ? ShellPlaceKind.Field
            : ShellPlaceKind.Keyword;
        return new ShellPlace(kind, typed, collection);
    }

    /// <summary>Those of some words that begin with what is typed, without it.</summary>
    internal IReadOnlyList<string> Filter(IReadOnlyList<string> words) =>
        [.. words.Where(word => word.Length > Typed.Length
            && word.StartsWith(Typed, StringComparison.OrdinalIgnoreCase)).Distinct()];

    /// <summary>A word begins behind a space or a sign; a text in quotes is one word.</summary>
    private static int StartOfWord(string before)
    {
        int start = 0;
        char quote = '\0';
        for (int i = 0; i < before.Length; i++)
        {
            char letter = before[i];
            if (quote != '\0')
            {
                quote = letter == quote ? '\0' : quote;
            }
            else if (letter is '\'' or '"')
            {
                quote = letter;
                start = i;
            }
            else if (letter is ' ' or '\t' or ',' or '(' or ')' or '=' or '<' or '>' or '!')
            {
                start = i + 1;
            }
        }

        return start;
    }

    private static string CollectionOf(string[] words)
    {
        int from = Array.FindIndex(words, word => word.Equals("from", StringComparison.OrdinalIgnoreCase));
        return from >= 0 && from + 1 < words.Length
            && !words[from + 1].Equals("index", StringComparison.OrdinalIgnoreCase)
            ? words[from + 1].Trim('\'', '"')
            : "";
    }
}
