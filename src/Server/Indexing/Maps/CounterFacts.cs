namespace Raven.Server.Indexing.Maps;

/// <summary>What a map over counters is told of one.</summary>
/// <param name="DocumentId">The id of its document.</param>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value.</param>
internal readonly record struct CounterFacts(string DocumentId, string Name, long Value);
