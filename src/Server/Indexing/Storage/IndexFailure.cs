namespace Raven.Server.Indexing.Storage;

/// <summary>A document that an index could not take.</summary>
/// <param name="At">When.</param>
/// <param name="DocumentId">Which; null where it was not one document.</param>
/// <param name="Action">What was done: <c>Map</c>, <c>Reduce</c>, <c>Index</c>.</param>
/// <param name="Message">What went wrong.</param>
internal sealed record IndexFailure(DateTimeOffset At, string? DocumentId, string Action, string Message);
