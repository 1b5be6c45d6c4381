namespace Raven.Documents.Commands;

/// <summary>A document that was written and is larger than most.</summary>
/// <param name="Id">Its id.</param>
/// <param name="SizeBytes">How many bytes were written.</param>
/// <param name="At">When.</param>
public sealed record LargeDocument(string Id, long SizeBytes, DateTimeOffset At);
