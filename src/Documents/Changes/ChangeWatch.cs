namespace Raven.Documents.Changes;

/// <summary>What a connection is notified of.</summary>
/// <param name="Kind">The kind.</param>
/// <param name="Key">The folded id, prefix or name; empty for all of a kind.</param>
public readonly record struct ChangeWatch(ChangeWatchKind Kind, string Key);
