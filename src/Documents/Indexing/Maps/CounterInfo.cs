namespace Raven.Documents.Indexing.Maps;

/// <summary>A counter, as maps over counters see it.</summary>
/// <param name="DocumentId">The id of its document.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value.</param>
internal readonly record struct CounterInfo(string DocumentId, string Name, long Value);
