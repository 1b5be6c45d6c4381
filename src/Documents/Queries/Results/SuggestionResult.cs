namespace Raven.Documents.Queries.Results;

/// <summary>Words of an index that are like misspelled ones.</summary>
/// <param name="Name">The name that the query gives them, or that of the field.</param>
/// <param name="Words">The words, the best first.</param>
public sealed record SuggestionResult(string? Name, IReadOnlyList<string> Words);
