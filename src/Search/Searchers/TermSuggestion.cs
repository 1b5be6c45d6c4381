namespace Raven.Search.Searchers;

/// <summary>A word of an index that is similar to another one.</summary>
/// <param name="Term">The word.</param>
/// <param name="Distance">How many characters must be inserted, removed or replaced.</param>
/// <param name="EntryCount">Entries that have it, including deleted ones that are still kept.</param>
public sealed record TermSuggestion(string Term, int Distance, long EntryCount);
