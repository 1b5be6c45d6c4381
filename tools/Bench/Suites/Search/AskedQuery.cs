namespace Raven.Tools.Bench.Suites.Search;

/// <summary>A query that was drawn, in the words that every engine translates into its own.</summary>
/// <param name="Kind">What is asked.</param>
/// <param name="First">The word, the id, the keyword, the prefix, the pattern, or both words of a phrase.</param>
/// <param name="Second">The other word.</param>
/// <param name="Low">The first year.</param>
/// <param name="High">The last year.</param>
/// <param name="Edits">How many characters may differ.</param>
internal sealed record AskedQuery(
    AskedKind Kind, string First = "", string Second = "", long Low = 0, long High = 0, int Edits = 0);
